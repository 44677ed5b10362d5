"""The table of front ends: one row each, filled as cells come."""

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, Qt, Signal
from PySide6.QtGui import QColor, QFont
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHeaderView,
    QStyle,
    QStyleOptionViewItem,
    QTreeWidget,
    QTreeWidgetItem,
    QWidget,
)

from app.theme import current
from app.theme.palette import blend
from app.translation.texts import tr, tr_all, tr_noop
from app.widgets.bar_delegate import RoomyDelegate
from compiler.analysis.text_format.times import time_text
from compiler.model.capture.front_ends import COMPARED
from compiler.model.front_end_comparison.front_end_matrix import FrontEndCell, Outcome, format_verdict
from compiler.model.ir.tensor_types import describe_bytes

_TITLES = (
    tr_noop("Front end"), tr_noop("Example"), tr_noop("Other inputs"), tr_noop("Graphs"), tr_noop("Ops"), tr_noop("Capture"), tr_noop("Run (median)"), tr_noop("Quartiles"), "÷ eager", tr_noop("Peak memory"),
)  # fmt: skip
_TIPS = {
    "Ops": tr_noop("Calls in its graphs; of eager the aten operations that were dispatched in the forward."),
    "Capture": tr_noop("The capture itself; of torch.compile the first call, which compiles."),
    "Run (median)": tr_noop("Forward on the example, interleaved with eager in the same process."),
    "÷ eager": tr_noop(
        "Its time over eager's, of pairs run one after the other; grey where the two cannot be told apart."
    ),
    "Peak memory": tr_noop("Most that one forward had allocated at a time, as torch's CPU allocator saw it."),
    "Example": tr_noop(
        "Beside eager: results, arguments and buffers after the call, gradients, and what is printed."
    ),
    "Other inputs": tr_noop(
        "Inputs you gave and inputs that were found by trying. Red: something else than eager's, and no error."
    ),
}
_EXAMPLE, _OTHERS, _GRAPHS, _OPS, _CAPTURE, _RUN, _SPREAD, _RATIO, _MEMORY = range(1, 10)
_RIGHT = range(_GRAPHS, _MEMORY + 1)
_WIDEST = {0: 190, _OTHERS: 210}
"""Pixels; longer texts are cut, and whole in their tooltips."""


