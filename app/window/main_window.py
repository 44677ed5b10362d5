"""The window: menus and toolbar from the actions, the welcome page or the panes, and the status line."""

import functools
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QByteArray, QPoint, QSettings, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QCloseEvent, QShowEvent
from PySide6.QtWidgets import QApplication, QMainWindow, QMenu, QStackedWidget, QWidget

from app.actions.action_row import Context
from app.actions.action_set import ActionSet
from app.actions.edit_shell import EditShell
from app.actions.kernel_shell import KernelShell
from app.session.facade.displayed_stage import stage_in_view
from app.session.facade.session import Session
from app.session.files.graph_export import GraphExport
from app.session.files.page_sharing import PageSharing, shared_data
from app.theme.icons import app_icon
from app.translation.texts import tr
from app.widgets.layouts.boxes import as_widget, column_of
from app.window import questions
from app.window.command_palette import CommandPalette, ShortcutsDialog
from app.window.node_menu import node_menu
from app.window.notices.key_hints import KeyHints
from app.window.notices.result_row import ResultRow
from app.window.notices.toasts import Toasts
from app.window.pane_menu import PaneMenu, add_button
from app.window.pane_table import CENTRE, PANES
from app.window.presentation import Presentation
from app.window.start import recent_files
from app.window.start.batch_dialog import offer_batch
from app.window.start.file_drops import FileDrops
from app.window.start.welcome_page import WelcomePage
from app.window.status_line import StatusLine
from app.window.theme_choice import ThemeChoice
from app.window.trust_bar import may_run
from app.window.workspaces.dock_area import DockArea
from app.window.workspaces.pane_wishes import follow_wishes
from app.window.workspaces.workspace_switch import add_switch
from app.window.workspaces.workspaces import Workspaces
from compiler.analysis.text_format.visible_text import visible_line
from compiler.analysis.tours.tour import Tour
from compiler.analysis.tours.tour_file import find_tour
from compiler.model.capture.capture_spec import CaptureSpec, TargetSpec
from compiler.model.capture.config_inputs import CONFIG
from compiler.model.capture.front_ends import SAVED
from compiler.model.ir.diagnostics import Problem, Severity
from compiler.model.ir.ids import Place
from compiler.remote.machine import chosen

if TYPE_CHECKING:
    from app.window.start.labs_page import LabsPage
    from app.window.tours.tour_guide import TourGuide

FIRST_SIZE = QSize(1400, 900)
_FRAME = QSize(8, 40)
"""Room for the title bar and borders that the desktop puts around the window."""


