"""The tester: change inputs, flags and globals, and see which compiled code would run, without running the model."""

from collections.abc import Callable

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QBrush, QColor, QResizeEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QComboBox,
    QFrame,
    QHBoxLayout,
    QHeaderView,
    QLabel,
    QPushButton,
    QSplitter,
    QTableWidget,
    QTableWidgetItem,
    QTreeWidgetItem,
    QVBoxLayout,
    QWidget,
)

from app.panes.guards_pane.form import TENSOR, FormError, FormRow, change_from, in_words, rows_of
from app.session.source_places import short
from app.theme import current
from app.widgets.filter_tree import FilterTree
from compiler.model.capture import Capture
from compiler.model.guard_tests import GuardChange, GuardTestResult
from compiler.model.problems import Problem

_NARROW = 900
_COLUMNS = ("What", "Name", "Shape", "dtype", "Stride", "requires_grad", "Value")
_KIND, _NAME, _SHAPE, _DTYPE, _STRIDE, _GRAD, _VALUE = range(7)
_LINE_ROLE = int(Qt.ItemDataRole.UserRole)
_CHOICES = {"as captured": None, "on": True, "off": False}


class TesterPage(QWidget):
    """A form above, the answer of every cache entry below."""

    line_clicked = Signal(object)
    """A SourceLine."""

    def __init__(
        self,
        ask: Callable[[GuardChange, Callable[[GuardTestResult | Problem], None]], None],
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._ask = ask
        self._rows: tuple[FormRow, ...] = ()
        self._shown: Capture | None = None
        self._tried = GuardChange()
        self.table = QTableWidget(0, len(_COLUMNS), self)
        self.table.setHorizontalHeaderLabels(list(_COLUMNS))
        self.table.verticalHeader().hide()
        self.table.setFrameShape(QFrame.Shape.NoFrame)
        self.table.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.table.horizontalHeader().setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        self.table.horizontalHeader().setSectionResizeMode(_VALUE, QHeaderView.ResizeMode.Stretch)
        self.training = self._choice("Whether the module is in training mode")
        self.gradients = self._choice("Whether gradients are recorded")
        self.button = QPushButton("Try", self)
        self.button.setToolTip("Ask the guards of every compile of the first frame. The model is not run.")
        self.reset = QPushButton("Reset", self)
        self.answer = QLabel("", self)
        self.answer.setWordWrap(True)
        self.answer.setTextFormat(Qt.TextFormat.PlainText)
        self.result = FilterTree(("Compiled code", "Line"), "Filter answers", self)
        self.result.stretch_column(0)
        top = QHBoxLayout()
        for text, widget in (("Training", self.training), ("Gradients", self.gradients)):
            top.addWidget(QLabel(text, self))
            top.addWidget(widget)
        top.addStretch(1)
        top.addWidget(self.reset)
        top.addWidget(self.button)
        left, right = QWidget(self), QWidget(self)
        form = QVBoxLayout(left)
        answers = QVBoxLayout(right)
        for column in (form, answers):
            column.setContentsMargins(0, 0, 0, 0)
            column.setSpacing(2)
        form.addLayout(top)
        form.addWidget(self.table, 1)
        answers.addWidget(self.answer)
        answers.addWidget(self.result, 1)
        split = QSplitter(Qt.Orientation.Horizontal, self)
        split.setChildrenCollapsible(False)
        split.addWidget(left)
        split.addWidget(right)
        split.setSizes([480, 420])
        whole = QVBoxLayout(self)
        whole.setContentsMargins(4, 4, 4, 0)
        whole.addWidget(split)
        self.button.clicked.connect(self.try_form)
        self.reset.clicked.connect(lambda: self._fill_form())
        self.result.tree.itemClicked.connect(self._clicked)

    def show_capture(self, capture: Capture | None) -> None:
        """Make the form of a capture; what was typed stays while the form is the same."""
        self._shown = capture
        rows = rows_of(capture) if capture is not None else ()
        if rows != self._rows or not rows:
            self._rows = rows
            self._fill_form()
        self.button.setEnabled(bool(capture is not None and capture.guards))

    def resizeEvent(self, event: QResizeEvent) -> None:
        """In a narrow dock a click still leads to the line, whose name would leave no room for the reason."""
        super().resizeEvent(event)
        self.result.tree.setColumnHidden(1, self.width() < _NARROW)

    def _choice(self, tip: str) -> QComboBox:
        combo = QComboBox(self)
        combo.addItems(list(_CHOICES))
        combo.setToolTip(tip)
        return combo

    def _fill_form(self) -> None:
        self.result.tree.clear()
        self.answer.setText("Change something and press Try: the guards are asked, the model is not run.")
        self.training.setCurrentIndex(0)
        self.gradients.setCurrentIndex(0)
        self.table.setRowCount(len(self._rows))
        for number, row in enumerate(self._rows):
            texts = (row.kind, row.name, row.shape, row.dtype, row.stride, "", row.value)
            for column, text in enumerate(texts):
                self.table.setItem(number, column, self._cell(row, column, text))

    def _cell(self, row: FormRow, column: int, text: str) -> QTableWidgetItem:
        cell = QTableWidgetItem(text)
        mine = (_SHAPE, _DTYPE, _STRIDE) if row.kind == TENSOR else (_VALUE,)
        flags = Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable
        if column in mine:
            flags |= Qt.ItemFlag.ItemIsEditable
        elif column == _GRAD and row.kind == TENSOR:
            flags |= Qt.ItemFlag.ItemIsUserCheckable
            cell.setCheckState(Qt.CheckState.Checked if row.requires_grad else Qt.CheckState.Unchecked)
        cell.setFlags(flags)
        if column in (_KIND, _NAME):
            cell.setForeground(
                QBrush(QColor(current.colors().dim_text if column == _KIND else current.colors().text))
            )
        if column == _STRIDE and row.kind == TENSOR:
            cell.setToolTip("Empty: as captured, or contiguous for another shape")
        return cell

    def _filled(self) -> tuple[FormRow, ...]:
        def text(row: int, column: int) -> str:
            cell = self.table.item(row, column)
            return cell.text() if cell is not None else ""

        def checked(row: int) -> bool:
            cell = self.table.item(row, _GRAD)
            return cell is not None and cell.checkState() == Qt.CheckState.Checked

        return tuple(
            FormRow(
                row.kind,
                row.name,
                text(number, _SHAPE),
                text(number, _DTYPE),
                text(number, _STRIDE),
                checked(number),
                text(number, _VALUE),
            )
            for number, row in enumerate(self._rows)
        )

    def try_form(self) -> None:
        """Ask the engine about what the form says."""
        try:
            self._tried = change_from(
                self._rows,
                self._filled(),
                _CHOICES[self.training.currentText()],
                _CHOICES[self.gradients.currentText()],
            )
        except FormError as error:
            self.answer.setText(str(error))
            return
        self.button.setEnabled(False)
        self.answer.setText("Asking the guards…")
        self._ask(self._tried, self._show_answer)

    def _show_answer(self, answer: GuardTestResult | Problem) -> None:
        self.button.setEnabled(True)
        self.result.tree.clear()
        if isinstance(answer, Problem):
            self.answer.setText(answer.message())
            return
        colors = current.colors()
        verdict = (
            f"{answer.hit} runs, nothing is compiled"
            if answer.hit
            else f"{answer.frame} would be compiled again"
        )
        self.answer.setText(f"With {in_words(self._tried)}: {verdict}.")
        for entry in answer.entries:
            text = (
                f"{entry.compile_id} fits" if entry.hit else f"{entry.compile_id} does not fit: {entry.first}"
            )
            row = QTreeWidgetItem(self.result.tree, [text])
            row.setForeground(0, QBrush(QColor(colors.good if entry.hit else colors.warning)))
            row.setToolTip(0, f"{entry.first}\nTorch stops at this guard." if entry.first else "")
            for failed in entry.failed:
                item = QTreeWidgetItem(row, [failed.reason, short(failed.line)])
                item.setToolTip(0, f"{failed.reason}\n{failed.kind} on {failed.source}\n{failed.code}")
                item.setForeground(1, QBrush(QColor(colors.accent)))
                item.setData(0, _LINE_ROLE, failed.line)
            row.setExpanded(True)
        self.result.apply_filter()

    def _clicked(self, item: QTreeWidgetItem) -> None:
        line = item.data(0, _LINE_ROLE)
        if line is not None:
            self.line_clicked.emit(line)
