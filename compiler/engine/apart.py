"""What a process of its own does for each order (`compiler.model.apart`)."""

from collections.abc import Callable

from compiler.engine.front_end_capturing import capture_with
from compiler.model.apart import ApartOrder, ApartResult, Captured


def carry_out(order: ApartOrder, say: Callable[[str], None]) -> ApartResult:
    """Do it, and give the result. Raises EngineError."""
    return Captured(capture_with(order.spec, order.id, say))
