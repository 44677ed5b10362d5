"""Switches between workspaces. Each keeps the arrangement it was left with, also when the window is closed."""

from PySide6.QtCore import QByteArray, QObject, QSettings, Signal
from PySide6.QtWidgets import QApplication

from app.actions.workspace_table import WORKSPACES, workspace_of
from app.canvas.zooming_view import ZoomingView
from app.session.facade.session import Session
from app.theme import text_size
from app.window.workspaces.dock_area import DIRECTIONS, DockArea

_FIRST = WORKSPACES[0].id
_SHARED = "shared"
"""Widths or heights that nobody changed: they are shared out again in a window of another size."""
FOR_A_ROOM = 1.5
"""Times the system's size of text: 20 pixels a line on a projector of 800 are read from ten metres."""


class Workspaces(QObject):
    """Which workspace is in front. One that the person chose is not left by itself until another program is opened."""

    changed = Signal()

    def __init__(self, session: Session, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self._area: DockArea | None = None
        self._program: object = None
        self._suited = False
        """Whether the workspace for this program was settled: what is shown of it early may lack the breaks."""
        self.by_hand = False
        self._came_by_itself = ""
        """The workspace that was brought up because of what is shown; another program need not suit it."""
        self.current = workspace_of(str(QSettings().value("workspace", _FIRST))).id

    def set_text_size(self, towards: int) -> None:
        """Larger (1), smaller (-1) or the usual (0) text in this workspace."""
        self._apply_size(text_size.next_step(towards) if towards else 1.0)
        QSettings().setValue(f"text_sizes/{self.current}", text_size.scale())

    def _apply_size(self, wanted: float) -> None:
        """Text and graphs together."""
        app, window, before = QApplication.instance(), self.parent(), text_size.scale()
        if isinstance(app, QApplication) and wanted != before:
            text_size.set_scale(app, wanted)
            for view in window.findChildren(ZoomingView) if window is not None else ():
                view.zoom_by(wanted / before)

    def present(self, on: bool) -> None:
        """The text of this workspace as large as a room needs, or the size that was chosen."""
        chosen = _saved_size(self.current)
        self._apply_size(max(chosen, FOR_A_ROOM) if on else chosen)

    def fill(self, area: DockArea) -> None:
        """The panes are there: put them where they were."""
        self._area = area
        self._apply_size(_saved_size(self.current))
        self._restore(area)

    def choose(self, name: str) -> None:
        """The person wants this one."""
        self.by_hand = True
        self._came_by_itself = ""
        self.show(name)

    def show(self, name: str) -> None:
        """Bring a workspace to the front."""
        if name != self.current:
            self._keep()
            self.current = workspace_of(name).id
            self._apply_size(_saved_size(self.current))
            if self._area is not None:
                self._restore(self._area)
        self.changed.emit()

    def reset(self, name: str) -> None:
        """Put its panes where they are at first."""
        self.show(name)
        QSettings().remove(f"arrangements/{name}")
        QSettings().remove(f"pages/{name}")
        for direction in DIRECTIONS:
            QSettings().remove(f"{direction}/{name}")
        QSettings().remove(f"text_sizes/{name}")
        self._apply_size(1.0)
        if self._area is not None:
            self._area.reset_arrangement()

    def suit(self) -> None:
        """Something new is shown: from the first workspace, go to the one that is made for it."""
        capture = self._session.capture
        program = capture.spec.target if capture is not None else None
        if program != self._program:
            self._program, self._suited, self.by_hand = program, False, False
        growing = self._session.early.shown is not None
        if capture is None or self._suited or (growing and not capture.breaks):
            return
        self._suited = True
        if not self.by_hand and self.current in (_FIRST, self._came_by_itself):
            wanted = "run" if capture.run is not None else "breaks" if capture.breaks else _FIRST
            self._came_by_itself = wanted
            self.show(wanted)

    def show_run(self) -> None:
        """A program runs beside the window."""
        if not self.by_hand:
            self._came_by_itself = "run"
            self.show("run")

    def save(self) -> None:
        """Keep everything for the next time."""
        self._keep()
        QSettings().setValue("workspace", self.current)

    def _keep(self) -> None:
        if self._area is not None:
            settings = QSettings()  # one: each that goes writes the whole file again
            settings.setValue(f"arrangements/{self.current}", self._area.save_arrangement())
            settings.setValue(f"pages/{self.current}", self._area.pages)
            for direction in DIRECTIONS:
                shared = _SHARED if direction in self._area.shared else ""
                settings.setValue(f"{direction}/{self.current}", shared)

    def _restore(self, area: DockArea) -> None:
        shared = [name for name in DIRECTIONS if QSettings().value(f"{name}/{self.current}") == _SHARED]
        area.show_workspace(
            workspace_of(self.current), _saved(self.current), _saved_pages(self.current), shared=shared
        )


def _saved_size(name: str) -> float:
    try:
        return float(str(QSettings().value(f"text_sizes/{name}", 1.0)))
    except ValueError:  # somebody wrote something else into the file
        return 1.0


def _saved(name: str) -> QByteArray | None:
    saved = QSettings().value(f"arrangements/{name}")
    return saved if isinstance(saved, QByteArray) else None


def _saved_pages(name: str) -> str:
    return str(QSettings().value(f"pages/{name}", ""))
