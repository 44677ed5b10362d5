"""A pattern and what takes its place as a registration of torch's own: ``register_replacement`` in a `PatternMatcherPass`
for graphs of aten's operators, ``torch.fx.replace_pattern`` for those before AOTAutograd.
"""

import re
from collections.abc import Iterator

from compiler.model.capture.capture import Capture
from compiler.model.export.check_file import program_lines
from compiler.model.export.pass_file import OPTION, arguments_of
from compiler.model.export.python_text import ExportError, argument_text, target_text
from compiler.model.ir.dialect import speaks_aten
from compiler.model.ir.graph import Graph, Node
from compiler.model.ir.ids import is_number
from compiler.model.ir.tensor_types import TensorValue

_NODE = re.compile(r"n\['(\w+)'\]")
_UNKNOWN = 8
"""The size that a symbolic dimension has in the example inputs."""

_HEAD = """import functools
import math
import operator
from collections.abc import Callable
from typing import Any

import torch
from torch._inductor.custom_graph_pass import CustomGraphPass, get_hash_for_files
"""

_REGISTERED = '''from torch._inductor.pattern_matcher import PatternMatcherPass, fwd_only, register_replacement

{functions}
REPLACED: list[str] = []
"""One entry for every match replaced since `compile` was called."""

PATTERNS = PatternMatcherPass(pass_name={name!r})


@functools.cache
def registered() -> PatternMatcherPass:
    """The pattern, registered once; tracing it needs tensors like those it was found on."""
    register_replacement(pattern, replacement, example_inputs(), fwd_only, PATTERNS, scalar_workaround={scalars!r})
    return PATTERNS


class PatternPass(CustomGraphPass):
    """For Inductor's option ``{option}``."""

    def __call__(self, graph: torch.fx.Graph) -> None:
        REPLACED.extend(["replaced"] * registered().apply(graph))

    def uuid(self) -> Any:
        return get_hash_for_files((__file__,))


def compile(model: Callable[..., Any], **arguments: Any) -> Callable[..., Any]:
    """``torch.compile`` with the pattern; takes the same arguments, and starts from those of the capture."""
    REPLACED.clear()
    arguments = {{**ARGUMENTS, **arguments}}
    mode = arguments.pop("mode", None)
    options = dict(torch._inductor.list_mode_options(mode)) if mode is not None else {{}}
    options |= dict(arguments.pop("options", None) or {{}})
    return torch.compile(model, options={{**options, {option!r}: PatternPass()}}, **arguments)
'''

_REWRITTEN = '''from torch.fx import Graph, GraphModule, replace_pattern

{functions}
REPLACED: list[str] = []
"""One entry for every match replaced since `compile` was called."""


def replace(module: GraphModule) -> None:
    """Replace every match in a graph that torch is about to compile."""
    REPLACED.extend(["replaced"] * len(replace_pattern(module, pattern(), replacement())))


class PatternPass(CustomGraphPass):
    """For Inductor's option ``pre_grad_custom_pass``."""

    def __call__(self, graph: Graph) -> None:
        if graph.owning_module is not None:
            replace(graph.owning_module)

    def uuid(self) -> Any:
        return get_hash_for_files((__file__,))


def rewritten_inductor(module: GraphModule, inputs: list[Any], options: dict[str, Any]) -> Callable[..., Any]:
    """Inductor, behind the replacement."""
    {rewrite}
    return torch._inductor.compile(module, inputs, options=options)


def compile(model: Callable[..., Any], **arguments: Any) -> Callable[..., Any]:
    """``torch.compile`` with the pattern; takes the same arguments, and starts from those of the capture."""
    REPLACED.clear()
    arguments = {{**ARGUMENTS, **arguments}}
    mode = arguments.pop("mode", None)
    options = dict(torch._inductor.list_mode_options(mode)) if mode is not None else {{}}
    options |= dict(arguments.pop("options", None) or {{}})
    {option}
    return torch.compile(model, backend=functools.partial(rewritten_inductor, options=options), **arguments)
'''

_CHECK = '''

def test_every_match_is_replaced() -> None:
    """As many as there were when this was written."""
    torch._dynamo.reset()
    model, args, kwargs = load()
    with torch._inductor.config.patch(fx_graph_cache=False), torch._functorch.config.patch(enable_autograd_cache=False):
        results = step(edits.compile(model), model, args, kwargs)
    eager = step(model, model, args, kwargs)
    assert len(edits.REPLACED) == MATCHES
    assert {name: value.shape for name, value in results.items()} == {name: value.shape for name, value in eager.items()}
'''


