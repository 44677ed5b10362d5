"""The dispatcher: how a call finds its kernel."""

from PySide6.QtCore import QSize
from PySide6.QtWidgets import QTabWidget, QWidget

from app.panes.dispatcher_pane.key_page import KeyPage
from app.panes.dispatcher_pane.lesson_page import LessonPage
from app.panes.dispatcher_pane.operator_page import OperatorPage
from app.panes.dispatcher_pane.trace_page import TracePage
from app.session.facade.chosen_line import select_line
from app.session.facade.selected_operator import selected_operator
from app.session.facade.session import Session
from app.session.selection.selected_line import selected_line
from app.translation.texts import tr
from app.widgets.layouts.boxes import set_column
from compiler.model.ir.graph import SourceLine


class DispatcherPane(QWidget):
    """A node that is selected in a graph shows its operator here; a call that is selected here lights the user's line."""

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("dispatcher_pane")
        self._session = session
        self.operators = OperatorPage(session.operators, self)
        self.trace = TracePage(session, self)
        self.keys = KeyPage(session.operators, self)
        self.lessons = LessonPage(session.operators, self)
        self.tabs = QTabWidget(self)
        self.tabs.setDocumentMode(True)
        self.tabs.addTab(self.operators, tr("Operators"))
        self.tabs.addTab(self.trace, tr("Trace"))
        self.tabs.addTab(self.keys, tr("Keys of tensors"))
        self.tabs.addTab(self.lessons, tr("Lessons"))
        set_column(self, self.tabs, margins=0)
        self.trace.operator_wanted.connect(self._show_operator)
        self.trace.tree.line_picked.connect(self._select_line)
        session.selection.changed.connect(self._follow_selection)
        self._follow_selection(None)

    def sizeHint(self) -> QSize:
        return QSize(720, 340)

    def _show_operator(self, name: str) -> None:
        self.operators.show_operator(name)
        self.tabs.setCurrentWidget(self.operators)

    def _select_line(self, line: SourceLine) -> None:
        select_line(self._session, line, self)

    def _follow_selection(self, sender: object) -> None:
        """The operator of the node that was selected, and the calls of its line."""
        capture, pinned = self._session.capture, self._session.selection.pinned
        if sender is self or capture is None or not pinned:
            return
        name = selected_operator(self._session)
        if name:
            self.operators.show_operator(name)
        line = selected_line(capture, pinned, self._session.provenance)
        if line is not None:
            self.trace.tree.mark(line)
