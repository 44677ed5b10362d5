"""Hook: how often the backward of each Dynamo graph is called, and how long that takes."""

import contextlib
import time
import weakref
from collections.abc import Callable, Iterator
from typing import Any

from compiler.engine.torch_internals.patch.patching import around

GIVES = "calls of compiled backwards"
NEEDS = (
    "torch._inductor.compile_fx:compile_fx_backward",
    "torch._inductor.output_code:CompiledFxGraph.__call__",
)


class BackwardCalls:
    """Of one Dynamo graph."""

    def __init__(self, graph: str) -> None:
        self.graph = graph
        self.calls = 0
        self.nanoseconds = 0


@contextlib.contextmanager
def counting_backwards(
    belongs_to: Callable[[], BackwardCalls | None], checking: Callable[[], Callable[[str, Any], None] | None]
) -> Iterator[None]:
    """`belongs_to` gives the counter of the graph whose backward has just been compiled, `checking` what looks at results."""
    counters: dict[int, BackwardCalls] = {}

    def compile_backward(*args: Any, original: Any, **kwargs: Any) -> Any:
        counter = belongs_to()
        result = original(*args, **kwargs)
        if counter is not None:
            with contextlib.suppress(TypeError):  # what has no weak references is not counted
                weakref.finalize(result, counters.pop, id(result), None).atexit = False
                counters[id(result)] = counter
        return result

    def call(graph: Any, inputs: Any, *, original: Any) -> Any:
        counter = counters.get(id(graph))
        if counter is None:
            return original(graph, inputs)
        began = time.perf_counter_ns()
        try:
            result = original(graph, inputs)
        finally:
            counter.calls += 1
            counter.nanoseconds += time.perf_counter_ns() - began
        if (check := checking()) is not None:
            check(f"{counter.graph} backward", result)
        return result

    with around(NEEDS[0], compile_backward), around(NEEDS[1], call):
        yield