def pattern_files(
    name: str, capture: Capture, what: str, pattern: Graph, replacement: Graph, matches: int
) -> dict[str, str]:
    """File name → text: the registration, and its test. `what` is the kind of graph the pattern is of (``dynamo``,
    ``pre_grad``, ``joint``, ``aot``, ``post_grad``), `matches` how often torch finds it in them. Raises ExportError.
    """
    if not name.isidentifier():
        raise ExportError(f"{name!r} is no name for a Python module.")
    for graph in (pattern, replacement):
        made = next((node for node in graph.nodes if node.body or node.target.startswith("loupe")), None)
        if made is not None:
            raise ExportError(
                f"{made.id}: probes and operators made here need Torch Loupe; take them out first."
            )
    return {
        f"{name}.py": "\n".join(_lines(name, capture, what, pattern, replacement)),
        f"test_{name}.py": "\n".join(_test_lines(name, capture, matches)),
    }


def _lines(name: str, capture: Capture, what: str, pattern: Graph, replacement: Graph) -> Iterator[str]:
    yield f'"""A pattern found and replaced by torch\'s own matcher, made in Torch Loupe with torch {capture.environment.torch}.'
    yield ""
    yield f"    import {name}"
    yield f"    compiled = {name}.compile(model)  # in the place of torch.compile(model)"
    yield '"""'
    yield ""
    if speaks_aten(pattern):
        scalars = {node.id: 0.113377 for node in _inputs(pattern) if not isinstance(node.value, TensorValue)}
        functions = "\n".join(
            (*_function("pattern", pattern), *_function("replacement", replacement), *_examples(pattern))
        )
        yield _HEAD + _REGISTERED.format(functions=functions, name=name, scalars=scalars, option=OPTION[what])
    else:
        functions = "\n".join((*_builder("pattern", pattern), *_builder("replacement", replacement)))
        dynamo = what == "dynamo"
        yield _HEAD + _REWRITTEN.format(
            functions=functions,
            rewrite="replace(module)\n    module.recompile()"
            if dynamo
            else "# the pass rewrites what pre-grad passes leave",
            option="" if dynamo else 'options["pre_grad_custom_pass"] = PatternPass()',
        )
    yield ""
    yield f"ARGUMENTS: dict[str, Any] = {arguments_of(capture)}"
    yield '"""What torch.compile was given."""'
    yield ""


def _inputs(graph: Graph) -> list[Node]:
    return [node for node in graph.nodes if node.op == "placeholder"]


def _function(name: str, graph: Graph) -> Iterator[str]:
    """A graph of operators as a function that torch traces."""
    yield ""
    yield f"def {name}({', '.join(f'{node.id}: Any' for node in _inputs(graph))}) -> Any:"
    for node in graph.nodes:
        if node.op == "call_function":
            given = [_plain(argument_text(item, node.id)) for item in node.args.items]
            given += [f"{key}={_plain(argument_text(item, node.id))}" for key, item in node.kwargs.items]
            yield f"    {node.id} = {target_text(node)}({', '.join(given)})"
        elif node.op == "output":
            yield f"    return {_plain(argument_text(node.args.items[0], node.id))}"
        elif node.op != "placeholder":
            raise ExportError(f"{node.id}: a registered pattern is made of calls of operators only.")
    yield ""


def _plain(text: str) -> str:
    return _NODE.sub(r"\1", text)


def _examples(pattern: Graph) -> Iterator[str]:
    yield ""
    yield "def example_inputs() -> list[torch.Tensor]:"
    yield '    """Tensors like those that the pattern was found on."""'
    yield "    return ["
    for node in _inputs(pattern):
        if isinstance(node.value, TensorValue):
            sizes = [int(size) if is_number(size) else _UNKNOWN for size in map(str, node.value.shape)]
            yield f"        torch.zeros({sizes!r}, dtype=torch.{node.value.dtype}, device={node.value.device!r}),  # {node.id}"
    yield "    ]"
    yield ""


def _builder(name: str, graph: Graph) -> Iterator[str]:
    """A graph built node by node: torch's functions would be traced in another spelling than Dynamo writes."""
    yield ""
    yield f"def {name}() -> GraphModule:"
    yield "    graph, n = Graph(), {}"
    for node in graph.nodes:
        if node.op == "placeholder":
            yield f"    n[{node.id!r}] = graph.placeholder({node.id!r})"
        elif node.op == "output":
            yield f"    graph.output({argument_text(node.args.items[0], node.id)})"
        elif node.op in ("call_function", "call_method"):
            parts = (
                target_text(node),
                argument_text(node.args, node.id),
                argument_text(node.kwargs, node.id),
            )
            yield f"    n[{node.id!r}] = graph.{node.op}({', '.join(parts)})"
        else:
            raise ExportError(f"{node.id}: a pattern is made of calls of functions and methods only.")
    yield "    return GraphModule({}, graph)"
    yield ""


def _test_lines(name: str, capture: Capture, matches: int) -> Iterator[str]:
    yield f'"""Holds {name}.py to what Torch Loupe found. Run it with: pytest test_{name}.py"""'
    yield ""
    yield from program_lines(name, capture)
    yield f"MATCHES = {matches!r}"
    yield _CHECK.rstrip("\n")
    yield ""
