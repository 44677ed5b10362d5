"""The exported module: the edits as functions, and ``compile``, which stands in for ``torch.compile``."""

from collections.abc import Iterator

from compiler.model.capture.capture import Capture
from compiler.model.edits.edits import Edit, describe_edit, stages_of
from compiler.model.export.edit_function import function_lines
from compiler.model.export.edited_graph import EditedGraph
from compiler.model.export.edited_inductor_graph import EditedInductorGraph
from compiler.model.export.unit_choices import CODE, IMPORTS, table

OPTION = {
    "pre_grad": "pre_grad_custom_pass",
    "joint": "joint_custom_post_pass",
    "inference": "joint_custom_pre_pass",
    "aot": "post_grad_custom_pre_pass",
    "post_grad": "post_grad_custom_post_pass",
}
"""Inductor's option for the place where a kind of graph is edited. An inference graph, which has no joint one before it, goes
through the joint passes itself."""

_HEAD = """import functools
import hashlib
import math
import operator
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import torch
from torch._guards import CompileContext, detect_fake_mode
from torch._inductor.custom_graph_pass import CustomGraphPass
from torch.fx import Graph, GraphModule, Node
from torch.fx.passes.fake_tensor_prop import FakeTensorProp
"""

_COMPILE = "torch._inductor.compile(module, inputs, options=options)"
_UNIT_KINDS = '"inference", '
"""A unit of an inference graph is recognised by its names before the joint passes."""
_COMPILE_UNITS = """with_units(module, inputs, options)"""
_WITH_UNITS = '''

def with_units(module: GraphModule, inputs: list[Any], options: dict[str, Any]) -> Callable[..., Any]:
    """As ``torch._inductor.compile``; what was chosen for the code is in no cache's key, so that cache is left out."""
    with torch._functorch.config.patch(enable_autograd_cache=False):
        return compile_fx(module, inputs, inner_compile=edited_inductor_graph, config_patches=options)
'''
HELPERS = '''def like_its_input(node: Node) -> Node:
    """A new node belongs to the source line of its first input."""
    for source in node.all_input_nodes[:1]:
        for key in ("stack_trace", "nn_module_stack"):
            if key in source.meta:
                node.meta[key] = source.meta[key]
    return node


def reorder(graph: Graph, nodes: Sequence[Node]) -> None:
    """Let the nodes run in this order."""
    graph._root.append(nodes[0])
    for before, node in zip(nodes, nodes[1:]):
        before.append(node)
'''
"""What the functions that edit graphs call."""
_TAIL = '''
def compile(model: Callable[..., Any], **arguments: Any) -> Callable[..., Any]:
    """``torch.compile`` with the edits; takes the same arguments, and starts from those of the capture."""
    APPLIED.clear()
    arguments = {**ARGUMENTS, **arguments}
    options = dict(arguments.pop("options", None) or {})
    mode = arguments.pop("mode", None)
    if mode is not None:
        options = {**torch._inductor.list_mode_options(mode), **options}
    for what in dict.fromkeys([%KINDS%*(edit.what for edit in EDITS if edit.what != "dynamo")]):
        options[OPTIONS[what]] = EditPass(what)
    backend = functools.partial(edited_inductor, options=options)
    return torch.compile(model, backend=backend, **arguments)


def edited_inductor(module: GraphModule, inputs: list[Any], options: dict[str, Any]) -> Callable[..., Any]:
    """Inductor, behind the edits of Dynamo's graphs."""
    apply_edits("dynamo", module.graph)
    module.recompile()
    return %COMPILE%


class EditPass(CustomGraphPass):
    """The edits of one kind of graph, for Inductor's options ``pre_grad_custom_pass`` and so on."""

    def __init__(self, what: str) -> None:
        self.what = what

    def __call__(self, graph: Graph) -> None:
        if apply_edits(self.what, graph) and self.what != "pre_grad":
            refresh_types(graph)

    def uuid(self) -> str:
        return f"{self.what} {hashlib.sha256(open(__file__, 'rb').read()).hexdigest()}"


def apply_edits(what: str, graph: Graph) -> bool:
    """Edit a graph that torch is about to compile, and the bodies that it calls, where they were edited by hand."""
    names = names_of(graph)
    MET[what] = names
    compile_id = str(CompileContext.current_compile_id())
    made = False
    for edit in EDITS:
        if edit.what == what and edit.names == names and edit.compile_id in ("", compile_id):
            module = graph.owning_module.get_submodule(edit.body) if edit.body else None
            edited = module.graph if module is not None else graph
            edit.make(edited, {node.name: node for node in edited.nodes})
            edited.lint()
            if module is not None:
                module.recompile()
                if what not in ("dynamo", "pre_grad"):
                    refresh_types(edited)
            APPLIED.append(edit.stage)
            made = True
    return made


def names_of(graph: Graph) -> str:
    """Digest of the names of a graph's nodes; constants that nothing uses do not count."""
    names = (node.name for node in graph.nodes if node.op != "get_attr" or node.users)
    return hashlib.sha256("\\n".join(sorted(names)).encode()).hexdigest()[:16]


def refresh_types(graph: Graph) -> None:
    """Let every node know the size and dtype of what it gives now; torch's later passes read them."""
    inputs = [node.meta.get("val") for node in graph.nodes if node.op == "placeholder"]
    mode = detect_fake_mode(inputs)
    if mode is not None and graph.owning_module is not None:
        FakeTensorProp(graph.owning_module, mode).propagate_dont_convert_inputs(*inputs)


%HELPERS%


class Edit(NamedTuple):
    """Where a function above belongs."""

    stage: str
    what: str
    names: str
    """Digest of the names of the graph's nodes."""
    compile_id: str
    """Which graph, where several have nodes of the same names."""
    body: str
    """The submodule that is edited, where it is one that a higher-order operator calls."""
    make: Callable[[Graph, dict[str, Node]], None]


MET: dict[str, str] = {}
"""Digest of the names of the graph of each kind that was met last, before its edits."""

APPLIED: list[str] = []
"""Stages whose graphs were edited since `compile` was called; a test looks at it."""
'''


