"""Edits that are worked out from what is selected, which may not be possible."""

from collections.abc import Callable

from app.session.facade.session import Session
from compiler.model.edits.edits import Edit, EditError
from compiler.model.ir.diagnostics import Problem


def make_or_report(session: Session, make: Callable[[], Edit], remedy: str) -> None:
    """Make an edit; where it cannot be worked out, the reason becomes a problem with this remedy."""
    try:
        edit = make()
    except EditError as error:
        session.report(Problem(str(error), remedy))
    else:
        session.make_edit(edit)
