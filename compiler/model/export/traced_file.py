"""Edits of a graph that torch.fx traced, as a Python function on a `GraphModule`, with its test."""

from collections.abc import Iterator

from compiler.model.capture.capture import Capture
from compiler.model.edits.edits import Edit, describe_edit
from compiler.model.export.check_file import RESULTS, farthest_lines, farthest_of, program_lines
from compiler.model.export.edit_function import function_lines
from compiler.model.export.edited_graph import EditedGraph
from compiler.model.export.pass_file import HELPERS, made_with
from compiler.model.timing.verdicts import Verdict

_HEAD = """import hashlib
import math
import operator
from collections.abc import Sequence

import torch
from torch.fx import Graph, GraphModule, Node, symbolic_trace
"""
_TAIL = '''
def edit(module: GraphModule) -> GraphModule:
    """Make the edits in a traced module, and give it back. Raises ValueError where its graph is another one."""
    used = (node.name for node in module.graph.nodes if node.op != "get_attr" or node.users)
    names = hashlib.sha256("\\n".join(sorted(used)).encode()).hexdigest()[:16]
    if names != NAMES:
        raise ValueError("the graph is another one than when the edits were made")
    edit_graph(module.graph, {node.name: node for node in module.graph.nodes})
    module.graph.lint()
    module.recompile()
    return module


def trace(model: torch.nn.Module) -> GraphModule:
    """The model traced, with the edits."""
    return edit(symbolic_trace(model))
'''
_STEP = '''

def compiled_step() -> tuple[dict[str, torch.Tensor], dict[str, torch.Tensor], list[str]]:
    """(what eager gives, what the edited module gives, nothing)."""
    model, args, kwargs = load()
    eager = step(model, model, args, kwargs)
    return eager, step(edits.trace(model), model, args, kwargs), []


def test_every_edit_is_made() -> None:
    model, _, _ = load()
    assert isinstance(edits.trace(model), torch.fx.GraphModule)
'''


def traced_file(name: str, capture: Capture, graph: EditedGraph, edits: tuple[Edit, ...]) -> str:
    """The module's source. Raises ExportError."""
    return "\n".join(_lines(name, capture, graph, edits))


def _lines(name: str, capture: Capture, graph: EditedGraph, edits: tuple[Edit, ...]) -> Iterator[str]:
    version = made_with(capture.environment.torch)
    yield f'"""Edits made by hand in Torch Loupe, of what torch.fx traces. Needs torch only{version}.'
    yield ""
    yield f"    import {name}"
    yield f"    module = {name}.trace(model)  # or {name}.edit(symbolic_trace(model))"
    yield ""
    yield f"Made from {capture.spec.target.name}."
    yield '"""'
    yield ""
    yield _HEAD
    yield f"NAMES = {graph.names!r}"
    yield '"""Digest of the names of the nodes that are traced."""'
    yield ""
    yield ""
    yield HELPERS
    yield ""
    yield from function_lines("edit_graph", graph, tuple(map(describe_edit, edits)))
    yield _TAIL.strip("\n")
    yield ""


def traced_check(name: str, base: Capture, verdict: Verdict | None) -> str:
    """The test's source."""
    return "\n".join(_check_lines(name, base, verdict))


def _check_lines(name: str, base: Capture, verdict: Verdict | None) -> Iterator[str]:
    farthest = farthest_of(verdict)
    yield f'"""Holds {name}.py to what Torch Loupe measured. Run it with: pytest test_{name}.py"""'
    yield ""
    yield from program_lines(name, base)
    yield from farthest_lines(farthest)
    yield _STEP.rstrip("\n")
    if farthest:
        yield RESULTS.rstrip("\n")
    yield ""
