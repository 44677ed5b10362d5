"""A tree or table with a filter field above it."""

from collections.abc import Iterator, Sequence

from PySide6.QtWidgets import QHeaderView, QTreeWidget, QTreeWidgetItem, QWidget

from app.widgets.tables.filtered_view import FilteredView


class FilterTree(FilteredView):
    """Rows that do not hold the filter's text are hidden, unless a row inside them does."""

    def __init__(self, columns: Sequence[str], placeholder: str, parent: QWidget | None = None) -> None:
        self.tree = QTreeWidget()
        super().__init__(self.tree, columns, placeholder, parent)
        self.tree.setColumnCount(len(columns))
        self.tree.setHeaderLabels(list(columns))
        self.field.textChanged.connect(self.apply_filter)

    def stretch_column(self, stretched: int) -> None:
        """Give one column the room that the others leave."""
        header = self.tree.header()
        header.setResizeContentsPrecision(100)  # rows that are measured
        for column in range(self.tree.columnCount()):
            mode = (
                QHeaderView.ResizeMode.Stretch
                if column == stretched
                else QHeaderView.ResizeMode.ResizeToContents
            )
            header.setSectionResizeMode(column, mode)

    def apply_filter(self) -> None:
        """Hide what does not match; call after filling the tree."""
        wanted = self.field.text().casefold()
        for index in range(self.tree.topLevelItemCount()):
            item = self.tree.topLevelItem(index)
            if item is not None:
                self._filter(item, wanted, False)

    def make_current(self, row: int) -> None:
        """Make a top-level row the current one; a row that is not there is ignored."""
        item = self.tree.topLevelItem(row)
        if item is not None:
            self.tree.setCurrentItem(item)

    def items(self) -> Iterator[QTreeWidgetItem]:
        """Every row, depth first."""
        stack = [self.tree.topLevelItem(i) for i in reversed(range(self.tree.topLevelItemCount()))]
        while stack:
            item = stack.pop()
            if item is None:
                continue
            yield item
            stack += [item.child(i) for i in reversed(range(item.childCount()))]

    def _filter(self, item: QTreeWidgetItem, wanted: str, parent_matches: bool) -> bool:
        texts = [item.text(column) for column in range(item.columnCount())]
        matches = parent_matches or any(wanted in text.casefold() for text in texts)
        children = (item.child(i) for i in range(item.childCount()))
        below = [self._filter(child, wanted, matches) for child in children if child is not None]
        shown = matches or any(below)
        item.setHidden(not shown)
        return shown
