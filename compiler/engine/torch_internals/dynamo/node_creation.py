"""Hook: which bytecode instruction made which Dynamo node.

Each node also gets a mark in ``meta["custom"]``: AOTAutograd copies that field to what it makes of the node and merges
it onto backward nodes, so the mark survives to Inductor. It changes no generated code (a test holds us to it). Torch prints
that field above a node, in ``print_readable`` and its logs: there our marks are left out.
"""

import contextlib
from collections.abc import Iterator
from typing import Any

from compiler.engine.fx.graph_import import MARK, OWN_NOTES, our_note
from compiler.engine.records.recorder import FrameRecord, InstructionLocation, Recorder
from compiler.engine.torch_internals.patch.patching import around

GIVES = "bytecode instruction → Dynamo node"
NEEDS = (
    "torch._dynamo.output_graph:SubgraphTracer.create_node",
    "torch._dynamo.output_graph:SubgraphTracer.create_proxy",
    "torch.fx.graph:CodeGen._gen_python_code",
)


@contextlib.contextmanager
def listen(recorder: Recorder) -> Iterator[None]:
    """Record the instruction chain of every node as Dynamo makes it."""

    def create_node(tracer: Any, *args: Any, original: Any, **kwargs: Any) -> Any:
        node = original(tracer, *args, **kwargs)
        translator = tracer.output_graph.current_tx
        frame = recorder.frame
        if frame is not None and frame.attempts and translator is not None:
            mark = _mark(frame, tracer, node.name)
            frame.attempts[-1].node_locations[mark] = locations_of(recorder, translator)
            _put(node, mark)
        return node

    def create_proxy(tracer: Any, *args: Any, original: Any, **kwargs: Any) -> Any:
        proxy = original(tracer, *args, **kwargs)
        frame = recorder.frame
        if frame is not None and frame.attempts:
            mark = _mark(frame, tracer, proxy.node.name)
            if mark in frame.attempts[-1].node_locations:
                _put(proxy.node, mark)  # torch has written the node's metadata meanwhile
        return proxy

    def python_code(generator: Any, nodes: Any, *args: Any, original: Any, **kwargs: Any) -> Any:
        with _without_marks(nodes) if kwargs.get("verbose") else contextlib.nullcontext():
            return original(generator, nodes, *args, **kwargs)

    with (
        around(NEEDS[0], create_node),
        around(NEEDS[1], create_proxy),
        around(NEEDS[2], python_code),
    ):
        yield


def _mark(frame: FrameRecord, tracer: Any, name: str) -> str:
    """``0/0:add``; in a body ``0/0:2/add``, since each body names its nodes for itself."""
    if tracer.parent is None:
        return f"{frame.id}:{name}"
    tracers = frame.attempts[-1].tracers
    number = next((index for index, known in enumerate(tracers) if known is tracer), len(tracers))
    if number == len(tracers):
        tracers.append(tracer)
    return f"{frame.id}:{number}/{name}"


def _put(node: Any, mark: str) -> None:
    custom = node.meta.get("custom") or {}
    if MARK not in custom:
        node.meta["custom"] = {**custom, MARK: [mark]}


@contextlib.contextmanager
def _without_marks(nodes: Any) -> Iterator[None]:
    """While a graph is printed."""
    marked = [
        (node, node.meta["custom"])
        for node in nodes
        if any(our_note(node, key) is not None for key in (MARK, OWN_NOTES))
    ]
    for node, custom in marked:
        node.meta["custom"] = {key: value for key, value in custom.items() if key not in (MARK, OWN_NOTES)}
    try:
        yield
    finally:
        for node, custom in marked:
            node.meta["custom"] = custom


def locations_of(recorder: Recorder, translator: Any) -> tuple[InstructionLocation, ...]:
    """The instruction a translator is at, then those of its callers."""
    locations = []
    while translator is not None:
        instruction = translator.current_instruction
        if instruction.offset is not None:
            locations.append(InstructionLocation(recorder.keep_code(translator.f_code), instruction.offset))
        translator = getattr(translator, "parent", None)
    return tuple(locations)
