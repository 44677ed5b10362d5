"""What a process of its own does for each order (`compiler.model.apart`)."""

from collections.abc import Callable

from compiler.engine.backend_trying import try_backend
from compiler.engine.front_end_capturing import capture_with
from compiler.model.apart import ApartOrder, ApartResult, Captured
from compiler.model.compile_interface import TryBackend


def carry_out(order: ApartOrder, say: Callable[[str], None]) -> ApartResult:
    """Do it, and give the result. Raises EngineError."""
    if isinstance(order, TryBackend):
        return try_backend(order.backend, say)
    return Captured(capture_with(order.spec, order.id, say))
