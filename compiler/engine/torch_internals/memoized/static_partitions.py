"""Which sizes the partitions of a graph need to be told: none, where the graph has no size that is a symbol.

Torch looks through all expressions of all loops for symbols, 3 % of compiling a graph of fixed sizes, and finds none.
"""

import contextlib
from collections.abc import Iterator
from typing import Any

from torch._inductor.virtualized import V
from torch.utils._ordered_set import OrderedSet

from compiler.engine.torch_internals.patch.patching import around, is_there

GIVES = "symbols of partitions not looked for where there are none"
NEEDS = (
    "torch._inductor.scheduler:Scheduler.get_graph_partition_symbol_inputs",
    "torch._inductor.virtualized:V",
)


@contextlib.contextmanager
def memoized() -> Iterator[None]:
    """While this is entered, they are looked for only in graphs for which any symbol was ever made."""
    if not all(map(is_there, NEEDS)):
        yield
        return
    with around(NEEDS[0], _where_there_are_any):
        yield


def _where_there_are_any(scheduler: Any, *args: Any, original: Any, **kwargs: Any) -> Any:
    return OrderedSet() if _is_static() else original(scheduler, *args, **kwargs)


def _is_static() -> bool:
    """Whether the sizes of the graph that is compiled were found out without making a symbol."""
    made = getattr(getattr(V.graph.sizevars, "shape_env", None), "var_to_range", None)
    return isinstance(made, dict) and not made
