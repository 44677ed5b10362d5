"""Hook: bodies that a post-grad pass runs to trace them into a graph of its own: Inductor makes ``while_loop`` of ``map`` and
``scan``, and what it traces so bears no mark and no name of the body.

The body is run as the code that torch.fx generated of it, and a graph module knows which of its nodes each line of that code
is of. So a node that is made while that code runs is of the node whose line runs.
"""

import contextlib
import sys
from collections.abc import Iterator
from types import FrameType
from typing import Any

import torch.fx

from compiler.engine.fx.running_node import running_node
from compiler.engine.records.recorder import Recorder
from compiler.engine.torch_internals.patch.patching import around

GIVES = "what a loop that was made of map or scan was traced from"
NEEDS = (
    "torch._inductor.compile_fx:_recursive_post_grad_passes",
    "torch.fx.graph:Graph.create_node",
)
_FROM = "torch_loupe_body_node"
"""In a node's metadata: (body, node) that it was traced from."""
Retraced = dict[tuple[str, str], tuple[str, str]]


@contextlib.contextmanager
def listen(recorder: Recorder) -> Iterator[None]:
    """Note on each node that is made while a body runs which node of the body it is of."""
    bodies: dict[int, str] = {}

    def post_grad(module: Any, *args: Any, original: Any, **kwargs: Any) -> Any:
        inductor_graph = recorder.inductor_graph
        if inductor_graph is None or bodies:
            return original(module, *args, **kwargs)
        with recorder.reading("bodies that a pass may trace again"):
            bodies.update(_bodies(module))
        try:
            result = original(module, *args, **kwargs)
        finally:
            bodies.clear()
        with recorder.reading("bodies that a pass traced again"):
            inductor_graph.retraced = _read(module)
        return result

    def create(graph: Any, *args: Any, original: Any, **kwargs: Any) -> Any:
        node = original(graph, *args, **kwargs)
        if bodies and node.op == "call_function":
            with recorder.reading("what a node of a loop was traced from"):
                if (found := _running(bodies)) is not None:
                    node.meta[_FROM] = found
        return node

    with around(NEEDS[0], post_grad), around(NEEDS[1], create):
        yield


def _bodies(module: torch.fx.GraphModule) -> dict[int, str]:
    return {
        id(inner): path
        for path, inner in module.named_modules()
        if path and isinstance(inner, torch.fx.GraphModule)
    }


def _running(bodies: dict[int, str]) -> tuple[str, str] | None:
    """The body whose code runs now, and the node of it that the line is of."""
    frame: FrameType | None = sys._getframe(1)
    while frame is not None:
        if frame.f_code.co_name == "forward" and id(module := frame.f_locals.get("self")) in bodies:
            node = running_node(frame, frame.f_lineno)
            return (bodies[id(module)], str(node.name)) if node is not None else None
        frame = frame.f_back
    return None


def _read(module: torch.fx.GraphModule) -> Retraced:
    return {
        (path, node.name): node.meta[_FROM]
        for path, inner in module.named_modules()
        if path and isinstance(inner, torch.fx.GraphModule)
        for node in inner.graph.nodes
        if _FROM in node.meta
    }
