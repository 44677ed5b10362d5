"""All operators, and the dispatch table of the one that is chosen."""

from collections.abc import Callable

from PySide6.QtCore import QModelIndex, QSortFilterProxyModel, QStringListModel, Qt, QUrl
from PySide6.QtGui import QBrush, QColor, QDesktopServices
from PySide6.QtWidgets import (
    QCheckBox,
    QHBoxLayout,
    QHeaderView,
    QLabel,
    QLineEdit,
    QListView,
    QSplitter,
    QTreeWidgetItem,
    QVBoxLayout,
    QWidget,
)

from app.panes.dispatcher_pane.key_words import about_key, about_kind
from app.session.engine_requests.operator_requests import OperatorQuestions
from app.theme import current
from app.widgets.filter_tree import FilterTree
from compiler.model.ir.diagnostics import Problem
from compiler.model.operators.dispatching import CodePlace, OperatorTable, grouped

_LINK_ROLE = int(Qt.ItemDataRole.UserRole)
_KEY, _KIND, _PLACE = range(3)


class OperatorPage(QWidget):
    """A row of the table leads to its line on GitHub, where it is a file of torch's repository."""

    def __init__(self, questions: OperatorQuestions, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._questions = questions
        self._names = QStringListModel(self)
        self._shown: OperatorTable | Problem | None = None
        self.open_url: Callable[[QUrl], bool] = QDesktopServices.openUrl
        self.name = ""
        """The operator that is shown, or was asked for."""
        self.field = QLineEdit(self)
        self.field.setPlaceholderText("Find an operator")
        self.field.setClearButtonEnabled(True)
        self.found = QSortFilterProxyModel(self)
        self.found.setSourceModel(self._names)
        self.found.setFilterCaseSensitivity(Qt.CaseSensitivity.CaseInsensitive)
        self.list = QListView(self)
        self.list.setAccessibleName("Operators")
        self.list.setUniformItemSizes(True)
        self.list.setEditTriggers(QListView.EditTrigger.NoEditTriggers)
        self.list.setFrameShape(QListView.Shape.NoFrame)
        self.list.setModel(self.found)
        self.count = QLabel("", self)
        self.schema = QLabel("", self)
        self.schema.setWordWrap(True)
        self.schema.setTextFormat(Qt.TextFormat.PlainText)
        self.schema.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.all_keys = QCheckBox("Also keys that serve every operator", self)
        self.table = FilterTree(("Key", "Kernel", "Registered at"), "Filter keys", self)
        self.table.stretch_column(_PLACE)
        for column, width in ((_KEY, 240), (_KIND, 170)):
            self.table.tree.header().setSectionResizeMode(column, QHeaderView.ResizeMode.Interactive)
            self.table.tree.header().resizeSection(column, width)
        left, right = QWidget(self), QWidget(self)
        beside = QVBoxLayout(left)
        beside.setContentsMargins(0, 0, 0, 0)
        for widget in (self.field, self.list, self.count):
            beside.addWidget(widget)
        below = QVBoxLayout(right)
        below.setContentsMargins(4, 0, 0, 0)
        below.addWidget(self.schema)
        below.addWidget(self.table, 1)
        below.addWidget(self.all_keys)
        split = QSplitter(Qt.Orientation.Horizontal, self)
        split.addWidget(left)
        split.addWidget(right)
        split.setChildrenCollapsible(False)
        split.setSizes([230, 700])
        row = QHBoxLayout(self)
        row.setContentsMargins(4, 4, 4, 0)
        row.addWidget(split)
        self.field.textChanged.connect(self._filter)
        self.list.clicked.connect(self._picked)
        self.list.activated.connect(self._picked)
        self.list.selectionModel().currentChanged.connect(self._picked)
        self.all_keys.toggled.connect(self._fill_table)
        self.table.tree.itemActivated.connect(self._open_link)
        questions.changed.connect(self.fill)
        current.signals().changed.connect(self._fill_table)

    def showEvent(self, event: object) -> None:
        """The list is asked for when somebody looks."""
        super().showEvent(event)  # type: ignore[arg-type]
        self._questions.list_names()
        self.fill()

    def show_operator(self, name: str) -> None:
        """Show the table of an operator; it is asked for where it is not known yet."""
        self.name = name
        if self.isVisible():
            self.fill()

    def fill(self) -> None:
        """Show what is known now."""
        names = self._questions.names
        if names is not None and self._names.rowCount() != len(names.names):
            self._names.setStringList(list(names.names))
            self._filter()
        if not self.isVisible() or not self.name:
            self.schema.setText(
                "Choose an operator, or select a node of a graph that calls one." * (not self.name)
            )
            return
        known = self._questions.table(self.name)
        if known is not self._shown or known is None:
            self._shown = known
            self._fill_table()

    def _filter(self) -> None:
        self.found.setFilterFixedString(self.field.text().strip().replace("aten.", "aten::"))
        total = self._names.rowCount()
        shown = self.found.rowCount()
        self.count.setText(f"{shown:,} of {total:,} operators" if shown != total else f"{total:,} operators")

    def _picked(self, index: QModelIndex) -> None:
        if index.isValid() and (name := str(index.data())) != self.name:
            self.show_operator(name)

    def _fill_table(self) -> None:
        known, tree = self._shown, self.table.tree
        tree.clear()
        if known is None:
            self.schema.setText(f"Asking for {self.name}" if self.name else "")
            return
        if isinstance(known, Problem):
            self.schema.setText(known.message())
            return
        self.schema.setText(known.schema)
        made = QTreeWidgetItem(["What was registered", "", ""])
        for entry in known.registrations:
            note = "" if entry.active else "replaced by a later one"
            made.addChild(_row(entry.key, note, entry.place, known.commit))
        computed = QTreeWidgetItem(["What is called, the first looked at first", "", ""])
        for group in grouped(known.rows):
            if group.shared and not self.all_keys.isChecked():
                continue
            kind = "passes the call on" if group.falls_through else group.kind
            row = _row(group.name, kind, group.place, known.commit)
            row.setToolTip(_KEY, "\n".join(filter(None, (about_key(group.keys[0]), ", ".join(group.keys)))))
            if len(group.keys) > 1:
                for key in group.keys:
                    row.addChild(_row(key, "", CodePlace("", 0), ""))
            computed.addChild(row)
        tree.addTopLevelItems([computed, made])
        for top in (computed, made):
            font = top.font(0)
            font.setBold(True)
            top.setFont(0, font)
            top.setFirstColumnSpanned(True)
            top.setExpanded(True)
        self.table.apply_filter()

    def _open_link(self, item: QTreeWidgetItem) -> None:
        link = item.data(_PLACE, _LINK_ROLE)
        if link:
            self.open_url(QUrl(str(link)))


def _row(key: str, kind: str, place: CodePlace, commit: str) -> QTreeWidgetItem:
    colors = current.colors()
    row = QTreeWidgetItem([key, kind, str(place)])
    row.setToolTip(_KEY, about_key(key))
    row.setToolTip(_KIND, about_kind(kind))
    row.setForeground(_KIND, QBrush(QColor(colors.dim_text)))
    link = place.link(commit)
    if link:
        row.setData(_PLACE, _LINK_ROLE, link)
        row.setToolTip(_PLACE, f"Double-click: {link}")
        row.setForeground(_PLACE, QBrush(QColor(colors.accent)))
    elif place.generated:
        row.setToolTip(_PLACE, "Generated when torch was built; its repository does not hold the file")
        row.setForeground(_PLACE, QBrush(QColor(colors.dim_text)))
    return row
