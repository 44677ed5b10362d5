"""What an action is: a row of data. Menus, toolbar, palette and the list of shortcuts are made from the same rows."""

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

from PySide6.QtWidgets import QApplication, QLineEdit, QWidget

from app.actions.edit_shell import EditShell
from app.actions.kernel_shell import KernelShell
from app.session.facade.session import Session
from app.translation.compiler_texts import translate_fixed_text
from app.translation.texts import tr


class Shell(Protocol):
    """What actions need of the window: its dialogs and its look."""

    @property
    def widget(self) -> QWidget:
        """The parent of dialogs."""

    def open_model(self) -> None:
        """Ask for a program and capture it."""

    def open_session(self) -> None:
        """Ask for a session file and open it."""

    def open_path(self, path: Path) -> None:
        """Open a session file."""

    def capture_again(self) -> None:
        """Capture the program that is open again, after asking about unsaved edits."""

    def choose_machine(self) -> None:
        """Let the person say where programs run."""

    def choose_own_files(self) -> None:
        """Let the person say which packages and folders are theirs."""

    def save(self, ask: bool) -> None:
        """Save the session; `ask` for a name even where it has one."""

    @property
    def editing(self) -> EditShell:
        """The dialogs that edit graphs."""

    @property
    def kernels(self) -> KernelShell:
        """The dialogs about kernels."""

    def set_look(self, name: str) -> None:
        """``light``, ``dark`` or ``system``."""

    @property
    def look(self) -> str:
        """The look chosen."""

    @property
    def workspace(self) -> str:
        """The id of the workspace in front."""

    def show_workspace(self, name: str) -> None:
        """Bring a workspace to the front."""

    def toggle_full_screen(self) -> None:
        """The whole screen, or a window again."""

    def toggle_pane_alone(self) -> None:
        """All the room for the pane that has the focus, or everything where it was."""

    def walk_panes(self, direction: int) -> None:
        """The keyboard to the next (1) or previous (-1) pane that is seen."""

    def set_text_size(self, towards: int) -> None:
        """Larger (1), smaller (-1) or the usual (0) text."""

    @property
    def presenting(self) -> bool:
        """Whether the window is dressed for a room."""

    def toggle_presentation(self) -> None:
        """Dress this workspace for a room, or as usual again."""

    def reset_arrangement(self) -> None:
        """Put the panes where they are at first."""

    def choose_tour(self) -> None:
        """Offer all tours."""

    def show_labs(self) -> None:
        """The page of labs."""

    def show_start(self) -> None:
        """The start page; what is open stays open."""

    def show_palette(self) -> None:
        """Show every action, to be searched."""

    def show_shortcuts(self) -> None:
        """Show every shortcut."""

    def recover_edits(self) -> None:
        """Make the edits of a crashed session again."""

    def export_edits(self) -> None:
        """Ask where to, and write the edits as code."""

    def export_graph(self) -> None:
        """Ask where to, and write the graph in front for other tools."""

    def share_page(self) -> None:
        """Write the capture shown as one HTML file."""

    def choose_editor(self) -> None:
        """Let the person set the command that lines are opened with."""

    def close_window(self) -> None:
        """Close the window, after asking about unsaved edits."""


@dataclass(frozen=True)
class Context:
    """What actions work on."""

    session: Session
    shell: Shell


def always(_context: Context) -> bool:
    """For actions that can be done at any time."""
    return True


def nobody_types(_context: Context) -> bool:
    """Whether a key such as Esc is the window's: in a search field it is the field's."""
    return not isinstance(QApplication.focusWidget(), QLineEdit)


_GROUPS_OF_GRAPH = ("node", "bulk", "region", "partition", "clipboard")


@dataclass(frozen=True)
class ActionRow:
    """One thing a person can do."""

    id: str
    title: str
    """As in a menu, in English; ``…`` where it asks for more."""
    run: Callable[[Context], None]
    shortcut: str = ""
    tip: str = ""
    enabled: Callable[[Context], bool] = always
    checked: Callable[[Context], bool] | None = None
    """For actions that are on or off."""
    icon: str = ""
    menu: str = ""
    """The menu it stands in; a new group begins where `group` differs from the row before."""
    group: str = ""
    in_toolbar: bool = False
    other_shortcuts: tuple[str, ...] = field(default=())
    name: str = ""
    """What title and tip are about, where many rows have the same: stands for their ``{name}``."""
    is_ours: bool = True
    """Whether title and tip are the window's own; else compiler/'s or a plugin's."""

    @property
    def shown_title(self) -> str:
        """In the person's language."""
        return self._shown(self.title)

    @property
    def shown_tip(self) -> str:
        """In the person's language."""
        return self._shown(self.tip)

    def _shown(self, text: str) -> str:
        if not self.is_ours:
            return translate_fixed_text(text.removesuffix("…")) + ("…" if text.endswith("…") else "")
        return tr(text).format(name=tr(self.name)) if self.name else tr(text)

    @property
    def of_canvas(self) -> bool:
        """Whether its key is a letter or a sign alone, which counts only while the canvas has the focus."""
        plain = self.shortcut.removeprefix("Shift+")
        return len(plain) == 1 and plain != "?"

    @property
    def of_graph(self) -> bool:
        """Whether it edits the graph in front."""
        return self.menu == "Transform" or (self.menu in ("Edit", "Node") and self.group in _GROUPS_OF_GRAPH)
