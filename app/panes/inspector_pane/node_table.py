"""Several selected nodes as a table."""

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from app.translation.compiler_texts import stage_title
from app.translation.texts import tr, tr_noop
from app.widgets.labels.wrapped_label import WrappedLabel
from app.widgets.layouts.boxes import set_column
from app.widgets.tables.row_table import RowTable
from app.widgets.tables.rows import Cell, Column, Row, Width
from compiler.analysis.text_format.printer import program
from compiler.model.ir.graph import Graph
from compiler.model.ir.ids import NodeId
from compiler.model.ir.loop_ir import LoopProgram
from compiler.model.ir.stage import LoopStage, Stage
from compiler.model.ir.tensor_types import byte_size, describe, describe_bytes

_NAME, _IS = Column(tr_noop("Name"), most=180), Column(tr_noop("Is"), width=Width.STRETCH)
_COLUMNS: tuple[Column, ...] = (_NAME, _IS, Column(tr_noop("Result")), Column(tr_noop("Size")))
_OF_LOOPS = (
    _NAME,
    _IS,
    Column(tr_noop("Makes"), tip=tr_noop("The buffers it writes"), most=120),
    Column(tr_noop("Moves"), tip=tr_noop("Bytes read and written, by Inductor's count")),
)
_OF_TEXT = (_NAME, _IS)
_MOST_ROWS = 2000


class NodeTable(QWidget):
    """One row a node; a click on a row asks for that node alone."""

    node_picked = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.summary = WrappedLabel("", self)
        self.rows = RowTable(_COLUMNS, tr("Filter the selected nodes"), self)
        self.rows.tree.setRootIsDecorated(False)
        set_column(self, self.summary, (self.rows, 1), margins=(8, 8, 8, 4))
        self.rows.row_picked.connect(lambda row: self.node_picked.emit(row.key))

    def show_nodes(self, stage: Stage, nodes: tuple[NodeId, ...]) -> None:
        """Show these nodes of a stage, in the order they stand there."""
        wanted = set(nodes)
        if stage.graph is not None:
            columns, rows = _COLUMNS, _graph_rows(stage.graph, wanted)
        elif isinstance(stage.content, LoopStage):
            columns, rows = _OF_LOOPS, _loop_rows(stage.content.program, wanted)
        else:
            columns, rows = _OF_TEXT, _text_rows(stage, wanted)
        self.rows.set_columns(columns)
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


def _row(name: NodeId, *texts: str) -> Row:
    cells = (Cell(text, tooltip=text) for text in texts)
    return Row(name, (Cell(name, tooltip=name, monospace=True), *cells))


def _graph_rows(graph: Graph, wanted: set[NodeId]) -> list[tuple[str, ...]]:
    return [
        (
            node.id,
            node.target,
            describe(node.value),
            describe_bytes(byte_size(node.value)) if node.value else "",
        )
        for node in graph.nodes
        if node.id in wanted
    ]


def _loop_rows(loops: LoopProgram, wanted: set[NodeId]) -> list[tuple[str, ...]]:
    return [
        (
            node.id,
            node.operation,
            ", ".join(node.buffers),
            describe_bytes(node.bytes_moved) if node.bytes_moved is not None else "",
        )
        for node in loops.nodes
        if node.id in wanted
    ]


def _text_rows(stage: Stage, wanted: set[NodeId]) -> list[tuple[str, ...]]:
    """The first line of each node in the printed form of the stage."""
    code = program(stage)
    lines = code.text.split("\n")
    found: dict[NodeId, str] = {}
    for text, owners in zip(lines, code.line_nodes, strict=True):
        for owner in owners:
            if owner in wanted:
                found.setdefault(owner, " ".join(text.split()))
    return list(found.items())
