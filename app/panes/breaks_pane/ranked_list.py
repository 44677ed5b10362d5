"""The graph breaks as a ranked list: what, where, how much it cuts off, what it costs."""

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QPushButton, QWidget

from app.translation.texts import tr, tr_noop
from app.widgets.buttons.allowed import allow
from app.widgets.labels.wrapped_label import WrappedLabel
from app.widgets.layouts.boxes import set_column
from app.widgets.tables.row_table import RowTable
from app.widgets.tables.rows import Cell, Column, Row, Width
from compiler.analysis.text_format.times import summary_text, time_text
from compiler.model.capture.frames import BreakCategory
from compiler.model.graph_breaks.ranked_breaks import RankedBreak
from compiler.model.timing.graph_break_cost import BreakCosts

_NARROW = 520
"""A narrower dock shows what and where; the rest is in the tooltip."""
_LOST = 6


def _columns(measured: bool) -> tuple[Column, ...]:
    """What was measured takes the room of what stands for it until then."""
    return (
        Column("", tr_noop("The costliest first: by the time measured, else by the operations cut off")),
        Column(tr_noop("Graph break"), width=Width.STRETCH, wraps=True),
        Column(tr_noop("Line")),
        Column(
            tr_noop("Met"), tr_noop("How often Dynamo met it while it captured"), right=True, needs=_NARROW
        ),
        Column(
            tr_noop("Ops"),
            tr_noop("Operations cut off: they went into later graphs of the same function because of it"),
            right=True,
            needs=_NARROW if measured else 0,
        ),
        Column(
            tr_noop("Compile"),
            tr_noop("Wall time of compiling those later graphs"),
            right=True,
            needs=_NARROW,
        ),
        Column(
            tr_noop("Outside"),
            tr_noop(
                "Time of one forward spent outside compiled graphs at this break: measured, with quartiles"
            ),
            right=True,
        ),
    )


class RankedList(QWidget):
    """Rows in the order of their cost; a button measures what they cost when the program runs."""

    current_changed = Signal()
    picked = Signal()
    """A row was clicked, or Enter pressed on it."""
    measure_wanted = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.rows: tuple[RankedBreak, ...] = ()
        self.table = RowTable(_columns(measured=False), tr("Filter breaks"), self)
        self.table.tree.setRootIsDecorated(False)
        self.summary = WrappedLabel("", self)
        self.button = QPushButton(tr("Measure cost"), self)
        self.button.setToolTip(
            tr("Run the program for a second or two and time what happens outside compiled graphs.")
        )
        self.table.put_next_to_filter(self.button)
        set_column(self, self.summary, (self.table, 1), margins=0, spacing=2)
        self.table.current_changed.connect(lambda _: self.current_changed.emit())
        self.table.row_picked.connect(lambda _: self.picked.emit())
        self.button.clicked.connect(self.measure_wanted)

    def show_breaks(self, rows: tuple[RankedBreak, ...], new: frozenset[str] = frozenset()) -> None:
        """Show these, the one that was current before current again. `new`: breaks that the capture before had not."""
        self.rows = rows
        one_file = len({row.location.path for row in rows if row.location is not None}) < 2
        measured = any(row.lost is not None for row in rows)
        self.table.set_columns(_columns(measured))
        self.table.leave_out(() if measured else {_LOST})
        self.table.set_rows(
            [_row(number, row, one_file, row.first.id in new) for number, row in enumerate(rows, 1)]
        )
        if rows and self.current is None:
            self.table.make_current(rows[0].first.id)
        elif rows:
            self.current_changed.emit()

    def show_costs(self, costs: BreakCosts | None, measuring: bool, why_not: str = "") -> None:
        """Say what a forward takes, and how much of it in graphs; `why_not`: why it cannot be measured."""
        allow(self.button, why_not, not measuring)
        self.button.setText(
            tr("Measuring…") if measuring else tr("Measure again") if costs else tr("Measure cost")
        )
        self.summary.setVisible(costs is not None)
        if costs is None:
            return
        inside = costs.inside.median / costs.step.median if costs.step.median else 0.0
        eager = tr("; eager {time}").format(time=summary_text(costs.eager)) if costs.eager is not None else ""
        text = tr("One forward {time}, {inside:.0%} of it in compiled graphs{eager}").format(
            time=summary_text(costs.step), inside=inside, eager=eager
        )
        if costs.compiled_again:
            text += "\n" + tr(
                "Further steps compiled again (%n time(s)), so this is not the time of the graphs shown.",
                None,
                costs.compiled_again,
            )
        self.summary.setText(text)

    @property
    def current(self) -> RankedBreak | None:
        """The break that is current."""
        row = self.table.current()
        return row.value if row is not None and isinstance(row.value, RankedBreak) else None


def _row(number: int, row: RankedBreak, one_file: bool, is_new: bool) -> Row:
    """Where all breaks are in one file its name goes without saying."""
    item = row.first
    says_all = item.sort in (BreakCategory.BREAK, BreakCategory.LOOP)  # torch's words name the loop
    kind = item.kind if says_all else f"{item.sort.value}: {item.kind}"
    lost = "" if row.lost is None else time_text(row.lost)
    code = row.location.text.strip() if row.location is not None else ""
    eager = (
        tr("\n{eager_ops} operations run eagerly there").format(eager_ops=row.eager_ops)
        if row.eager_ops
        else ""
    )
    spread = (
        tr("\n{time} to {time2} outside graphs").format(
            time=time_text(row.spread[0]), time2=time_text(row.spread[1])
        )
        if lost
        else ""
    )
    cells = (
        Cell(f"{number} •", tooltip=tr("New since the capture before"), color="accent")
        if is_new
        else Cell(str(number), color="dim_text"),
        Cell(
            "\n".join(filter(None, (kind, _inside(row)))),
            tooltip=f"{item.registry_id}  {kind}\n{code}{spread}{eager}".strip(),
        ),
        Cell(
            str(row.location.line) if one_file and row.location is not None else row.where, tooltip=row.where
        ),
        Cell(f"{row.times}×"),
        Cell(str(row.ops_cut_off or "")),
        Cell(f"{row.compile_seconds:.2f} s" if row.compile_seconds else ""),
        Cell(lost),
    )
    return Row(item.id, cells, value=row)


def _inside(row: RankedBreak) -> str:
    """What distinguishes breaks that one line of the user's led to: what was called, and the line of the library."""
    callee, line = row.first.callee, row.inside
    if line is None:
        return ""
    name = line.path.rpartition("/")[2]
    if callee:
        return tr("{callee}() at line {line} of {name}").format(callee=callee, line=line.line, name=name)
    return tr("line {line} of {name}").format(line=line.line, name=name)  # a long name is cut at its end
