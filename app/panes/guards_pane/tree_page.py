"""The guards of one compile: search, the lines that made them, and what they cost."""

from collections.abc import Callable

from PySide6.QtCore import QModelIndex, QTimer, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import (
    QComboBox,
    QFrame,
    QHeaderView,
    QLabel,
    QLineEdit,
    QPushButton,
    QTreeView,
    QWidget,
)

from app.panes.guards_pane.guard_model import CODE, COST, LINE, TYPE, WHAT, GuardModel
from app.translation.texts import tr
from app.widgets.bar_delegate import BarDelegate
from app.widgets.labels.elided_label import ElidedLabel
from app.widgets.layouts.boxes import row_of, set_column
from compiler.model.capture.capture import Capture
from compiler.model.capture.guards import GuardTree, MeasuredGuards
from compiler.model.ir.diagnostics import Problem

_ALL_OPEN = 400
"""Guards up to which a tree is shown with everything open."""
_TYPING_MS = 120
_WIDE = 900


class TreePage(QWidget):
    """One tree; a click on a row reports the line that made the guard."""

    line_clicked = Signal(object)
    """A SourceLine."""

    def __init__(
        self,
        measure: Callable[[str, Callable[[MeasuredGuards | Problem], None]], None],
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._measure = measure
        self._trees: tuple[GuardTree, ...] = ()
        self.picker = QComboBox(self)
        self.picker.setAccessibleName(tr("Compile"))
        self.picker.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.picker.setMinimumContentsLength(18)
        self.field = QLineEdit(self)
        self.field.setPlaceholderText(tr("Filter by value, code, kind, type or line"))
        self.field.setClearButtonEnabled(True)
        self.count = QLabel(self)
        self.button = QPushButton(tr("Measure"), self)
        self.button.setToolTip(
            tr("Time each guard with the values it meets. The program is run once if need be.")
        )
        self.note = ElidedLabel("", self)
        self.model = GuardModel(self)
        self.view = QTreeView(self)
        self.view.setAccessibleName(tr("Guards"))
        self.view.setModel(self.model)
        self.view.setUniformRowHeights(True)
        self.view.setFrameShape(QFrame.Shape.NoFrame)
        self.view.setItemDelegate(BarDelegate(self.view))
        self._size_columns()
        top = row_of(self.picker, (self.field, 1), self.count, self.button)
        set_column(self, top, self.note, (self.view, 1), margins=(4, 4, 4, 0), spacing=2)
        self.note.hide()
        self._typed = QTimer(self, interval=_TYPING_MS, singleShot=True)
        self._typed.timeout.connect(self.apply_filter)
        self.field.textChanged.connect(lambda _text: self._typed.start())
        self.picker.currentIndexChanged.connect(self._show_picked)
        self.button.clicked.connect(self._ask)
        self.view.clicked.connect(self._clicked)
        self.view.activated.connect(self._clicked)

    def show_capture(self, capture: Capture | None) -> None:
        """Show the guards of a capture, of the same compile as before where there is one."""
        before = self.picker.currentText()
        self._trees = capture.guards if capture is not None else ()
        names = {frame.id: frame.name for frame in capture.frames} if capture is not None else {}
        self.picker.blockSignals(True)
        self.picker.clear()
        self.picker.addItems(
            [f"{tree.compile_id} {names.get(tree.compile_id, '')}".strip() for tree in self._trees]
        )
        self.picker.setCurrentIndex(max(self.picker.findText(before), 0 if self._trees else -1))
        self.picker.blockSignals(False)
        self._show_picked()

    def show_compile(self, compile_id: str) -> None:
        """Show the guards of one compile."""
        for index, tree in enumerate(self._trees):
            if tree.compile_id == compile_id:
                self.picker.setCurrentIndex(index)

    @property
    def picked(self) -> GuardTree | None:
        """The tree shown."""
        index = self.picker.currentIndex()
        return self._trees[index] if 0 <= index < len(self._trees) else None

    def _size_columns(self) -> None:
        header = self.view.header()
        header.setStretchLastSection(False)
        header.setSectionResizeMode(QHeaderView.ResizeMode.Interactive)
        header.setSectionResizeMode(CODE, QHeaderView.ResizeMode.Stretch)
        for column, width in ((WHAT, 300), (TYPE, 90), (LINE, 170), (COST, 80)):
            header.resizeSection(column, width)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """In a narrow dock the code gets the room of what matters less."""
        super().resizeEvent(event)
        wide = self.width() > _WIDE
        self.view.setColumnHidden(TYPE, not wide)
        self.view.header().resizeSection(WHAT, 300 if wide else 210)
        self.view.header().resizeSection(LINE, 170 if wide else 140)

    def _show_picked(self) -> None:
        self.note.hide()
        self.view.setColumnHidden(COST, True)
        self.model.show_tree(self.picked)
        self.button.setEnabled(self.picked is not None)
        self._after_change()

    def apply_filter(self) -> None:
        """Show only what holds the text in the field."""
        self.model.set_filter(self.field.text())
        self._after_change()

    def _after_change(self) -> None:
        whole = self.model.tree.count
        self.count.setText(
            tr("{whole} guards").format(whole=whole)
            if self.model.shown == whole
            else tr("{shown} of {whole} guards").format(shown=self.model.shown, whole=whole)
        )
        if self.model.shown <= _ALL_OPEN:
            self.view.expandAll()
        else:
            self.view.expandToDepth(0)

    def _ask(self) -> None:
        tree = self.picked
        if tree is None:
            return
        self.button.setEnabled(False)
        self._show_note(tr("Measuring…"))

        def show(answer: MeasuredGuards | Problem) -> None:
            self.button.setEnabled(True)
            if isinstance(answer, Problem):
                self._show_note(answer.message())
            elif self.picked is not None and self.picked.compile_id == answer.compile_id:
                self.model.set_costs(answer.leaves)
                self.view.setColumnHidden(COST, False)
                self.view.viewport().update()
                self._show_note(
                    tr(
                        "One check of all: {value:,.2f} µs, {value2:,.1f} µs with cold caches. {most} {note}"
                    ).format(
                        value=answer.total / 1e3,
                        value2=answer.cold / 1e3,
                        most=self._most(),
                        note=answer.note,
                    )
                )

        self._measure(tree.compile_id, show)

    def _most(self) -> str:
        parts = [
            tr("{kind} of {source} {cost:,.0f} ns").format(kind=kind.kind, source=source, cost=cost)
            for source, kind, cost in self.model.costliest(3)
        ]
        return tr("Most: {names}.").format(names=", ".join(parts)) if parts else ""

    def _show_note(self, text: str) -> None:
        self.note.setText(text)
        self.note.setToolTip(text)
        self.note.show()

    def _clicked(self, index: QModelIndex) -> None:
        line = self.model.line_at(index)
        if line is not None:
            self.line_clicked.emit(line)