class MainWindow(QMainWindow):
    """Puts everything together and is the `Shell` that actions work with. Knows no pane by name."""

    first_painted = Signal()
    """The window is on the screen; what is slow may start."""

    def __init__(self, session: Session, looks: ThemeChoice, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("main_window")
        self.setWindowTitle("Torch Loupe")
        self.setWindowIcon(app_icon())
        self.resize(FIRST_SIZE.boundedTo(self.screen().availableSize() - _FRAME))
        self.setMinimumSize(800, 520)
        self._session = session
        self._graphs = GraphExport(session.report, self)
        self._pages = PageSharing(session.report, self)
        self._looks = looks
        self._shown = False
        self._closing = False
        session.trust.confirm = lambda parts: may_run(parts, self)
        self.workspaces = Workspaces(session, self)
        self.presentation = Presentation(self.workspaces, looks, self)
        self.actions_by_id = ActionSet(Context(session, self), self)
        self.actions_by_id.fill_menus(self.menuBar())
        self._panes_menu = PaneMenu(self)
        self._add_panes_menu()
        bar = self.addToolBar(tr("Toolbar"))
        bar.setObjectName("toolbar")
        bar.setMovable(False)
        bar.setIconSize(QSize(18, 18))
        self.actions_by_id.fill_toolbar(bar)
        add_switch(bar, self.workspaces, self.show_workspace)
        add_button(bar, self._panes_menu)
        self.status = StatusLine(session, self)
        self.setStatusBar(self.status)
        self.welcome = WelcomePage(session, self)
        self.dock_area: DockArea | None = None
        self.pages = QStackedWidget(self)
        self.pages.addWidget(self.welcome)
        self.row = ResultRow(session, self)
        self.setCentralWidget(as_widget(column_of(self.row, (self.pages, 1), margins=0, spacing=0), self))
        self.toasts = Toasts(self)
        FileDrops(self, self.open_path)
        self._connect()
        self._after_paint = QTimer(self, interval=0, singleShot=True)
        self._after_paint.timeout.connect(self._on_painted)

    def _connect(self) -> None:
        self._session.capture_changed.connect(self._on_capture)
        self._session.file_changed.connect(self._on_file)
        self._session.edits_changed.connect(self._show_title)
        self._session.problem_reported.connect(self._on_problem)
        self._session.problems_changed.connect(lambda: self.toasts.keep(self._session.problems))
        follow_wishes(self._session, self.show_panes)
        self._session.trials.kept.connect(self._capture_kept)
        for other in (self._session.front_ends, self._session.ranks.stages):
            other.wanted.connect(functools.partial(self._replace, other.show))
        self._session.run.began.connect(self._show_run)
        self._session.causes.wanted.connect(self._bring_area)
        self.row.result.pane_wanted.connect(self._bring)
        self.row.changes.details_wanted.connect(lambda: self.show_panes().show_pane("changes"))
        for problems_wanted in (
            self.row.changes.problems_wanted,
            self.toasts.list_wanted,
            self.status.problems_wanted,
            self.welcome.problems_wanted,
        ):
            problems_wanted.connect(lambda: self._bring_area().show_pane("problems"))
        self.row.work_shown.connect(self.status.yield_work)
        self.welcome.example_chosen.connect(self.open_recent)
        self.welcome.recent_chosen.connect(self.open_recent)
        self.welcome.model_wanted.connect(lambda: self.open_model())
        self.welcome.session_wanted.connect(self.open_session)
        self.welcome.tour_chosen.connect(lambda name: self.start_tour(find_tour(name)))
        self.welcome.tours_wanted.connect(self.choose_tour)
        self.welcome.back_wanted.connect(self._bring_area)
        self.welcome.labs_wanted.connect(self.show_labs)

    # -- the shell of the actions --------------------------------------------------------------------------------

    @property
    def widget(self) -> QWidget:
        """The parent of dialogs."""
        return self

    @property
    def look(self) -> str:
        """The look chosen."""
        return self._looks.chosen

    def set_look(self, name: str) -> None:
        """Light, dark, or as the system."""
        self._looks.choose(name)

    def open_model(self, file: Path | None = None) -> None:
        """Ask for a program, of this file to begin with, and capture it."""
        if self._may_lose_edits():
            from app.window.open_form.open_model_dialog import OpenModelDialog

            dialog = OpenModelDialog(self._session, self._session.open_program, self)
            if file is not None:
                dialog.target.set_target(str(file), "")
            dialog.open()

    def open_session(self) -> None:
        """Ask for a session file and open it."""
        if (path := questions.file_to_open(self)) is not None:
            self.open_path(path)

    def open_path(self, path: Path, once: bool = False) -> None:
        """Open a session file (`once`: and remove it), run what torch.export saved, or ask what of other files and batches."""
        if offer_batch(path, self.open_path, self):
            return
        if path.suffix in (".py", CONFIG):
            self.open_model(path)
        elif not self._may_lose_edits():
            return
        elif path.suffix == SAVED:
            if questions.may_load_saved(path, self):
                self._session.open_program(CaptureSpec(TargetSpec(path.name, str(path.parent))))
        else:
            self._session.open_file(path, once)

    def open_recent(self, name: str) -> None:
        """Open a session file, or capture a program as it was captured last."""
        if recent_files.is_file_to_open(name):
            self.open_path(Path(name))
        elif self._may_lose_edits():
            self._session.open_program(recent_files.spec_of_recent(name))

    def capture_again(self) -> None:
        """Capture the program that is open again, after asking about unsaved edits."""
        if self._may_lose_edits():
            self._session.capture_again()

    def save(self, ask: bool) -> None:
        """Save the session."""
        path = self._session.file_path
        if path is None or ask:
            path = questions.file_to_save(self, str(path or "session.loupe"))
        if path is not None:
            self._session.save_file(path)

    def choose_own_files(self) -> None:
        """Ask which packages and folders are the person's own, and capture so."""
        from app.window.own_files_dialog import OwnFilesDialog

        session = self._session
        if session.capture is not None:
            OwnFilesDialog(
                session.capture, lambda spec: session.capture_target(spec, again=True), self
            ).open()

    def choose_machine(self) -> None:
        """Ask where programs run; the engine is started there."""
        from app.window.machine_dialog import MachineDialog

        MachineDialog(self._session.engine.restart, self).open()

    @functools.cached_property
    def editing(self) -> EditShell:
        """The dialogs that edit graphs; like all dialogs they are loaded when they are wanted, so that the window is there
        sooner.
        """
        from app.window.edit_forms.edit_dialogs import EditDialogs

        return EditDialogs(self._session, self)

    @functools.cached_property
    def kernels(self) -> KernelShell:
        """The dialogs about kernels."""
        from app.window.kernel_forms.kernel_dialogs import KernelDialogs

        return KernelDialogs(self._session, self, self.actions_by_id.run, self._bring)

    def toggle_full_screen(self) -> None:
        """The whole screen, or a window again."""
        self.setWindowState(self.windowState() ^ Qt.WindowState.WindowFullScreen)

    def toggle_pane_alone(self) -> None:
        """All the room for the pane that has the focus, or everything where it was."""
        area, inside = self.show_panes(), QApplication.focusWidget()
        held = (name for name, dock in area.docks.items() if inside is not None and dock.isAncestorOf(inside))
        area.toggle_alone(next(held, CENTRE))

    def walk_panes(self, direction: int) -> None:
        """The keyboard to the next (1) or previous (-1) pane that is seen."""
        self.show_panes().walk(direction)

    def set_text_size(self, towards: int) -> None:
        """Larger (1), smaller (-1) or the usual (0) text."""
        self.workspaces.set_text_size(towards)

    @property
    def presenting(self) -> bool:
        """Whether the window is dressed for a room."""
        return self.presentation.on

    def toggle_presentation(self) -> None:
        """Dress this workspace for a room, or as usual again."""
        self.presentation.toggle()

    def reset_arrangement(self) -> None:
        """Put the panes where they are at first."""
        self.workspaces.reset(self.workspaces.current)

    @property
    def workspace(self) -> str:
        """The workspace in front."""
        return self.workspaces.current

    def show_workspace(self, name: str) -> None:
        """Bring a workspace to the front."""
        self._bring_area()
        self.workspaces.choose(name)

    def show_palette(self) -> None:
        """Show every action, to be searched."""
        self.show_panes()
        titles = {row.id: tr(row.title) for row in PANES if row.id != CENTRE}
        palette = CommandPalette(self.actions_by_id, titles, self._bring, self)
        palette.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        palette.move(self.mapToGlobal(self.rect().center()) - palette.rect().center())
        palette.show()

    def show_shortcuts(self) -> None:
        """Show every shortcut."""
        (dialog := ShortcutsDialog(self)).setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.open()

    def recover_edits(self) -> None:
        """Make the edits of a crashed session again."""
        for journal in self._session.recovery.recoverable()[:1]:
            self._session.recovery.recover(Path(journal.path))

    def export_edits(self) -> None:
        """Ask where to, and write the edits as code."""
        if (path := questions.file_to_export(self)) is not None:
            self._session.exporting.write(path)

    def export_graph(self) -> None:
        """Ask where to, and write the graph in front for other tools."""
        stage = self._session.stage
        if stage is None or not self._graphs.can_write(stage):
            return
        path = questions.file_for_graph(self, f"{stage.id.replace('/', '_').replace(':', '_')}.graphml")
        if path is not None:
            self._graphs.write(stage_in_view(self._session, stage.id), path)

    def share_page(self) -> None:
        """Ask what of the capture shown may be seen and where to, and write it as one HTML file."""
        session = self._session
        capture = session.capture
        hide_code = questions.what_to_share(self) if capture is not None else None
        path = questions.file_for_page(self) if hide_code is not None else None
        if capture is not None and hide_code is not None and path is not None:
            data = shared_data(capture, session.verdict, session.timings.report())
            self._pages.write(data, path, hide_code)

    def show_start(self) -> None:
        """The start page; what is open stays open."""
        self.welcome.refresh()
        self.pages.setCurrentWidget(self.welcome)

    def show_labs(self) -> None:
        """The page of labs."""
        self.pages.setCurrentWidget(self.labs)

    @functools.cached_property
    def labs(self) -> "LabsPage":
        """Made when it is first wanted."""
        from app.window.start.labs_page import LabsPage

        page = LabsPage(self)
        page.chosen.connect(lambda name: self._bring_area().show_large(name))
        page.back_wanted.connect(lambda: self._bring_area() if self._session.capture else self.show_start())
        self.pages.addWidget(page)
        return page

    @functools.cached_property
    def tours(self) -> "TourGuide":
        """Who leads through tours."""
        from app.window.tours.tour_guide import TourGuide

        return TourGuide(self._session, self, self)

    def choose_tour(self) -> None:
        """Offer all tours."""
        from app.window.tours.tour_dialog import TourDialog

        TourDialog(self.start_tour, self).open()

    def start_tour(self, tour: Tour) -> None:
        """Capture a tour's program and begin; asks first where that is not one of ours, or edits would be lost."""
        if self._may_lose_edits() and (tour.shipped or questions.may_start_tour(tour, self)):
            self.tours.start(tour, self._session.open_program)

    def run_action(self, name: str) -> None:
        """What a click on a menu entry does."""
        self.actions_by_id.run(name)

    def choose_editor(self) -> None:
        """Let the person set the command that lines are opened with."""
        from app.window.editor_dialog import EditorDialog

        dialog = EditorDialog(self._session.editor, self)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.open()

    def close_window(self) -> None:
        """Close the window, after asking about unsaved edits."""
        self.close()

    # -- following -----------------------------------------------------------------------------------------------

    def show_panes(self) -> DockArea:
        """Make the panes, if they are not there yet, and bring them to the front."""
        if self.dock_area is None:
            self.dock_area = DockArea(self._session, self)
            self.pages.addWidget(self.dock_area)
            self._panes_menu.fill(self.dock_area)
            self.dock_area.resize(self.pages.size())
            self.workspaces.fill(self.dock_area)
            KeyHints(self.actions_by_id, self.dock_area.panes["graph"], self.status)
            wish = getattr(self.dock_area.panes["graph"], "context_menu_requested", None)
            if wish is not None:
                wish.connect(self._show_node_menu)
            inspector = self.dock_area.docks["inspector"].findChild(QWidget, "inspector_pane")
            asked = getattr(inspector, "action_requested", None)
            if asked is not None:
                asked.connect(self.actions_by_id.run)
        return self.dock_area

    def _bring(self, pane_id: str) -> None:
        self._bring_area().focus_pane(pane_id)

    def _show_node_menu(self, location: Place, where: QPoint) -> None:
        """The canvas asks for a menu: select what it is about and offer what can be done with it, nothing else."""
        if location and not set(location.nodes) <= set(self._session.selection.pinned.nodes):
            self._session.selection.select(location)
        self.actions_by_id.update()
        node_menu(self.actions_by_id, self).popup(where)

    def _capture_kept(self, spec: CaptureSpec) -> None:
        self._session.capture_target(spec, again=True)

    def _replace(self, show: Callable[[Any], None], wanted: object) -> None:
        if self._may_lose_edits():
            show(wanted)

    def _may_lose_edits(self) -> bool:
        """Whether what is open may be replaced; asks where edits would be lost."""
        if not self._session.unsaved:
            return True
        answer = questions.before_losing_edits(self)
        if answer == "save":
            self.save(ask=False)
            self._session.wait_for_files()
        return answer == "discard" or (answer == "save" and not self._session.unsaved)

    def _on_capture(self) -> None:
        if self._session.capture is None:  # the first one was given up while it was built
            self.pages.setCurrentWidget(self.welcome)
            return
        program = self._session.captures[0].spec.target if self._session.captures else None
        made_here = self._session.early.shown is None and self._session.file_path is None
        if made_here and chosen() is None and program is not None and not program.recorded:
            recent_files.remember_program(self._session.captures[0])
        self._bring_area()
        self.workspaces.suit()
        self._show_title()

    def _bring_area(self) -> DockArea:
        """The panes instead of the welcome page."""
        area = self.show_panes()
        self.pages.setCurrentWidget(area)
        return area

    def _show_run(self) -> None:
        """A program that runs beside the window: what it does comes first, before anything is compiled."""
        area = self._bring_area()
        self.workspaces.show_run()
        area.show_pane("run")

    def _on_problem(self, problem: Problem) -> None:
        if self._session.capture is not None or problem.severity is Severity.NOTE:  # else the page tells it
            self.toasts.show(problem)

    def _on_file(self) -> None:
        if self._session.file_path is not None:
            recent_files.remember(str(self._session.file_path.resolve()))
        self.welcome.refresh()
        self._show_title()

    def _show_title(self) -> None:
        path, capture = self._session.file_path, self._session.capture
        name = path.name if path is not None else capture.spec.target.name if capture is not None else ""
        machine = chosen()
        where = tr(" on {name}").format(name=visible_line(machine.name)) if machine is not None else ""
        self.setWindowTitle(
            f"{visible_line(name)}[*]{where} – Torch Loupe" if name else f"Torch Loupe{where}"
        )
        if name:
            self.setWindowModified(self._session.unsaved)

    def _add_panes_menu(self) -> None:
        for action in self.menuBar().actions():
            menu = action.menu()
            if isinstance(menu, QMenu) and menu.objectName() == "menu_view":
                menu.addMenu(self._panes_menu)

    def _on_painted(self) -> None:
        self.first_painted.emit()
        self.show_panes()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        if not self._shown:
            self._shown = True
            self._after_paint.start()

    def closeEvent(self, event: QCloseEvent) -> None:
        if not self._closing and not self._may_lose_edits():
            event.ignore()
            return
        self._closing = True
        self.status.stop()
        self.row.work.stop()
        self.workspaces.save()
        QSettings().setValue("geometry", self.saveGeometry())
        self._session.close()
        super().closeEvent(event)

    def restore_geometry(self) -> None:
        """Open where the window was closed."""
        saved = QSettings().value("geometry")
        if isinstance(saved, QByteArray):
            self.restoreGeometry(saved)
