"""The filter of a table: rows that hold every word, with the rows they are inside and those inside them."""

from PySide6.QtCore import QModelIndex, QObject, QPersistentModelIndex, QSortFilterProxyModel, Qt

from app.widgets.tables.row_model import Node, RowModel


class RowFilter(QSortFilterProxyModel):
    """Filters only: the model sorts. Which rows are seen is found in one walk; Qt's own recursive filter walks down from
    each row, which takes minutes where rows stand a thousand deep.
    """

    def __init__(self, model: RowModel, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._model = model
        self._wanted: list[str] = []
        self._seen: set[Node] = set()
        self.holding: set[Node] = set()
        """The rows that have one inside them that is looked for."""
        self.setSourceModel(model)
        model.rows_given.connect(self._look_again)

    def set_text(self, text: str) -> None:
        """Keep the rows that hold its words."""
        words = text.casefold().split()
        self._model.makes_all = bool(words)
        if words:
            self._model.fetch_all()
        self._wanted = words
        self._look()

    def filterAcceptsRow(self, source_row: int, source_parent: QModelIndex | QPersistentModelIndex) -> bool:
        return not self._wanted or self._model.node_at(source_parent).inside[source_row] in self._seen

    def sort(self, column: int, order: Qt.SortOrder = Qt.SortOrder.AscendingOrder) -> None:
        self._model.sort(column, order)

    def node_at(self, index: QModelIndex | QPersistentModelIndex) -> Node:
        """The node of an index of this model."""
        return self._model.node_at(self.mapToSource(index))

    def index_of(self, node: Node) -> QModelIndex:
        """Where it is seen; an invalid index where it is filtered out."""
        return self.mapFromSource(self._model.index_of(node))

    def _look_again(self) -> None:
        if self._wanted:
            self._look()

    def _look(self) -> None:
        self.beginFilterChange()
        found: set[Node] = set()
        self.holding = set()
        for node in self._model.nodes() if self._wanted else ():
            if self._finds(node):
                found.add(node)
                above = node.above
                while above is not None and above not in self.holding:
                    self.holding.add(above)
                    above = above.above
            elif node.above in found:
                found.add(node)
        self._seen = found | self.holding
        self.endFilterChange(QSortFilterProxyModel.Direction.Rows)

    def _finds(self, node: Node) -> bool:
        text = node.text()
        return all(word in text for word in self._wanted)
