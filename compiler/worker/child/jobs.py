"""An order of `compiler.model.protocol.isolated_jobs` carried out: whatever happens, there is an answer."""

from collections.abc import Callable

from compiler.engine.errors import EngineError, unforeseen
from compiler.engine.torch_internals.inductor_kernels import header_place
from compiler.engine.verbs.isolated_jobs import carry_out
from compiler.model.protocol.isolated_jobs import IsolatedAnswer, IsolatedJob, Refused


def carried_out(order: IsolatedJob, report_progress: Callable[[str], None]) -> IsolatedAnswer:
    """What it comes to, or why it could not be done."""
    header_place.install()
    try:
        return carry_out(order, report_progress)
    except EngineError as error:
        return Refused(error.problem)
    except BaseException as error:  # noqa: BLE001  the process boundary: user code may raise anything at all
        return Refused(unforeseen(error, "Failed in a process of its own"))
