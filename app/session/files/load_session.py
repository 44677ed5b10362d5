"""Putting what a session file holds onto the shelf and into the history."""

from app.session.captures.capture_store import CaptureStore
from app.session.edit_history.edit_history import EditHistory, misfit
from app.translation.texts import tr
from compiler.analysis.edits.history_tree import is_whole, line_of_edits
from compiler.analysis.session_file.session_file import Journal, SessionData
from compiler.model.edits.edits import EditError
from compiler.model.ir.diagnostics import Problem, Severity


def fill_from_file(store: CaptureStore, history: EditHistory, data: SessionData, name: str) -> list[Problem]:
    """The shelf holds the root of the file with this name; add its edits and its recompiles. Gives what was left out.

    Edits come first, since they start from the root.
    """
    root = data.captures[0]
    journals = {journal.capture: journal for journal in data.journals}
    made = journals.get(root.id, Journal(root.id))
    problems = [
        Problem(
            tr("A part of {name} could not be read: {fault}.").format(name=name, fault=fault),
            tr("The rest was opened."),
            severity=Severity.WARNING,
        )
        for fault in data.left_out
    ]
    try:
        fits = made.tree is not None and is_whole(made.tree)
        tree = made.tree if made.tree is not None and fits else line_of_edits(made.edits, made.undone)
        history.load_tree(tree, compiled=len(data.captures) > 1)
    except EditError as error:
        problems.append(misfit(name, error))
    verdicts = dict(data.verdicts)
    for capture in data.captures[1:]:
        # the command line notes the edits of the root only: those are what the last recompile was made from
        by_default = made.applied if capture is data.captures[-1] else ()
        edits = journals[capture.id].applied if capture.id in journals else by_default
        store.add(capture, edits, verdicts.get(capture.id))
    history.settle()
    return problems
