"""Hook: which bytecode instruction made which Dynamo node.

Each node also gets a mark in ``meta["custom"]``: AOTAutograd copies that field to what it makes of the node and merges
it onto backward nodes, so the mark survives to Inductor. It changes no generated code (a test holds us to it).
"""

import contextlib
from collections.abc import Iterator
from typing import Any

from compiler.engine.graph_reading import MARK
from compiler.engine.recording import InstructionSpot, Recorder
from compiler.engine.torch_internals.patching import around

GIVES = "bytecode instruction → Dynamo node"
NEEDS = ("torch._dynamo.output_graph:SubgraphTracer.create_proxy",)


@contextlib.contextmanager
def listen(recorder: Recorder) -> Iterator[None]:
    """Record the instruction chain of every node as Dynamo makes it."""

    def create_proxy(original: Any) -> Any:
        def replacement(
            tracer: Any, kind: str, target: Any, args: Any, kwargs: Any, *rest: Any, **more: Any
        ) -> Any:
            proxy = original(tracer, kind, target, args, kwargs, *rest, **more)
            translator = tracer.output_graph.current_tx
            frame = recorder.frame
            if frame is not None and frame.attempts and translator is not None:
                node = proxy.node
                frame.attempts[-1].node_spots[node.name] = spots_of(recorder, translator)
                custom = node.meta.get("custom") or {}
                node.meta["custom"] = {**custom, MARK: [f"{frame.id}:{node.name}"]}
            return proxy

        return replacement

    with around(NEEDS[0], create_proxy):
        yield


def spots_of(recorder: Recorder, translator: Any) -> tuple[InstructionSpot, ...]:
    """The instruction a translator is at, then those of its callers."""
    spots = []
    while translator is not None:
        instruction = translator.current_instruction
        if instruction.offset is not None:
            spots.append(InstructionSpot(recorder.keep_code(translator.f_code), instruction.offset))
        translator = getattr(translator, "parent", None)
    return tuple(spots)
