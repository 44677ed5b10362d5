"""Every result of the forward: what becomes of it, its bytes, and why."""

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QMenu, QWidget

from app.panes.partition_pane.wording import FATES, why
from app.translation.texts import tr, tr_noop
from app.widgets.tables.row_table import RowTable
from app.widgets.tables.rows import Cell, Column, Row, Width
from compiler.model.ir.ids import NodeId
from compiler.model.ir.stage import TensorDecision
from compiler.model.ir.tensor_types import describe_bytes

_COLUMNS = (
    Column(tr_noop("Result"), width=105),
    Column(tr_noop("Now"), width=92),
    Column(tr_noop("Bytes"), width=72, right=True),
    Column(tr_noop("Why"), width=Width.STRETCH),
)
"""Names may be long; the reason is what a person reads."""
_TINTS = {"saved": "forward", "recomputed": "backward", "backward": "backward"}


class DecisionTable(RowTable):
    """A click asks for the node; the menu of a row asks for a choice."""

    picked = Signal(list)
    """Names of the selected nodes."""
    chosen = Signal(object)
    """True, False or None for the selected nodes."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(_COLUMNS, tr("Filter results"), parent)
        self.choosable = True
        """Whether the menu of a row may ask for a choice."""
        self._shown: tuple[tuple[TensorDecision, ...], dict[NodeId, str]] | None = None
        self.tree.setRootIsDecorated(False)
        self.sort_by(-1)
        self.tree.setSelectionMode(self.tree.SelectionMode.ExtendedSelection)
        self.offer_menu(self._fill_menu)
        self.row_picked.connect(lambda _: self.picked.emit(self.selected_nodes()))

    def show_decisions(self, rows: tuple[TensorDecision, ...], choices: dict[NodeId, str]) -> None:
        """Show these; `choices` are what was chosen by hand, compiled or not."""
        if self._shown is not None and self._shown[0] is rows and self._shown[1] == choices:
            return  # thousands of rows of a large graph, at every stage that comes to the front
        self._shown = rows, choices
        self.set_rows([_row(row, choices.get(row.node, "")) for row in rows])

    def selected_nodes(self) -> list[NodeId]:
        """Names of the selected rows."""
        return [row.cells[0].text for row in self.selected()]

    def _fill_menu(self, menu: QMenu, _row: Row) -> None:
        """For all that is selected, which a right click on another row changes first."""
        if not self.choosable:
            return
        for text, choice in (
            (tr("Save for the backward"), True),
            (tr("Recompute in the backward"), False),
            (tr("Leave it to the partitioner"), None),
        ):
            menu.addAction(text).triggered.connect(lambda _=False, wanted=choice: self.chosen.emit(wanted))


def _row(row: TensorDecision, wish: str) -> Row:
    said = tr(FATES.get(row.fate, row.fate))  # a file may say what no torch does
    fate = Cell(said, color=_TINTS.get(row.fate, "dim_text"))
    if wish:
        done = wish == row.fate or (wish, row.fate) == ("recomputed", "backward")
        text = said if done else f"{said} → {wish}"
        tip = tr("Chosen by hand") if done else tr("Chosen by hand, not compiled yet")
        fate = Cell(text, tooltip=tip, color="edited")
    size, tip = describe_bytes(row.bytes), ""
    if row.base:
        size, tip = (
            tr("in {base}").format(base=row.base),
            tr("{size}, of the same storage as {base}: counted there").format(size=size, base=row.base),
        )
    weight = row.weight
    counts = (
        ""
        if weight is None
        else tr("Counts {weight:,.0f} in the minimum cut (bytes, weighted by torch)").format(weight=weight)
    )
    cells = (
        Cell(row.node),
        fate,
        Cell(size, row.bytes or 0, tip),
        Cell(why(row), tooltip=counts, color="dim_text"),
    )
    return Row(row.node, cells)
