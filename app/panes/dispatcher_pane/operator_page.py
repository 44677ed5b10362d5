"""All operators, and the dispatch table of the one that is chosen."""

from collections.abc import Callable

from PySide6.QtCore import QModelIndex, QSortFilterProxyModel, QStringListModel, Qt, QUrl
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import (
    QCheckBox,
    QLabel,
    QLineEdit,
    QListView,
    QWidget,
)

from app.panes.dispatcher_pane.key_texts import about_key, about_kind
from app.session.engine_requests.operator_requests import OperatorQuestions
from app.translation.texts import tr, tr_noop
from app.widgets.labels.wrapped_label import WrappedLabel
from app.widgets.layouts.boxes import set_column, set_row, split_of
from app.widgets.tables.row_table import RowTable
from app.widgets.tables.rows import Cell, Column, Row, Width
from compiler.model.ir.diagnostics import Problem
from compiler.model.operators.dispatching import CodePlace, KernelGroup, OperatorTable, grouped

_COLUMNS = (
    Column(tr_noop("Key"), width=240),
    Column(tr_noop("Kernel"), width=170),
    Column(tr_noop("Registered at"), width=Width.STRETCH),
)


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
        self.field.setPlaceholderText(tr("Find an operator"))
        self.field.setClearButtonEnabled(True)
        self.found = QSortFilterProxyModel(self)
        self.found.setSourceModel(self._names)
        self.found.setFilterCaseSensitivity(Qt.CaseSensitivity.CaseInsensitive)
        self.list = QListView(self)
        self.list.setAccessibleName(tr("Operators"))
        self.list.setUniformItemSizes(True)
        self.list.setEditTriggers(QListView.EditTrigger.NoEditTriggers)
        self.list.setFrameShape(QListView.Shape.NoFrame)
        self.list.setModel(self.found)
        self.count = QLabel("", self)
        self.schema = WrappedLabel("", self)
        self.schema.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.all_keys = QCheckBox(tr("Also keys that serve every operator"), self)
        self.table = RowTable(_COLUMNS, tr("Filter keys"), self)
        left, right = QWidget(self), QWidget(self)
        set_column(left, self.field, self.list, self.count, margins=0)
        set_column(right, self.schema, (self.table, 1), self.all_keys, margins=(4, 0, 0, 0))
        split = split_of(left, right, parent=self, sizes=(230, 700))
        set_row(self, split, margins=(4, 4, 4, 0))
        self.field.textChanged.connect(self._filter)
        self.list.clicked.connect(self._picked)
        self.list.activated.connect(self._picked)
        self.list.selectionModel().currentChanged.connect(self._picked)
        self.all_keys.toggled.connect(self._fill_table)
        self.table.activated.connect(self._open_link)
        questions.changed.connect(self.fill)

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
                tr("Choose an operator, or select a node of a graph that calls one.") * (not self.name)
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
        self.count.setText(
            tr("{shown:,} of {total:,} operators").format(shown=shown, total=total)
            if shown != total
            else tr("{total:,} operators").format(total=total)
        )

    def _picked(self, index: QModelIndex) -> None:
        if index.isValid() and (name := str(index.data())) != self.name:
            self.show_operator(name)

    def _fill_table(self) -> None:
        known = self._shown
        if not isinstance(known, OperatorTable):
            self.table.set_rows(())
            asking = tr("Asking for {name}").format(name=self.name) if self.name else ""
            self.schema.setText(known.message() if known is not None else asking)
            return
        self.schema.setText(known.schema)
        made = [
            _row(entry.key, "" if entry.active else tr("replaced by a later one"), entry.place, known.commit)
            for entry in known.registrations
        ]
        called = [
            _group_row(group, known.commit)
            for group in grouped(known.rows)
            if self.all_keys.isChecked() or not group.shared
        ]
        groups = (
            (tr("What is called, the first looked at first"), called),
            (tr("What was registered"), made),
        )
        self.table.set_rows(
            [
                Row(title, (Cell(title, bold=True),), tuple(rows), open=True, spanned=True)
                for title, rows in groups
            ]
        )

    def _open_link(self, row: Row) -> None:
        if row.value:
            self.open_url(QUrl(str(row.value)))


def _group_row(group: KernelGroup, commit: str) -> Row:
    kind = tr("passes the call on") if group.falls_through else group.kind
    tip = "\n".join(filter(None, (about_key(group.keys[0]), ", ".join(group.keys))))
    keys = group.keys if len(group.keys) > 1 else ()
    inside = tuple(_row(key, "", CodePlace("", 0), "") for key in keys)
    return _row(group.name, kind, group.place, commit, tip, inside)


def _row(
    key: str, kind: str, place: CodePlace, commit: str, tip: str = "", inside: tuple[Row, ...] = ()
) -> Row:
    link = place.link(commit)
    where = Cell(str(place))
    if link:
        where = Cell(str(place), tooltip=tr("Double-click: {link}").format(link=link), color="accent")
    elif place.generated:
        generated = tr("Generated when torch was built; its repository does not hold the file")
        where = Cell(str(place), tooltip=generated, color="dim_text")
    cells = (
        Cell(key, tooltip=tip or about_key(key)),
        Cell(kind, tooltip=about_kind(kind), color="dim_text"),
        where,
    )
    return Row(key, cells, inside, value=link)