class _ColouredStays(RoomyDelegate):
    """A cell with a background of its own keeps it while its row is chosen."""

    def initStyleOption(
        self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        super().initStyleOption(option, index)
        if index.data(Qt.ItemDataRole.BackgroundRole) is not None:
            option.state &= ~QStyle.StateFlag.State_Selected


class MatrixTable(QTreeWidget):
    """Knows rows by the front end's name."""

    chosen = Signal(str)
    opened = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName(tr("Front ends"))
        self.setHeaderLabels(tr_all(_TITLES))
        self.setRootIsDecorated(False)
        self.setUniformRowHeights(True)
        self.setFrameShape(QTreeWidget.Shape.NoFrame)
        self.setItemDelegate(_ColouredStays(self))
        self.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        for column, title in enumerate(_TITLES):
            self.headerItem().setToolTip(column, tr(_TIPS.get(title, "")))
            if column in _RIGHT:
                self.headerItem().setTextAlignment(column, Qt.AlignmentFlag.AlignRight)
        self.header().setStretchLastSection(True)
        self.header().setSectionResizeMode(QHeaderView.ResizeMode.Interactive)
        self._rows: dict[str, QTreeWidgetItem] = {}
        for front_end in COMPARED:
            row = QTreeWidgetItem(self, [front_end.title])
            row.setToolTip(0, front_end.lesson)
            row.setData(0, Qt.ItemDataRole.UserRole, front_end.name)
            for column in _RIGHT:
                row.setTextAlignment(column, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
            self._rows[front_end.name] = row
        self.currentItemChanged.connect(
            lambda row, _: self.chosen.emit(_name(row) if row is not None else "")
        )
        self.itemDoubleClicked.connect(lambda row, _: self.opened.emit(_name(row)))

    @property
    def current(self) -> str:
        """The front end that is looked at, or empty."""
        row = self.currentItem()
        return _name(row) if row is not None else ""

    def text_at(self, front_end: str, title: str) -> str:
        """What stands in a cell."""
        return self._rows[front_end].text(_TITLES.index(title))

    def show_cells(self, cells: dict[str, FrontEndCell], running: str, waiting: tuple[str, ...]) -> None:
        """Fill all rows."""
        for name, row in self._rows.items():
            for column in range(1, len(_TITLES)):
                row.setText(column, "")
                row.setData(column, Qt.ItemDataRole.BackgroundRole, None)
                row.setData(column, Qt.ItemDataRole.ForegroundRole, None)
                row.setToolTip(column, "")
            if name in cells:
                self._fill(row, cells[name])
            elif name == running or name in waiting:
                row.setText(_EXAMPLE, tr("running") if name == running else tr("waits"))
                row.setForeground(_EXAMPLE, QColor(current.colors().dim_text))
        for column in range(len(_TITLES) - 1):
            self.resizeColumnToContents(column)
            if self.columnWidth(column) > _WIDEST.get(column, 1000):
                self.setColumnWidth(column, _WIDEST[column])

    def _fill(self, row: QTreeWidgetItem, cell: FrontEndCell) -> None:
        colors = current.colors()
        if cell.problem is not None:
            row.setText(_EXAMPLE, tr("skipped") if cell.skipped else tr("not captured"))
            row.setForeground(_EXAMPLE, QColor(colors.dim_text if cell.skipped else colors.warning))
            row.setText(_OTHERS, _short(cell.problem.what))
            row.setToolTip(_OTHERS, cell.problem.what)
            row.setForeground(_OTHERS, QColor(colors.dim_text))
            return
        run, ratio = cell.run, cell.ratio
        texts = {
            _GRAPHS: str(cell.graphs),
            _OPS: str(cell.operations),
            _CAPTURE: f"{cell.capture_seconds * 1e3:,.0f} ms",
            _RUN: time_text(run.median) if run else "",
            _SPREAD: tr("{time} to {time2}").format(time=time_text(run.low), time2=time_text(run.high))
            if run
            else "",
            _RATIO: f"{'' if ratio.clear else '~'}{ratio.ratio:.2f}" if ratio else "",
            _MEMORY: describe_bytes(cell.peak_bytes) if cell.peak_bytes is not None else "",
        }
        for column, text in texts.items():
            row.setText(column, text)
        if ratio is not None and ratio.clear:
            row.setForeground(_RATIO, QColor(colors.good if ratio.ratio < 1 else colors.text))
        else:
            row.setForeground(_RATIO, QColor(colors.dim_text))
        example = cell.of_example()
        for column, judgements in (
            (_EXAMPLE, (example,) if example else ()),
            (_OTHERS, cell.of_others()),
        ):
            row.setText(column, format_verdict(judgements))
            row.setToolTip(column, format_verdict(judgements))
            outcomes = {judgement.outcome for judgement in judgements}
            if Outcome.WRONG in outcomes:
                row.setBackground(column, QColor(blend(colors.panel, colors.error, 0.82)))
                row.setForeground(column, QColor("#ffffff"))
                bold = QFont(self.font())
                bold.setBold(True)
                row.setFont(column, bold)
                continue
            row.setFont(column, self.font())
            lost = any(judgement.loses_something for judgement in judgements)
            warned = not outcomes.isdisjoint((Outcome.REFUSED, Outcome.DIED)) or lost
            row.setForeground(column, QColor(colors.warning if warned else colors.good))


def _name(row: QTreeWidgetItem) -> str:
    name: str = row.data(0, Qt.ItemDataRole.UserRole)
    return name


def _short(what: str) -> str:
    """The error without which front end it was, which the row says."""
    _, _, rest = what.partition("does not take this program: ")
    return rest or what
