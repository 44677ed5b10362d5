"""Several selected nodes as a table."""

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QLabel, QTreeWidgetItem, QVBoxLayout, QWidget

from app.theme import fonts
from app.widgets.filter_tree import FilterTree
from compiler.analysis.text_format.printer import program
from compiler.model.ir.ids import NodeId
from compiler.model.ir.stage import Stage
from compiler.model.ir.tensor_types import byte_size, describe, describe_bytes

_MOST_ROWS = 2000


class NodeTable(QWidget):
    """One row a node; a click on a row asks for that node alone."""

    node_picked = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.summary = QLabel(self)
        self.summary.setWordWrap(True)
        self.rows = FilterTree(("Name", "Is", "Result", "Size"), "Filter the selected nodes", self)
        self.rows.tree.setRootIsDecorated(False)
        self.rows.stretch_column(1)
        column = QVBoxLayout(self)
        column.setContentsMargins(8, 8, 8, 4)
        column.addWidget(self.summary)
        column.addWidget(self.rows, 1)
        self.rows.tree.itemActivated.connect(lambda item: self.node_picked.emit(item.text(0)))
        self.rows.tree.itemClicked.connect(lambda item: self.node_picked.emit(item.text(0)))

    def show_nodes(self, stage: Stage, nodes: tuple[NodeId, ...]) -> None:
        """Show these nodes of a stage, in the order they stand there."""
        wanted = set(nodes)
        rows = _graph_rows(stage, wanted) if stage.graph is not None else _text_rows(stage, wanted)
        self.rows.tree.clear()
        for row in rows[:_MOST_ROWS]:
            item = QTreeWidgetItem(list(row))
            item.setFont(0, fonts.monospace())
            item.setToolTip(1, row[1])
            self.rows.tree.addTopLevelItem(item)
        self.rows.apply_filter()
        cut = f" (the first {_MOST_ROWS:,} are listed)" if len(rows) > _MOST_ROWS else ""
        self.summary.setText(
            f"{len(nodes):,} selected in {stage.title} {stage.compile_id}{cut}. Click one for more."
        )


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
