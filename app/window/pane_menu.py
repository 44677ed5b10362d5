"""The list of panes: what each is for, and bringing one to the front that the workspace does not show."""

from collections.abc import Callable

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDockWidget, QMenu, QToolBar, QToolButton, QWidget

from app.translation.texts import tr
from app.window.pane_table import PANES
from app.window.workspaces.dock_area import DockArea


class PaneMenu(QMenu):
    """Shows and hides panes; a pane that is shown comes to the front."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(tr("Panes"), parent)
        self.setToolTipsVisible(True)

    def fill(self, area: DockArea) -> None:
        """One entry a dock, checked where it is open; below it the pages of a family."""
        for name, dock in area.docks.items():
            rows = [row for row in PANES if row.dock == name]
            action = dock.toggleViewAction()
            action.setToolTip(" · ".join(tr(row.about) for row in rows))
            action.triggered.connect(_raiser(area, name, dock))
            self.addAction(action)
            for row in rows if len(rows) > 1 else ():
                page = self.addAction(f"    {tr(row.page)}")
                page.setToolTip(tr(row.about))
                page.triggered.connect(lambda _=False, pane=row.id: area.show_pane(pane))


def add_button(bar: QToolBar, menu: PaneMenu) -> QToolButton:
    """A button at the right end of the toolbar that opens the menu."""
    button = QToolButton(bar)
    button.setObjectName("panes_button")
    button.setText(tr("Panes"))
    button.setToolTip(
        tr("Panes that this workspace does not show: front ends, dispatcher, GPU kernels, patterns, …")
    )
    button.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
    button.setMenu(menu)
    button.setFocusPolicy(Qt.FocusPolicy.NoFocus)  # the View menu has the same; the keyboard starts in a pane
    bar.addWidget(button)
    return button


def _raiser(area: DockArea, name: str, dock: QDockWidget) -> Callable[[bool], None]:
    return lambda shown: area.raise_dock(name, dock) if shown else None
