"""Guards, recompiles, the tester and trials of dynamic shapes in tabs."""

from PySide6.QtCore import QSize
from PySide6.QtWidgets import QTabWidget, QWidget

from app.panes.guards_pane.dynamic_page import DynamicPage
from app.panes.guards_pane.recompile_page import RecompilePage
from app.panes.guards_pane.tester_page import TesterPage
from app.panes.guards_pane.tree_page import TreePage
from app.session.facade.chosen_line import select_line
from app.session.facade.session import Session
from app.theme import current
from app.translation.texts import tr
from app.widgets.empty_state import EmptyState
from app.widgets.layouts.boxes import as_widget, column_of, set_pages
from compiler.model.ir.graph import SourceLine
from compiler.model.ir.ids import Place

_Page = TreePage | RecompilePage | TesterPage | DynamicPage


class GuardsPane(QWidget):
    """A click on a guard selects the source line that made it. A tab is filled when it is first shown."""

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("guards_pane")
        self._session = session
        self.tree = TreePage(session.guards.measure, self)
        self.recompiles = RecompilePage(self)
        self.tester = TesterPage(session.guards.test, session.guards.describe, self)
        self.dynamic = DynamicPage(self)
        self.empty = EmptyState(tr("No guards"), "", self)
        self.tabs = QTabWidget(self)
        self.tabs.setDocumentMode(True)
        pages: tuple[_Page, ...] = (self.tree, self.recompiles, self.tester, self.dynamic)
        for tab, title in zip(
            pages, (tr("Guards"), tr("Recompiles"), tr("Tester"), tr("Dynamic shapes")), strict=True
        ):
            self.tabs.addTab(tab, title)
            tab.line_clicked.connect(self._go_to)
        self.dynamic.wanted.connect(session.trials.choose)
        self.recompiles.place_clicked.connect(self._show_place)
        self.recompiles.graphs_wanted.connect(session.comparison.show_compiles)
        page = as_widget(column_of(self.tabs, margins=0), self)
        self._page = page
        self._stack = set_pages(self, self.empty, page)
        self._stale: set[QWidget] = set()
        self.tabs.currentChanged.connect(self._freshen)
        session.capture_changed.connect(self.fill)
        session.stage_changed.connect(self._follow_stage)
        current.signals().changed.connect(self.fill)
        self.fill()

    def fill(self) -> None:
        """Show the guards of the session's capture."""
        capture = self._session.capture
        trees = capture.guards if capture is not None else ()
        records = capture.recompiles if capture is not None else ()
        self._stack.setCurrentWidget(self._page if trees or records else self.empty)
        if capture is None:
            self.empty.show_text(
                tr("No program captured yet"), tr("What compiled code asks of its inputs is shown here.")
            )
        else:
            self.empty.show_text(
                tr("No guards"),
                tr("Nothing was compiled, or the capture is older than this pane; capture again."),
            )
        count = sum(tree.count for tree in trees)
        self.tabs.setTabText(0, tr("Guards ({count})").format(count=count) if count else tr("Guards"))
        self.tabs.setTabText(
            1, tr("Recompiles ({count})").format(count=len(records)) if records else tr("Recompiles")
        )
        self._stale = {self.tree, self.recompiles, self.tester, self.dynamic}
        self._freshen()

    def sizeHint(self) -> QSize:
        return QSize(640, 320)

    def _freshen(self) -> None:
        page = self.tabs.currentWidget()
        if page not in self._stale:
            return
        self._stale.discard(page)
        if isinstance(page, _Page):
            page.show_capture(self._session.capture)
        self._follow_stage()

    def _follow_stage(self) -> None:
        """The guards of the graph in front."""
        stage = self._session.stage
        if stage is not None and stage.compile_id and self.tree not in self._stale:
            self.tree.show_compile(stage.compile_id)

    def _show_place(self, location: Place) -> None:
        """A node or a kernel: its stage comes to the front."""
        self._session.show_stage(location.stage)
        self._session.selection.select(location, self)

    def _go_to(self, line: SourceLine) -> None:
        select_line(self._session, line, self)
