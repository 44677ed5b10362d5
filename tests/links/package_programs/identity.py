"""A graph that is compiled again unchanged gives the same text, byte for byte."""

import re
from collections.abc import Iterator

from compiler.engine.capture.capture import LiveCapture
from compiler.engine.errors import EngineError
from compiler.engine.recompile.edited_program import EditedProgram
from compiler.model.edits.edits import ReplaceTarget
from tests.compiler.engine.recompile.test_edits_as_in_source import wrapper_texts


def _stages(live: LiveCapture) -> Iterator[str]:
    for graph in live.live.dynamo_graphs:
        name = graph.record.compile_id
        yield f"{name}:dynamo"
        yield from (f"{name}:{what}" for what in ("pre_grad", "joint") if what in graph.sources)
        for inductor_graph in graph.inductor_graphs:
            parts = (what for what in ("aot", "post_grad") if what in inductor_graph.sources)
            yield from (f"{name}:{inductor_graph.part}:{what}" for what in parts)


_ADDRESS = re.compile(r"^(\w+ = None  # .*) [0-9a-f]{6,}$", re.MULTILINE)
"""Inductor writes where a constant lies in memory into a comment."""


def _texts(live: LiveCapture) -> dict[tuple[str, str], str]:
    return {key: _ADDRESS.sub(r"\1", text) for key, text in wrapper_texts(live).items()}


def identities(live: LiveCapture) -> tuple[int, list[str]]:
    """How many stages were compiled again from a node that calls what it calls, and those whose text differed."""
    program, before = EditedProgram(live), _texts(live)
    count, faults = 0, []
    for stage in list(_stages(live)):
        nodes = program.base_graph(stage, ()).nodes
        node = next((node for node in nodes if node.op == "call_function"), None)
        if node is None:
            continue
        count += 1
        edit = ReplaceTarget(stage, node.id, node.op, node.target, node.args, node.kwargs)
        try:
            program.recompile((edit,), "again", lambda text: None)
        except EngineError as error:
            faults.append(f"{stage}: {error}"[:300])
            continue
        differing = [":".join(key) for key, text in _texts(live).items() if before.get(key) != text]
        faults += [f"{stage}: other text of {name}" for name in differing]
    return count, faults
