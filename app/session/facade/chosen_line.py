"""A line of the program that a pane names, and the person goes to."""

from app.session.facade.session import Session
from compiler.model.ir.graph import SourceLine


def select_line(session: Session, line: SourceLine, sender: object) -> bool:
    """Select a line, with all that was made from it; False where its file was not captured."""
    location = session.capture.place_of(line) if session.capture is not None else None
    if location:
        session.selection.select(location, sender)
    return bool(location)
