"""One program under every front end: captured or not, at what cost, and still the same program or not."""

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import (
    QCheckBox,
    QLabel,
    QLineEdit,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from app.panes.front_ends_pane.cell_details import cell_details, format_opening, hint
from app.panes.front_ends_pane.matrix_table import MatrixTable
from app.session.facade.session import Session
from app.theme import current
from app.translation.texts import tr
from app.widgets.buttons.allowed import allow
from app.widgets.labels.link_label import LinkLabel
from app.widgets.layouts.boxes import scroll_of, set_column, split_of
from app.widgets.layouts.flow_layout import FlowLayout
from compiler.model.capture.front_ends import COMPARED, find_front_end
from compiler.model.front_end_comparison.front_end_matrix import Outcome, alternate_from_text
from compiler.model.ir.ids import line_id, place
from compiler.model.ir.stage import SourceStage

_NARROW = 1100
_FIELD_WIDTH = 160


class FrontEndsPane(QWidget):
    """Follows `session.front_ends`."""

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("front_ends_pane")
        self._session = session
        self._matrix = session.front_ends
        self.compare = QPushButton(tr("Compare front ends"), self)
        self.compare.setToolTip(
            tr(
                "Capture the program in every way torch has, each in a process of its own, and look for inputs on which "
                "a capture no longer does what the program does."
            )
        )
        self.cancel = QPushButton(tr("Cancel"), self)
        self.skip = QPushButton(tr("Skip this one"), self)
        self.skip.setToolTip(tr("Stop the front end that is being judged and go on with the next."))
        self.search = QCheckBox(tr("look for inputs that differ"), self)
        self.search.setChecked(True)
        self.search.setToolTip(
            tr("Try other values, sizes, scalars, lengths and keywords, and the other of train and eval.")
        )
        self.alternates = QLineEdit(self)
        self.alternates.setAccessibleName(tr("Other inputs"))
        self.alternates.setPlaceholderText(
            tr("other inputs: x=torch.randn(7, 3); eval: torch.ones(3), scale=2.0")
        )
        self.alternates.setToolTip(
            tr(
                "Calls to compare with eager, with ; between them. Arguments that are named take the place of the example's. "
                "eval: or train: before a call switches the mode."
            )
        )
        self.state = QLabel("", self)
        self.state.setContentsMargins(6, 0, 6, 2)
        self.table = MatrixTable(self)
        self.details = LinkLabel(self, margin=6)
        self.open = QPushButton(tr("Open this capture"), self)
        bar = FlowLayout()
        bar.setContentsMargins(6, 4, 6, 2)
        self.alternates.setMinimumWidth(_FIELD_WIDTH)
        for widget in (self.compare, self.cancel, self.skip, self.search, self.alternates, self.open):
            bar.addWidget(widget)
        self._split = split_of(self.table, self._side(), parent=self)
        self._split.setStretchFactor(0, 5)
        self._split.setStretchFactor(1, 2)
        self._split.setSizes([900, 500])
        set_column(self, bar, self.state, (self._split, 1), margins=0, spacing=0)
        self.compare.clicked.connect(self._start)
        self.alternates.returnPressed.connect(self._start)
        self.cancel.clicked.connect(self._matrix.cancel)
        self.skip.clicked.connect(self._matrix.skip)
        self.table.chosen.connect(lambda _name: self._show_cell())
        self.table.opened.connect(self._matrix.open)
        self.open.clicked.connect(lambda: self._matrix.open(self.table.front_end()))
        self.details.link_clicked.connect(lambda _link: self._go_to_line())
        self._matrix.changed.connect(self.fill)
        session.capture_changed.connect(self.fill)
        current.signals().changed.connect(self.fill)
        self.fill()

    def _side(self) -> QWidget:
        side = QWidget(self)
        column = QVBoxLayout(side)
        column.setContentsMargins(0, 0, 0, 0)
        scrolled = scroll_of(self.details, tr("What this front end did"), side)
        column.addWidget(scrolled, 1)
        return side

    def fill(self) -> None:
        """Show the cells that there are."""
        matrix = self._matrix
        cells = matrix.cells if matrix.is_of_what_is_open else {}
        self.table.show_cells(cells, matrix.running, matrix.waiting)
        allow(self.compare, self._why_not(), not matrix.busy)
        self.cancel.setVisible(matrix.busy)
        self.skip.setVisible(matrix.busy)
        self.state.setText(self._format_state())
        self.state.setVisible(bool(self.state.text()))
        self._show_cell()

    def _why_not(self) -> str:
        """Each front end captures afresh, which what is only compiled can too."""
        capture = self._session.capture
        return "" if capture is not None and capture.spec.is_only_compiled else self._session.why_not_run

    def sizeHint(self) -> QSize:
        return QSize(900, 320)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        narrow = self.width() < _NARROW
        self._split.setOrientation(Qt.Orientation.Vertical if narrow else Qt.Orientation.Horizontal)

    def _format_state(self) -> str:
        matrix = self._matrix
        if matrix.busy:
            title = find_front_end(matrix.running).title
            doing = matrix.doing.removesuffix(f" with {title}") or tr("Starting an engine for trials")
            done = len(COMPARED) - len(matrix.waiting)
            return tr("{done} of {count}, {title}: {value}{doing}").format(
                done=done, count=len(COMPARED), title=title, value=doing[0].lower(), doing=doing[1:]
            )
        if not matrix.cells or not matrix.is_of_what_is_open:
            return "" if self._session.capture is not None else tr("Open a model first.")
        died = sum(bool(cell.with_outcome(Outcome.DIED)) for cell in matrix.cells.values())
        wrong = sum(cell.silently_wrong for cell in matrix.cells.values())
        captured = sum(cell.captured for cell in matrix.cells.values())
        asked = sum(not cell.skipped for cell in matrix.cells.values())
        reported = tr("{captured} of {asked} capture it, {wrong} silently wrong on some input").format(
            captured=captured, asked=asked, wrong=wrong
        )
        return (
            tr("{reported}, {died} died or did not end over one").format(reported=reported, died=died)
            if died
            else reported
        )

    def _start(self) -> None:
        texts = filter(None, (text.strip() for text in self.alternates.text().split(";")))
        problem = self._matrix.start(tuple(map(alternate_from_text, texts)), self.search.isChecked())
        if problem is not None:
            self._session.report(problem)

    def _show_cell(self) -> None:
        name = self.table.front_end()
        cells = self._matrix.cells if self._matrix.is_of_what_is_open else {}
        cell = cells.get(name)
        shown = bool(name) and name == self._matrix.shown
        broken = cell is not None and not cell.captured
        self.open.setEnabled(bool(name) and self._matrix.is_of_what_is_open and not shown and not broken)
        self.open.setToolTip(format_opening(cell, shown))
        if not name:
            self.details.set_content(hint(bool(cells)))
            return
        self.details.set_content(cell_details(find_front_end(name), cell))

    def _go_to_line(self) -> None:
        cell = self._matrix.cells.get(self.table.front_end())
        problem = cell.problem if cell is not None else None
        capture = self._session.capture
        if problem is None or capture is None:
            return
        for stage in capture.stages:
            if isinstance(stage.content, SourceStage) and stage.content.file.path == problem.path:
                self._session.selection.select(place(stage.id, line_id(problem.line or 1)), self)
                return
        self._session.editor.open(problem.path, problem.line or 1)
