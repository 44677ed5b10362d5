"""The one exception of the API."""

import contextlib
from collections.abc import Iterator

from compiler.analysis.queries.stage_lookup import StageNotFoundError
from compiler.analysis.session_file.session_file import SessionFileError
from compiler.command_line.stage_edits import TransformNotFoundError
from compiler.command_line.trust_gate import NotTrustedError
from compiler.command_line.worker_client import CommandFailedError
from compiler.model.edits.edits import EditError
from compiler.model.ir.diagnostics import Problem, ProblemError, without_undo


class LoupeError(ProblemError):
    """What was asked for cannot be done; the message says why, where, and what to do. `problem` is the same as data; its `detail`
    has torch's whole message or a traceback.
    """

    def _worded(self, problem: Problem) -> Problem:
        return without_undo(problem)

    def _text(self) -> str:
        return self.problem.message()


@contextlib.contextmanager
def as_loupe_errors() -> Iterator[None]:
    """Errors of ours that a person can mend, as the API's own."""
    try:
        yield
    except (CommandFailedError, StageNotFoundError, TransformNotFoundError) as error:
        raise LoupeError(error.problem) from error
    except NotTrustedError as error:
        text = str(error).replace("Give --trust", "Give open(path, trust=True)")
        raise LoupeError(text) from error
    except (EditError, SessionFileError) as error:
        raise LoupeError(str(error)) from error
