"""The filter of a table: rows that hold the text, with the rows they are inside and those inside them."""

from PySide6.QtCore import QModelIndex, QObject, QPersistentModelIndex, QSortFilterProxyModel, Qt

from app.widgets.tables.row_model import Node, RowModel


class RowFilter(QSortFilterProxyModel):
    """Filters only: the model sorts."""

    def __init__(self, model: RowModel, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._model = model
        self._wanted = ""
        self.setRecursiveFilteringEnabled(True)
        self.setAutoAcceptChildRows(True)
        self.setSourceModel(model)

    def set_text(self, text: str) -> None:
        """Keep the rows that hold it."""
        self.beginFilterChange()
        self._wanted = text.casefold()
        self.endFilterChange(QSortFilterProxyModel.Direction.Rows)

    def filterAcceptsRow(self, source_row: int, source_parent: QModelIndex | QPersistentModelIndex) -> bool:
        if not self._wanted:
            return True
        return self._wanted in self._model.node_at(source_parent).inside[source_row].text()

    def sort(self, column: int, order: Qt.SortOrder = Qt.SortOrder.AscendingOrder) -> None:
        self._model.sort(column, order)

    def node_at(self, index: QModelIndex | QPersistentModelIndex) -> Node:
        """The node of an index of this model."""
        return self._model.node_at(self.mapToSource(index))

    def index_of(self, node: Node) -> QModelIndex:
        """Where it is seen; an invalid index where it is filtered out."""
        return self.mapFromSource(self._model.index_of(node))
