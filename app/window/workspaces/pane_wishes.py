"""Panes that come to the front because something in the session asks for them."""

from collections.abc import Callable

from app.session.facade.session import Session
from app.window.workspaces.dock_area import DockArea


def follow_wishes(session: Session, area: Callable[[], DockArea]) -> None:
    """Bring panes to the front as they are wanted; `area` makes them first, where there are none yet."""

    def bring(name: str) -> Callable[[], None]:
        return lambda: area().show_pane(name)

    def enlarge(name: str) -> Callable[[], None]:
        return lambda: area().show_large(name)

    session.trials.chosen.connect(bring("trial"))
    session.trials.left.connect(lambda name: area().show_pane(name))
    session.ranks.offered.connect(bring("ranks"))
    session.causes.wanted.connect(bring("cause"))
    session.asking.pattern_wanted.connect(bring("patterns"))
    session.asking.text_wanted.connect(bring("code"))
    session.passes.history_asked.connect(bring("inspector"))
    session.comparison.wanted.connect(enlarge("compare"))
    session.ranks.wanted.connect(enlarge("ranks"))
