"""The states that edits led to, and the verdict of the active one or the comparison of two."""

from PySide6.QtCore import Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QLabel, QScrollArea, QSplitter, QStackedWidget, QWidget

from app.panes.history_pane.comparison_view import ComparisonView
from app.panes.history_pane.state_tree import StateTree
from app.panes.history_pane.verdict_table import VerdictTable
from app.session.facade.session import Session
from app.theme import current
from app.translation.texts import tr
from app.widgets.layouts.boxes import scroll_of, set_column
from app.widgets.layouts.kept_in_sight import KeptInSight
from compiler.analysis.edits.history_tree import StateId


class HistoryPane(QWidget):
    """A click on a state goes there, by undoing or redoing what lies between; what was compiled there is shown again."""

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("history_pane")
        self._session = session
        self.states = StateTree(session, self)
        self.verdict = VerdictTable(self)
        self.comparison = ComparisonView(session, self)
        self._in_sight = KeptInSight(self)
        self.right = QStackedWidget(self)
        self.right.addWidget(_titled(tr("Verdict of the capture shown"), _scrolling(self.verdict)))
        self.right.addWidget(_titled(tr("Two states compared"), self.comparison))
        self._split = QSplitter(Qt.Orientation.Horizontal, self)
        left = _titled(tr("Edits"), self.states)
        (self._title,) = left.findChildren(QLabel, options=Qt.FindChildOption.FindDirectChildrenOnly)
        self._split.addWidget(left)
        self._split.addWidget(self.right)
        self._split.setSizes([400, 500])
        set_column(self, self._split, margins=(4, 4, 4, 0))
        self.verdict.cause_wanted.connect(lambda: session.causes.want())
        self.states.compared.connect(self._compare)
        self.states.compared_no_more.connect(lambda: self.right.setCurrentIndex(0))
        session.edits_changed.connect(self.fill)
        session.capture_changed.connect(self.fill)
        session.verdict_changed.connect(self.fill)
        session.problems_changed.connect(self.states.fill)
        current.signals().changed.connect(self.fill)
        self.fill()

    def fill(self) -> None:
        """Show the session's states and verdict."""
        self.states.fill()
        self.right.setCurrentIndex(0)
        capture = self._session.capture
        nothing = tr("Edit a graph, loop IR or kernel and recompile: the results are judged here.")
        if self._session.early.shown is not None and capture is not None and capture.parent:
            nothing = tr("Judged when it was built and run.")
        elif capture is not None and capture.parent:
            nothing = tr("This recompile was not judged.")
        self._in_sight.on = self._session.verdict is not None
        self.verdict.show_verdict(self._session.verdict, nothing)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Side by side in a wide dock, one above the other in a narrow one."""
        super().resizeEvent(event)
        wide = self.width() > 600
        self._split.setOrientation(Qt.Orientation.Horizontal if wide else Qt.Orientation.Vertical)
        self._title.setVisible(wide)  # in a narrow one rows need its line, and the tab above says it

    def _compare(self, first: StateId, second: StateId) -> None:
        self.comparison.show_states(first, second)
        self.right.setCurrentIndex(1)


def _scrolling(inner: QWidget) -> QScrollArea:
    """Words keep their height in a low dock; one scrolls to what is below."""
    return scroll_of(inner, tr("Verdict of the capture shown"), sideways=False)


def _titled(title: str, widget: QWidget) -> QWidget:
    box = QWidget()
    label = QLabel(title, box)
    label.setMargin(4)
    font = label.font()
    font.setBold(True)
    label.setFont(font)
    set_column(box, label, (widget, 1), margins=0, spacing=2)
    return box
