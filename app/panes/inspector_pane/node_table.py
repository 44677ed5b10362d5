"""Several selected nodes as a table."""

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QLabel, QVBoxLayout, QWidget

from app.translation.compiler_words import stage_title
from app.translation.texts import tr, tr_noop
from app.widgets.tables.row_table import RowTable
from app.widgets.tables.rows import Cell, Column, Row, Width
from compiler.analysis.text_format.printer import program
from compiler.model.ir.ids import NodeId
from compiler.model.ir.stage import Stage
from compiler.model.ir.tensor_types import byte_size, describe, describe_bytes

_COLUMNS = (
    Column(tr_noop("Name")),
    Column(tr_noop("Is"), width=Width.STRETCH),
    Column(tr_noop("Result")),
    Column(tr_noop("Size")),
)
_MOST_ROWS = 2000


class NodeTable(QWidget):
    """One row a node; a click on a row asks for that node alone."""

    node_picked = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.summary = QLabel(self)
        self.summary.setWordWrap(True)
        self.rows = RowTable(_COLUMNS, tr("Filter the selected nodes"), self)
        self.rows.tree.setRootIsDecorated(False)
        column = QVBoxLayout(self)
        column.setContentsMargins(8, 8, 8, 4)
        column.addWidget(self.summary)
        column.addWidget(self.rows, 1)
        self.rows.row_picked.connect(lambda row: self.node_picked.emit(row.key))

    def show_nodes(self, stage: Stage, nodes: tuple[NodeId, ...]) -> None:
        """Show these nodes of a stage, in the order they stand there."""
        wanted = set(nodes)
        rows = _graph_rows(stage, wanted) if stage.graph is not None else _text_rows(stage, wanted)
        self.rows.set_rows([_row(*row) for row in rows[:_MOST_ROWS]])
        cut = (
            tr(" (the first {most_rows:,} are listed)").format(most_rows=_MOST_ROWS)
            if len(rows) > _MOST_ROWS
            else ""
        )
        self.summary.setText(
            tr("{count:,} selected in {title} {compile_id}{cut}. Click one for more.").format(
                count=len(nodes), title=stage_title(stage.title), compile_id=stage.compile_id, cut=cut
            )
        )


def _row(name: NodeId, target: str, result: str, size: str) -> Row:
    return Row(name, (Cell(name, monospace=True), Cell(target, tooltip=target), Cell(result), Cell(size)))


def _graph_rows(stage: Stage, wanted: set[NodeId]) -> list[tuple[str, str, str, str]]:
    graph = stage.graph
    return [
        (
            node.id,
            node.target,
            describe(node.value),
            describe_bytes(byte_size(node.value)) if node.value else "",
        )
        for node in (graph.nodes if graph is not None else ())
        if node.id in wanted
    ]


def _text_rows(stage: Stage, wanted: set[NodeId]) -> list[tuple[str, str, str, str]]:
    """The first line of each node in the printed form of the stage."""
    code = program(stage)
    lines = code.text.split("\n")
    found: dict[NodeId, str] = {}
    for text, owners in zip(lines, code.line_nodes, strict=True):
        for owner in owners:
            if owner in wanted:
                found.setdefault(owner, " ".join(text.split()))
    return [(node, text, "", "") for node, text in found.items()]
