"""The one exception of the API."""

import contextlib
from collections.abc import Iterator

from compiler.analysis.queries.stage_lookup import StageNotFoundError
from compiler.analysis.session_file.session_file import SessionFileError
from compiler.command_line.stage_edits import TransformNotFoundError
from compiler.command_line.trust_gate import NotTrustedError
from compiler.command_line.worker_client import CommandFailedError
from compiler.model.edits.edits import EditError
from compiler.model.ir.diagnostics import Problem, without_undo


class LoupeError(Exception):
    """What was asked for cannot be done; the message says why, where, and what to do."""

    def __init__(self, problem: Problem) -> None:
        problem = without_undo(problem)
        super().__init__(problem.message())
        self.problem = problem
        """The same as data; `detail` has torch's whole message or a traceback."""


@contextlib.contextmanager
def as_loupe_errors() -> Iterator[None]:
    """Errors of ours that a person can mend, as the API's own."""
    try:
        yield
    except (CommandFailedError, StageNotFoundError, TransformNotFoundError) as error:
        raise LoupeError(error.problem) from error
    except NotTrustedError as error:
        text = str(error).replace("Give --trust", "Give open(path, trust=True)")
        raise LoupeError(Problem(text)) from error
    except (EditError, SessionFileError) as error:
        raise LoupeError(Problem(str(error))) from error
