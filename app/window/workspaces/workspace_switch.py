"""The switch between workspaces, at the right end of the toolbar."""

from collections.abc import Callable

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtWidgets import QButtonGroup, QSizePolicy, QToolBar, QToolButton, QWidget

from app.actions.workspace_table import WORKSPACES
from app.translation.texts import tr
from app.widgets.layouts.boxes import set_row
from app.window.workspaces.workspaces import Workspaces


class WorkspaceSwitch(QWidget):
    """One button a workspace; a double click puts the panes of that one where they are at first."""

    chosen = Signal(str)
    reset_wanted = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("workspace_switch")
        self.setAccessibleName(tr("Workspaces"))
        row = set_row(self, margins=(8, 0, 8, 0), spacing=0)
        self._group = QButtonGroup(self)
        self.buttons: dict[str, QToolButton] = {}
        for number, workspace in enumerate(WORKSPACES, 1):
            button = QToolButton(self)
            button.setObjectName(f"workspace_{workspace.id}")
            button.setText(tr(workspace.title))
            button.setCheckable(True)
            button.setAutoRaise(True)
            button.setFocusPolicy(
                Qt.FocusPolicy.NoFocus
            )  # Ctrl+1 to Ctrl+6 and the View menu; the keyboard starts in a pane
            button.setToolTip(
                tr("{about} (Ctrl+{number}; double click puts its panes back)").format(
                    about=tr(workspace.about), number=number
                )
            )
            button.clicked.connect(lambda _, name=workspace.id: self.chosen.emit(name))
            button.installEventFilter(self)
            self._group.addButton(button)
            self.buttons[workspace.id] = button
            row.addWidget(button)

    def show_chosen(self, name: str) -> None:
        """Which one is in front."""
        self.buttons[name].setChecked(True)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.MouseButtonDblClick:
            for name, button in self.buttons.items():
                if button is watched:
                    self.reset_wanted.emit(name)
        return super().eventFilter(watched, event)


def add_switch(bar: QToolBar, workspaces: Workspaces, choose: Callable[[str], None]) -> WorkspaceSwitch:
    """The switch, with room before it; a click calls `choose`."""
    space = QWidget(bar)
    space.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
    bar.addWidget(space)
    switch = WorkspaceSwitch(bar)
    switch.chosen.connect(choose)
    switch.reset_wanted.connect(workspaces.reset)
    workspaces.changed.connect(lambda: switch.show_chosen(workspaces.current))
    switch.show_chosen(workspaces.current)
    bar.addWidget(switch)
    return switch
