"""What tours need of the window."""

from typing import Protocol

from PySide6.QtWidgets import QWidget

from app.window.workspaces.dock_area import DockArea


class TourWindow(Protocol):
    """The main window, as tours see it."""

    @property
    def widget(self) -> QWidget:
        """What cards lie upon."""

    @property
    def workspace(self) -> str:
        """The id of the workspace in front."""

    def show_workspace(self, name: str) -> None:
        """Bring a workspace to the front."""

    def show_panes(self) -> DockArea:
        """The panes, in front of the start page."""

    def run_action(self, name: str) -> None:
        """What a click on a menu entry does."""
