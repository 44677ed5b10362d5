"""Panes that other installed packages bring: entry points of the group ``torch_loupe.panes``, each a `Pane`."""

from collections.abc import Iterable
from dataclasses import dataclass

from compiler.analysis.plugins.entry_points import Plugins, find_plugins

GROUP = "torch_loupe.panes"


@dataclass(frozen=True)
class Pane:
    """A pane of the window. Its module is imported when it is first shown, so that it alone needs PySide6."""

    id: str
    title: str
    about: str
    """What it is for, in a line."""
    source: str
    """``module:Class``, a QWidget that is made with the window's session and a parent."""

    def __post_init__(self) -> None:
        module, _, name = self.source.partition(":")
        if not self.id.isidentifier() or not module or not name.isidentifier():
            raise ValueError(f"a pane has an id of letters and a source module:Class, not {self.source!r}")


def found_panes(taken: Iterable[str]) -> Plugins[Pane]:
    """Those of installed packages; none may have an id that is taken."""
    return find_plugins(GROUP, Pane, taken=taken)
