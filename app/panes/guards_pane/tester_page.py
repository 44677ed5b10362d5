"""The tester: change inputs, flags and globals, and see which compiled code would run, without running the model."""

from collections.abc import Callable

from PySide6.QtCore import QSignalBlocker, Qt, Signal
from PySide6.QtGui import QBrush, QColor, QResizeEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QComboBox,
    QFrame,
    QHBoxLayout,
    QHeaderView,
    QLabel,
    QPushButton,
    QTableWidget,
    QTableWidgetItem,
    QVBoxLayout,
    QWidget,
)

from app.panes.guards_pane.form import TENSOR, FormError, FormRow, change_from, describe, rows_of
from app.session.captures.source_lines import short
from app.theme import current
from app.translation.texts import tr, tr_all, tr_noop
from app.widgets.labels.wrapped_label import WrappedLabel
from app.widgets.layouts.boxes import row_of, set_column, split_of
from app.widgets.tables.row_table import RowTable
from app.widgets.tables.rows import Cell, Column, Row, Width
from compiler.model.capture.capture import Capture
from compiler.model.capture.capture_spec import ArgumentSpec
from compiler.model.guard_testing.guard_tests import FrameInputs, GuardChange, GuardTestResult, TestedEntry
from compiler.model.ir.diagnostics import Problem

_NARROW = 900
_COLUMNS = (
    tr_noop("What"),
    tr_noop("Name"),
    tr_noop("Shape"),
    "dtype",
    tr_noop("Stride"),
    "requires_grad",
    tr_noop("Value"),
)
_KIND, _NAME, _SHAPE, _DTYPE, _STRIDE, _GRAD, _VALUE = range(7)
_ANSWER_COLUMNS = (Column(tr_noop("Compiled code"), width=Width.STRETCH), Column(tr_noop("Line")))
_CHOICES = ((tr_noop("as captured"), None), (tr_noop("on"), True), (tr_noop("off"), False))


