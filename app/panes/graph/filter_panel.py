"""The list of filters under the toolbar: which nodes are drawn, row after row."""

from collections.abc import Callable
from functools import partial

import msgspec
from PySide6.QtCore import Signal
from PySide6.QtGui import QKeyEvent, Qt
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QHBoxLayout,
    QInputDialog,
    QLabel,
    QLineEdit,
    QMenu,
    QPushButton,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from app.panes.graph.query_help import query_help
from app.session.graph_views.graph_views import GraphViews
from app.theme import current
from app.translation.texts import tr, tr_noop
from app.widgets.buttons.tool_button import tool_button
from app.widgets.layouts.boxes import row_of
from compiler.analysis.queries.node_filters import FilterKind, NodeFilter
from compiler.analysis.queries.query_language import QueryError, parse

_KINDS = (
    (FilterKind.HIDE, tr_noop("Hide")),
    (FilterKind.ONLY, tr_noop("Show only")),
    (FilterKind.SHOW, tr_noop("Show after all")),
)


class FilterRow(QWidget):
    """One filter: on or off, what it does, and its query, which is checked while one types."""

    edited = Signal()

    def __init__(self, row: NodeFilter, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.on = QCheckBox(self)
        self.on.setChecked(row.on)
        self.on.setAccessibleName(tr("Apply this filter"))
        self.on.setToolTip(tr("Apply this filter"))
        self.kind = QComboBox(self)
        for kind, title in _KINDS:
            self.kind.addItem(tr(title), kind)
        self.kind.setCurrentIndex([kind for kind, _ in _KINDS].index(row.kind))
        self.kind.setAccessibleName(tr("What the filter does"))
        self.query = QLineEdit(row.query, self)
        self.query.setPlaceholderText("op:view|permute   module:layers.0*   bytes:<1K")
        self.query.setAccessibleName(tr("Which nodes"))
        self.query.setToolTip(query_help())
        self.line = QHBoxLayout(self)
        self.line.setContentsMargins(0, 0, 0, 0)
        for widget, stretch in ((self.on, 0), (self.kind, 0), (self.query, 1)):
            self.line.addWidget(widget, stretch)
        self.on.toggled.connect(self.edited)
        self.kind.currentIndexChanged.connect(self.edited)
        self.query.textEdited.connect(self._on_text)
        self._on_text(row.query)

    def value(self) -> NodeFilter:
        """The filter as it stands."""
        kind: FilterKind = self.kind.currentData()
        return NodeFilter(kind, self.query.text(), self.on.isChecked())

    def add_button(self, text: str, tip: str, slot: Callable[[], None]) -> None:
        """A small button at the end of the row."""
        self.line.addWidget(tool_button(self, text, tip, slot, name=tip))

    def _on_text(self, text: str) -> None:
        try:
            parse(text)
        except QueryError as error:
            self.query.setStyleSheet(f"QLineEdit {{ border: 1px solid {current.colors().error}; }}")
            self.query.setToolTip(str(error))
            return
        self.query.setStyleSheet("")
        self.query.setToolTip(query_help())
        self.edited.emit()


class FilterPanel(QWidget):
    """Writes to `GraphViews` what is chosen here; a query that is wrong is marked and not applied."""

    closed = Signal()

    def __init__(self, views: GraphViews, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("filters")
        self._views = views
        self.rows: list[FilterRow] = []
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(8, 3, 8, 3)
        self._column.setSpacing(3)
        self.hint = QLabel(tr("Nodes are hidden by the first row, then the next, and so on."), self)
        self.hint.setEnabled(False)
        self.add = QPushButton(tr("Add filter"), self)
        self.add.clicked.connect(lambda: self._change((*self._values(), NodeFilter(FilterKind.HIDE, ""))))
        self.save = QPushButton(tr("Save list…"), self)
        self.save.clicked.connect(self._save)
        self.saved = QToolButton(self)
        self.saved.setText(tr("Saved lists"))
        self.saved.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self.saved_menu = QMenu(self)
        self.saved_menu.aboutToShow.connect(self._fill_saved)
        self.saved.setMenu(self.saved_menu)
        tip = tr("Close; the filters stay (Esc)")
        close = tool_button(self, "✕", tip, self.close_panel, name=tr("Close the filters"))
        buttons = row_of(self.add, self.save, self.saved, (self.hint, 1), close)
        self._column.addLayout(buttons)
        views.changed.connect(self._follow)
        self.hide()

    def open(self) -> None:
        """Show the list, with an empty row to begin with, and take the keyboard."""
        self._follow()
        if not self.rows:
            self._change((NodeFilter(FilterKind.HIDE, ""),))
        self.show()
        self.rows[-1].query.setFocus()

    def close_panel(self) -> None:
        """Hide the list; its filters stay."""
        self.hide()
        self.closed.emit()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.close_panel()
        else:
            super().keyPressEvent(event)

    # -- rows --------------------------------------------------------------------------------------------------

    def _values(self) -> tuple[NodeFilter, ...]:
        return tuple(row.value() for row in self.rows)

    def _change(self, filters: tuple[NodeFilter, ...]) -> None:
        self._views.set_filters(filters)
        self._follow()

    def _follow(self) -> None:
        """Show the list as it is; rows that say the same already stay, so that typing goes on."""
        filters = self._views.filters
        if filters == self._values():
            return
        for row in self.rows:
            self._column.removeWidget(row)
            row.deleteLater()
        self.rows = [self._row(index, value) for index, value in enumerate(filters)]
        for index, row in enumerate(self.rows):
            self._column.insertWidget(index, row)

    def _row(self, index: int, value: NodeFilter) -> FilterRow:
        row = FilterRow(value, self)
        row.edited.connect(self._on_edit)
        row.add_button("↑", tr("Apply earlier"), partial(self._move, index, -1))
        row.add_button("↓", tr("Apply later"), partial(self._move, index, 1))
        row.add_button("✕", tr("Remove this filter"), partial(self._remove, index))
        return row

    def _on_edit(self) -> None:
        if self.rows:
            self._views.set_filters(self._values())

    def _move(self, index: int, by: int) -> None:
        values = list(self._values())
        other = index + by
        if 0 <= other < len(values):
            values[index], values[other] = values[other], values[index]
            self._change(tuple(values))

    def _remove(self, index: int) -> None:
        values = self._values()
        self._change(values[:index] + values[index + 1 :])

    # -- saved lists -------------------------------------------------------------------------------------------

    def _save(self) -> None:
        name, accepted = QInputDialog.getText(self, tr("Save the filters"), tr("Name of the list:"))
        if accepted and name.strip():
            self._views.save_as(name.strip())

    def _fill_saved(self) -> None:
        self.saved_menu.clear()
        lists = self._views.saved()
        if not lists:
            self.saved_menu.addAction(tr("None yet")).setEnabled(False)
        for row in lists:
            menu = self.saved_menu.addMenu(row.name)
            menu.addAction(tr("Use"), partial(self._change, row.filters))
            menu.addAction(tr("Add to these"), partial(self._add_all, row.filters))
            menu.addAction(tr("Forget"), partial(self._views.forget, row.name))

    def _add_all(self, filters: tuple[NodeFilter, ...]) -> None:
        switched_on = tuple(msgspec.structs.replace(row, on=True) for row in filters)
        self._change((*self._values(), *switched_on))
