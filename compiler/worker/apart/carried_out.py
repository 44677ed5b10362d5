"""An order of `compiler.model.apart` carried out: whatever happens, there is an answer."""

from collections.abc import Callable

from compiler.engine.apart import carry_out
from compiler.engine.failures import EngineError, problem_from
from compiler.model.apart import ApartAnswer, ApartOrder, Refused


def carried_out(order: ApartOrder, say: Callable[[str], None]) -> ApartAnswer:
    """What it comes to, or why it could not be done."""
    try:
        return carry_out(order, say)
    except EngineError as error:
        return Refused(error.problem)
    except BaseException as error:  # noqa: BLE001  the process boundary: user code may raise anything at all
        return Refused(problem_from(error, "Failed in a process of its own", "The detail has the traceback."))
