"""What an operator is made of: its tree, and what is left of it at each level."""

from collections import Counter
from collections.abc import Callable

from PySide6.QtCore import Qt, QUrl
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import QWidget

from app.translation.texts import tr, tr_noop
from app.widgets.labels.wrapped_label import WrappedLabel
from app.widgets.layouts.boxes import set_column
from app.widgets.tables.row_table import RowTable
from app.widgets.tables.rows import Cell, Column, Row, Width
from compiler.model.ir.diagnostics import Problem
from compiler.model.operators.decompositions import LEVELS, DecomposedOperator, Decomposition, at_level

_COLUMNS = (
    Column(tr_noop("Operator"), width=330),
    Column(tr_noop("Level"), width=110),
    Column(tr_noop("Taken apart at"), width=Width.STRETCH),
)
_CORE = tr_noop("core aten")
_TINTS = {"prim": "fused", _CORE: "forward", "composite": "extern"}
_INVITATION = tr_noop(
    "Take an operator apart to see what it is made of, down to prims, and where each step is written."
)


class OperatorTree(QWidget):
    """Double-click leads to the line of a decomposition on GitHub."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._shown: Decomposition | Problem | None = None
        self.open_url: Callable[[QUrl], bool] = QDesktopServices.openUrl
        self.summary = WrappedLabel("", self)
        self.summary.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.tree = RowTable(_COLUMNS, tr("Filter operators"), self)
        set_column(self, self.summary, (self.tree, 1), margins=0)
        self.tree.activated.connect(self._open_link)

    def show_tree(self, known: Decomposition | Problem | None, waiting_for: str) -> None:
        """Show it, or that it is waited for."""
        if known is None:
            self._shown = None
            self.tree.set_rows(())
            self.summary.setText(
                tr("Taking {waiting_for} apart").format(waiting_for=waiting_for)
                if waiting_for
                else tr(_INVITATION)
            )
        elif known is not self._shown:
            self._fill(known)

    def _fill(self, known: Decomposition | Problem) -> None:
        self._shown = known
        if isinstance(known, Problem):
            self.tree.set_rows(())
            self.summary.setText(known.message())
            return
        self.summary.setText(summary_of(known))
        self.summary.setToolTip("\n".join(f"{count:,} {what}" for what, count in known.counts))
        self.tree.set_rows([_row(known.root, known.commit)])

    def _open_link(self, row: Row) -> None:
        if row.value:
            self.open_url(QUrl(str(row.value)))


def summary_of(known: Decomposition) -> str:
    """The schema, and how many operators are left at each level."""
    if not known.root.how:
        return tr("{schema}\nThis torch takes it apart no further.").format(schema=known.schema)
    if known.refused:
        return tr(
            "{schema}\nIts decomposition stands at {place}. It could not be run here: {refused}"
        ).format(schema=known.schema, place=known.root.place, refused=known.refused)
    parts = []
    for level in LEVELS:
        left = Counter(node.operator for node in at_level(known.root, level))
        parts.append(f"{level} {left.total()}")
    return tr("{schema}\nWith ({arguments}): {names} operators").format(
        schema=known.schema, arguments=known.arguments, names=", ".join(parts)
    )


def _row(node: DecomposedOperator, commit: str) -> Row:
    level = "prim" if node.operator.startswith("prims.") else _CORE if node.core else ""
    if node.how == "C++":
        level = "composite"
    idle = bool(node.how) and not node.parts
    tip = tr("With these arguments it had nothing to do") if idle else ""
    if node.declined:
        tip = tr("Its decomposition did not want these arguments")
    link = node.place.link(commit)
    cells = (
        Cell(node.operator, tooltip=tip, color="dim_text" if idle else ""),
        Cell(tr(level), color=_TINTS.get(level, "dim_text")),
        Cell(
            str(node.place),
            tooltip=tr("Double-click: {link}").format(link=link) if link else str(node.place),
            color="accent" if link else "dim_text",
        ),
    )
    return Row(node.operator, cells, tuple(_row(part, commit) for part in node.parts), value=link, open=True)
