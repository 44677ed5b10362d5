"""The list of panes: what each is for, and bringing one to the front that the workspace does not show."""

from collections.abc import Callable

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDockWidget, QMenu, QToolBar, QToolButton, QWidget

from app.window.pane_table import PANES, PaneRow
from app.window.workspaces.dock_area import DockArea

ABOUT = {
    "pipeline": "Every stage of the program, in the order torch makes them",
    "source": "Your file, with what became of each line",
    "bytecode": "What Python runs, and what Dynamo made of it",
    "code": "The stage that is shown, as a program",
    "inspector": "Everything known of what is selected",
    "breaks": "Where and why Dynamo stopped, what it costs, and what helps",
    "frames": "What became of each Python frame: its graph, the break that ended it, the function that resumed",
    "partition": "What the forward keeps for the backward, and what it costs",
    "trial": "Try a remedy or another option on a copy of the program",
    "options": "Every argument and option of torch.compile, and what they change for this program",
    "patterns": "Find and replace parts of graphs with torch's own matcher",
    "guards": "What compiled code assumes, and what would compile again",
    "run": "A program that runs by itself: every compile and its cause, steps, and where the time went",
    "ranks": "The processes of a distributed program: which compiled the same, and where others went apart",
    "timings": "Kernels on a clock while the program runs",
    "lowering": "Triton kernels down to PTX and SASS or AMDGCN, registers and occupancy",
    "history": "Every edit and every state, as a tree",
    "cause": "What makes compiled results wrong: the stage, the pass, the fusion, the kernel",
    "changes": "What the last save of the file or the last capture changed",
    "compare": "Any two graphs: added, removed, changed and moved",
    "front_ends": "The program captured in every way PyTorch has, and which results are wrong",
    "dispatcher": "Which kernel an operator reaches for which tensors, and the path of a real call",
    "prims": "Operators taken apart, from torch down to prims, with where each step is written",
    "scripts": "TorchScript's IR: change it, run it, save it, and run it in C++",
    "problems": "What went wrong, where, and what to do",
    "output": "What your program and torch print",
}


class PaneMenu(QMenu):
    """Shows and hides panes; a pane that is shown comes to the front."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__("Panes", parent)
        self.setToolTipsVisible(True)

    def fill(self, area: DockArea) -> None:
        """One entry a dock, checked where it is open; below it the pages of a family."""
        for name, dock in area.docks.items():
            rows = [row for row in PANES if row.dock == name]
            action = dock.toggleViewAction()
            action.setToolTip(" · ".join(map(_about, rows)))
            action.triggered.connect(_raiser(dock))
            self.addAction(action)
            for row in rows if len(rows) > 1 else ():
                page = self.addAction(f"    {row.page}")
                page.setToolTip(_about(row))
                page.triggered.connect(lambda _=False, pane=row.id: area.show_pane(pane))


def add_button(bar: QToolBar, menu: PaneMenu) -> QToolButton:
    """A button at the right end of the toolbar that opens the menu."""
    button = QToolButton(bar)
    button.setObjectName("panes_button")
    button.setText("Panes")
    button.setToolTip(
        "Panes that this workspace does not show: front ends, dispatcher, GPU kernels, patterns, …"
    )
    button.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
    button.setMenu(menu)
    button.setFocusPolicy(Qt.FocusPolicy.NoFocus)  # the View menu has the same; the keyboard starts in a pane
    bar.addWidget(button)
    return button


def _about(row: PaneRow) -> str:
    return ABOUT[row.id] if row.plugin_about is None else row.plugin_about


def _raiser(dock: QDockWidget) -> Callable[[bool], None]:
    return lambda shown: dock.raise_() if shown else None