class TesterPage(QWidget):
    """A form above, the answer of every cache entry below."""

    line_clicked = Signal(object)
    """A SourceLine."""

    def __init__(
        self,
        ask: Callable[[GuardChange, str, Callable[[GuardTestResult | Problem], None]], None],
        describe: Callable[[str, Callable[[FrameInputs | Problem], None]], None],
        parent: QWidget | None = None,
    ) -> None:
        """`ask` what the guards of a compile's frame say of a change; `describe` what that frame is called with."""
        super().__init__(parent)
        self._ask = ask
        self._describe = describe
        self._rows: tuple[FormRow, ...] = ()
        self._shown: Capture | None = None
        self._tried = GuardChange()
        self.picker = QComboBox(self)
        self.picker.setAccessibleName(tr("Frame"))
        self.picker.setToolTip(
            tr("The compiled frame to try, with the values that this compile is called with")
        )
        self.picker.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.picker.setMinimumContentsLength(16)
        self.table = QTableWidget(0, len(_COLUMNS), self)
        self.table.setAccessibleName(tr("Values to try"))
        self.table.setHorizontalHeaderLabels(tr_all(_COLUMNS))
        self.table.verticalHeader().hide()
        self.table.setFrameShape(QFrame.Shape.NoFrame)
        self.table.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.table.horizontalHeader().setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        self.table.horizontalHeader().setSectionResizeMode(_VALUE, QHeaderView.ResizeMode.Stretch)
        self.training = self._choice(tr("Whether the module is in training mode"))
        self.gradients = self._choice(tr("Whether gradients are recorded"))
        self.button = QPushButton(tr("Try"), self)
        self.button.setToolTip(tr("Ask the guards of every compile of this frame. The model is not run."))
        self.reset = QPushButton(tr("Reset"), self)
        self.answer = WrappedLabel("", self)
        self.result = RowTable(_ANSWER_COLUMNS, tr("Filter answers"), self)
        top = row_of((self.picker, 1), self.reset, self.button)
        modes = QHBoxLayout()
        for text, widget in ((tr("Training"), self.training), (tr("Gradients"), self.gradients)):
            modes.addWidget(QLabel(text, self))
            modes.addWidget(widget)
        modes.addStretch(1)
        left, right = QWidget(self), QWidget(self)
        form = QVBoxLayout(left)
        answers = QVBoxLayout(right)
        for column in (form, answers):
            column.setContentsMargins(0, 0, 0, 0)
            column.setSpacing(2)
        form.addLayout(top)
        form.addLayout(modes)
        form.addWidget(self.table, 1)
        answers.addWidget(self.answer)
        answers.addWidget(self.result, 1)
        split = split_of(left, right, parent=self, sizes=(480, 420))
        set_column(self, split, margins=(4, 4, 4, 0))
        self.picker.currentIndexChanged.connect(self._make_form)
        self.button.clicked.connect(self.try_form)
        self.reset.clicked.connect(lambda: self._fill_form())
        self.result.clicked.connect(self._clicked)

    def show_capture(self, capture: Capture | None) -> None:
        """Make the form of a capture, of the same compile as before; what was typed stays while the form is the same."""
        before = self.compile_id
        self._shown = capture
        trees = capture.guards if capture is not None else ()
        names = {frame.id: frame.name for frame in capture.frames} if capture is not None else {}
        with QSignalBlocker(self.picker):
            self.picker.clear()
            for tree in trees:
                self.picker.addItem(
                    f"{tree.compile_id} {names.get(tree.compile_id, '')}".strip(), tree.compile_id
                )
            self.picker.setCurrentIndex(max(self.picker.findData(before), 0 if trees else -1))
        self.button.setEnabled(bool(trees))
        self._make_form()

    @property
    def compile_id(self) -> str:
        """The compile whose frame is tried; empty while there is none."""
        return str(self.picker.currentData() or "")

    def _make_form(self) -> None:
        """The first frame's inputs came with the capture; what a frame further in is called with is asked for."""
        capture, wanted = self._shown, self.compile_id
        if capture is None or not wanted or wanted == capture.guards[0].compile_id:
            self._take(capture.arguments if capture is not None else (), "")
            return
        self._take(
            (), tr("Running the program once, to see what {wanted} is called with…").format(wanted=wanted)
        )
        self.button.setEnabled(False)

        def on_reported(answer: FrameInputs | Problem) -> None:
            if self.compile_id != wanted or self._shown is not capture:
                return
            if isinstance(answer, Problem):
                self.answer.setText(answer.message())
                return
            self.button.setEnabled(True)
            self._take(answer.arguments, answer.note)

        self._describe(wanted, on_reported)

    def _take(self, arguments: tuple[ArgumentSpec, ...], note: str) -> None:
        capture = self._shown
        trees = {tree.compile_id: tree for tree in capture.guards} if capture is not None else {}
        rows = rows_of(arguments, trees.get(self.compile_id))
        if rows != self._rows or not rows or note:
            self._rows = rows
            self._fill_form()
        if note:
            self.answer.setText(note)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """In a narrow dock a click still leads to the line, whose name would leave no room for the reason."""
        super().resizeEvent(event)
        self.result.leave_out((1,) if self.width() < _NARROW else ())

    def _choice(self, tip: str) -> QComboBox:
        combo = QComboBox(self)
        for words, choice in _CHOICES:
            combo.addItem(tr(words), choice)
        combo.setToolTip(tip)
        combo.setAccessibleName(tip)
        return combo

    def _fill_form(self) -> None:
        self.result.set_rows(())
        self.answer.setText(tr("Change something and press Try: the guards are asked, the model is not run."))
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
            cell.setToolTip(tr("Empty: as captured, or contiguous for another shape"))
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
                self.training.currentData(),
                self.gradients.currentData(),
            )
        except FormError as error:
            self.answer.setText(str(error))
            return
        self.button.setEnabled(False)
        self.answer.setText(tr("Asking the guards…"))
        self._ask(self._tried, self.compile_id, self._show_answer)

    def _show_answer(self, answer: GuardTestResult | Problem) -> None:
        self.button.setEnabled(True)
        self.result.set_rows(())
        if isinstance(answer, Problem):
            self.answer.setText(answer.message())
            return
        verdict = (
            tr("{hit} runs, nothing is compiled").format(hit=answer.hit)
            if answer.hit
            else tr("{frame} would be compiled again").format(frame=answer.frame)
        )
        self.answer.setText(
            tr("With {describe}: {verdict}. {note}")
            .format(describe=describe(self._tried), verdict=verdict, note=answer.note)
            .strip()
        )
        self.result.set_rows([_row(entry) for entry in answer.entries])

    def _clicked(self, row: Row) -> None:
        if row.value is not None:
            self.line_clicked.emit(row.value)


def _row(entry: TestedEntry) -> Row:
    text = (
        tr("{compile_id} fits").format(compile_id=entry.compile_id)
        if entry.hit
        else tr("{compile_id} does not fit: {first}").format(compile_id=entry.compile_id, first=entry.first)
    )
    tip = tr("{first}\nTorch stops at this guard.").format(first=entry.first) if entry.first else ""
    guards = []
    for failed in entry.failed:
        about = tr("{reason}\n{kind} on {source}\n{code}").format(
            reason=failed.reason, kind=failed.kind, source=failed.source, code=failed.code
        )
        cells = Cell(failed.reason, tooltip=about), Cell(short(failed.line), color="accent")
        guards.append(Row(failed.code, cells, value=failed.line))
    head = Cell(text, tooltip=tip, color="good" if entry.hit else "warning")
    return Row(entry.compile_id, (head,), tuple(guards), open=True)
