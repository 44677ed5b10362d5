"""A stage by its id, or by as much of it as tells it from the others."""

from compiler.model.capture.capture import Capture
from compiler.model.ir.diagnostics import ProblemError
from compiler.model.ir.stage import Stage


class StageNotFoundError(ProblemError, LookupError):
    """No stage is called so, or several are; `problem` names them."""

    def _text(self) -> str:
        return self.problem.message()


def find_stage(capture: Capture, name: str) -> Stage:
    """The stage of that id, or the only one whose id or kind the name ends. Raises StageNotFoundError."""
    exact = [stage for stage in capture.stages if stage.id == name]
    close = [stage for stage in capture.stages if stage.id.endswith(name) or stage.kind.value == name]
    found = exact or close
    if len(found) == 1:
        return found[0]
    ids = ", ".join(stage.id for stage in (found or capture.stages))
    what = f"{name!r} could be several stages." if found else f"There is no stage {name!r}."
    raise StageNotFoundError(what, f"Name one of: {ids}")