def pass_file(
    name: str,
    capture: Capture,
    graphs: tuple[EditedGraph, ...],
    edits: tuple[Edit, ...],
    units: tuple[EditedInductorGraph, ...] = (),
) -> str:
    """The module's source. Raises ExportError."""
    return "\n".join(_lines(name, capture, graphs, edits, units))


def _lines(
    name: str,
    capture: Capture,
    graphs: tuple[EditedGraph, ...],
    edits: tuple[Edit, ...],
    units: tuple[EditedInductorGraph, ...],
) -> Iterator[str]:
    torch_version = capture.environment.torch
    yield f'"""Edits made by hand in Torch Loupe, as FX passes. Needs torch only{made_with(torch_version)}.'
    yield ""
    yield f"    import {name}"
    yield f"    compiled = {name}.compile(model)  # in the place of torch.compile(model)"
    yield ""
    yield f"Made from {capture.spec.target.name}. A graph is recognised by the names of its nodes: where the model changes, the"
    yield "edits of a changed graph are not made, and its test says so."
    yield '"""'
    yield ""
    yield _HEAD
    if units:
        yield IMPORTS
    functions = []
    for number, row in enumerate(graphs, 1):
        titles = tuple(describe_edit(edit) for edit in edits if row.stage in stages_of(edit))
        function = f"edit_{number}_{row.what}"
        functions.append(function)
        yield ""
        yield from function_lines(function, row, titles)
    tail = _TAIL.strip("\n").replace("%COMPILE%", _COMPILE_UNITS if units else _COMPILE)
    tail = tail.replace("%HELPERS%", HELPERS.rstrip("\n"))
    yield tail.replace("%KINDS%", _UNIT_KINDS if units else "")
    if units:
        yield _WITH_UNITS
        yield CODE
        yield from table(units)
        yield ""
    yield ""
    yield "OPTIONS = {"
    yield from (f"    {what!r}: {option!r}," for what, option in OPTION.items())
    yield "}"
    yield '"""What Inductor calls the place where a kind of graph is edited."""'
    yield ""
    yield f"ARGUMENTS: dict[str, Any] = {arguments_of(capture)}"
    yield '"""What torch.compile was given."""'
    yield ""
    yield "EDITS: tuple[Edit, ...] = ("
    for function, row in zip(functions, graphs, strict=True):
        yield f"    Edit({row.stage!r}, {row.what!r}, {row.names!r}, {row.compile_id!r}, {row.body!r}, {function}),"
    yield ")"
    yield ""


def made_with(version: str) -> str:
    """The torch that something was made with, to end a sentence."""
    return f"; made with torch {version}" if version else ""


def arguments_of(capture: Capture) -> str:
    """What torch.compile was given, as a dict's text."""
    asked = capture.spec.compile
    found: dict[str, object] = {}
    for key, value in (
        ("mode", asked.mode),
        ("dynamic", asked.dynamic),
        ("fullgraph", asked.fullgraph or None),
    ):
        if value is not None:
            found[key] = value
    if asked.options:
        found["options"] = dict(asked.options)
    return repr(found)
