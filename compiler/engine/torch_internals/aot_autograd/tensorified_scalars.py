"""Hook: sources of what stands for arithmetic on Python floats whose value is not fixed (``x / math.sqrt(n)`` of a dynamic size). Torch
rewrites it as arithmetic on tensors when a graph is traced, with nodes that have no metadata.

An edited joint graph went through this already. What torch did not rewrite then is a constant by now, and it would have Dynamo begin
again to make it one.
"""

import contextlib
from collections.abc import Iterator
from typing import Any

from torch._dynamo.exc import TensorifyScalarRestartAnalysis
from torch._dynamo.symbolic_convert import TensorifyState

from compiler.engine.fx.graph_import import MARK, marks_of
from compiler.engine.records.recorder import Recorder
from compiler.engine.torch_internals.patch.patching import around

GIVES = "sources of arithmetic on floats that became arithmetic on tensors"
NEEDS = (
    "torch._functorch._aot_autograd.graph_compile:tensorify_python_scalars",
    "torch._dynamo.exc:TensorifyScalarRestartAnalysis",
    "torch._dynamo.symbolic_convert:TensorifyState.clear",
)


@contextlib.contextmanager
def listen(recorder: Recorder) -> Iterator[None]:
    """Mark what is made in the place of a node with the node's marks."""

    def tensorify(module: Any, *args: Any, original: Any, **kwargs: Any) -> Any:
        if recorder.dynamo_graph is None:
            return original(module, *args, **kwargs)
        with _marking(module.graph):
            try:
                return original(module, *args, **kwargs)
            except TensorifyScalarRestartAnalysis:  # raised when all is done
                if recorder.live is None or recorder.live.start != "joint":
                    raise
                TensorifyState.clear()

    with around(NEEDS[0], tensorify):
        yield


@contextlib.contextmanager
def _marking(graph: Any) -> Iterator[None]:
    """A node is erased as soon as all that replaces it is made."""
    made: list[Any] = []
    create_node, erase_node = graph.create_node, graph.erase_node

    def create(*args: Any, **kwargs: Any) -> Any:
        node = create_node(*args, **kwargs)
        made.append(node)
        return node

    def erase(node: Any) -> None:
        marks = sorted(marks_of(node))
        for new in made if marks else ():
            custom = new.meta.get("custom") or {}
            new.meta["custom"] = {MARK: marks, **custom}
        made.clear()
        erase_node(node)

    graph.create_node, graph.erase_node = create, erase
    try:
        yield
    finally:
        del graph.create_node, graph.erase_node
