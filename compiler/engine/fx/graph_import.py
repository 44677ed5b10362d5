"""An FX graph read into plain data."""

import functools
import math
import os
import re
from collections.abc import Callable
from typing import Any, NamedTuple

import torch
import torch.fx

from compiler.engine.fx.custom_op_bodies import operator_body
from compiler.model.edits.subgraphs import OPERATORS
from compiler.model.ir.arguments import (
    NONE,
    Argument,
    ConstantArgument,
    MappingArgument,
    NodeArgument,
    SequenceArgument,
    SliceArgument,
)
from compiler.model.ir.graph import Graph, Node, SourceLine
from compiler.model.ir.tensor_types import OtherValue, ScalarValue, TensorValue, TupleValue, Value

MARK = "torch_loupe"
"""Our key in ``node.meta["custom"]``, a field that AOTAutograd copies to what it makes of a node."""

OWN_NOTES = "torch_loupe_own"
"""Our key beside it for what a node's own notes were where torch wrote those of another over them (`own_notes`)."""

_STACK_LINE = re.compile(r'^\s*File "(?P<path>.+?)", line (?P<line>\d+), in (?P<function>\S+)')


def read_graph(graph: torch.fx.Graph, roles: Callable[[torch.fx.Node], str] | None = None) -> Graph:
    """The graph as data. `roles` may name what a placeholder is (parameter, tangent, saved)."""
    return Graph(tuple(read_node(node, roles(node) if roles else "") for node in graph.nodes))


def read_bodies(module: Any) -> dict[str, Graph]:
    """The graphs that higher-order operators call, and those that these call, by the name a graph gets them by; names of
    bodies inside a body are joined by dots.
    """
    found: dict[str, Graph] = {}
    for node in module.graph.nodes:
        inner = _attribute(module, str(node.target)) if node.op == "get_attr" else None
        if isinstance(inner, torch.fx.GraphModule) and str(node.target) not in found:
            found[str(node.target)] = read_graph(inner.graph)
            found |= {f"{node.target}.{name}": graph for name, graph in read_bodies(inner).items()}
    return found


def _attribute(module: Any, path: str) -> Any:
    for name in path.split("."):
        module = getattr(module, name, None)
    return module


def read_node(node: torch.fx.Node, role: str = "") -> Node:
    """One node as data; its result type is what the last shape propagation left in its metadata."""
    notes = own_notes(node)
    return Node(
        id=node.name,
        op=node.op,
        target=target_name(node.target),
        args=SequenceArgument("tuple", tuple(read_argument(item) for item in node.args)),
        kwargs=MappingArgument(tuple((str(key), read_argument(item)) for key, item in node.kwargs.items())),
        value=read_value(node.meta.get("val", node.meta.get("example_value"))),
        module_path=notes.module_path,
        module_type=notes.module_type,
        stack=read_stack(notes.stack),
        role=role if node.op == "placeholder" else "",
        origins=marks_of(node),
        notes=_notes(node, notes.original),
        body=_body(node),
        settings=_settings(node),
    )


def _settings(node: torch.fx.Node) -> MappingArgument:
    """What a module that is called was made with, and the tensors that it holds itself."""
    owner = node.graph.owning_module
    if node.op != "call_module" or owner is None:
        return MappingArgument(())
    module = owner.get_submodule(str(node.target))
    if isinstance(module, torch.fx.GraphModule):
        return MappingArgument(())
    found = {name: value for name, value in vars(module).items() if not name.startswith("_")}
    plain = {
        name: value for name, value in found.items() if isinstance(value, bool | int | float | str | tuple)
    }
    own = [*module.named_parameters(recurse=False), *module.named_buffers(recurse=False)]
    state = {name: ConstantArgument("opaque", f"{list(value.shape)}") for name, value in own}
    return MappingArgument((*((name, read_argument(value)) for name, value in plain.items()), *state.items()))


def _body(node: torch.fx.Node) -> tuple[Node, ...]:
    """What a submodule or an operator that was made from a part of a graph calls."""
    if node.op == "call_function":
        made = getattr(node.target, "namespace", "") == OPERATORS
        return operator_body(str(node.target)) if made else ()
    owner = node.graph.owning_module
    if node.op != "call_module" or owner is None:
        return ()
    inner = owner.get_submodule(str(node.target))
    return read_graph(inner.graph).nodes if isinstance(inner, torch.fx.GraphModule) else ()


def marks_of(node: torch.fx.Node) -> tuple[str, ...]:
    """The Dynamo nodes a node was made from, as ``"compile id:name"``."""
    return tuple(our_note(node, MARK) or ())


def our_note(node: torch.fx.Node, key: str) -> Any:
    """What we wrote under one of our keys into a node's metadata; None where there is nothing."""
    custom = node.meta.get("custom")
    return custom.get(key) if isinstance(custom, dict) else None


_Operator = type(torch.ops.aten.add.Tensor)


def is_operator(target: Any) -> bool:
    """Whether a node's target is an overload of a registered operator, ``aten.relu.default``, not a Python function."""
    return isinstance(target, _Operator)


def target_name(target: Any) -> str:
    """How torch spells what a node calls: ``aten.relu.default``, ``torch.nn.functional.gelu``, ``_operator.add``."""
    if isinstance(target, str):
        return target
    if is_operator(target):
        return str(target)
    name = getattr(target, "__name__", None) or str(target)
    if getattr(torch.nn.functional, name, None) is target:
        return f"torch.nn.functional.{name}"
    module = getattr(target, "__module__", None) or _owner_of(target)
    return f"{module}.{name}" if module else str(name)


@functools.lru_cache(maxsize=4096)
def _owner_of(target: Any) -> str:
    """The public module of a builtin that does not know its own."""
    return "torch" if getattr(torch, getattr(target, "__name__", ""), None) is target else ""


_TORCH_CONSTANTS: tuple[tuple[type, str], ...] = (
    (torch.dtype, "dtype"),
    (torch.layout, "layout"),
    (torch.memory_format, "memory_format"),
)


def read_argument(value: Any) -> Argument:
    """One argument, nested ones included. What has no spelling becomes an opaque constant."""
    if isinstance(value, torch.fx.Node):
        return NodeArgument(value.name)
    if value is None:
        return NONE
    if value is Ellipsis:
        return ConstantArgument("ellipsis", "...")
    if isinstance(value, list | tuple):
        kind = "list" if isinstance(value, list) else "tuple"
        return SequenceArgument(kind, tuple(read_argument(item) for item in value))
    if isinstance(value, dict):
        return MappingArgument(tuple((str(key), read_argument(item)) for key, item in value.items()))
    if isinstance(value, slice):
        return SliceArgument(read_argument(value.start), read_argument(value.stop), read_argument(value.step))
    return _read_constant(value)


def _read_constant(value: Any) -> ConstantArgument:
    for literal in (bool, int, float, complex, str):
        if type(value) is literal:
            return ConstantArgument(literal.__name__, repr(value))
    for kind, name in _TORCH_CONSTANTS:
        if isinstance(value, kind):
            return ConstantArgument(name, str(value))
    if isinstance(value, torch.device):
        return ConstantArgument("device", f"device({str(value)!r})")
    return ConstantArgument("opaque", _short_repr(value))


def _short_repr(value: Any) -> str:
    text = str(value)
    return text if len(text) <= 80 else text[:77] + "..."


def read_value(value: Any) -> Value | None:
    """The type of a result. Only metadata is looked at, never elements."""
    if value is None:
        return None
    if isinstance(value, torch.Tensor):
        return _read_tensor(value)
    if isinstance(value, bool | int | float | str):
        return ScalarValue(type(value).__name__, repr(value))
    if isinstance(value, torch.SymInt | torch.SymFloat | torch.SymBool):
        return ScalarValue(type(value).__name__, str(value))
    if isinstance(value, list | tuple):
        return TupleValue(tuple(read_value(item) or OtherValue("None") for item in value))
    return OtherValue(type(value).__name__)


def _read_tensor(value: torch.Tensor) -> TensorValue:
    strided = value.layout == torch.strided
    shape = tuple(str(size) for size in value.shape)
    return TensorValue(
        shape=shape,
        dtype=str(value.dtype).removeprefix("torch."),
        device=str(value.device),
        stride=tuple(str(step) for step in value.stride()) if strided else None,
        requires_grad=value.requires_grad,
        bytes=tensor_bytes(value),
    )


def tensor_bytes(value: torch.Tensor) -> int | None:
    """Bytes of a tensor's elements, or None where a size is symbolic."""
    if any(isinstance(size, torch.SymInt) for size in value.shape):
        return None
    return math.prod(value.shape) * value.element_size()


_TORCH = os.path.dirname(torch.__file__) + os.sep


@functools.lru_cache(maxsize=4096)
def read_stack(trace: str) -> tuple[SourceLine, ...]:
    """The lines of a printed stack, innermost last: the program's, where a mode of torch's (of the default device) only passed a call on."""
    found: list[SourceLine] = []
    lines = trace.split("\n")
    for index, line in enumerate(lines):
        match = _STACK_LINE.match(line)
        if match is None:
            continue
        text = lines[index + 1].strip() if index + 1 < len(lines) else ""
        if _STACK_LINE.match(text):
            text = ""
        found.append(SourceLine(match["path"], int(match["line"]), match["function"], text))
    while len(found) > 1 and found[-1].function == "__torch_function__" and found[-1].path.startswith(_TORCH):
        found.pop()
    return tuple(found)


_BY_DICT = re.compile(r"\.__dict__(?:\['_modules'\]|\._modules\b)")
_ROOT = re.compile(r"^L\['[^']*'\]\.?|^self\.?|^G\['[^']*'\]\.?")
_SUBMODULE = re.compile(r"\._modules\['([^']*)'\]|_modules\['([^']*)'\]|\['([^']*)'\]|\[(\d+)\]")


@functools.lru_cache(maxsize=4096)
def module_path_of(text: str) -> str:
    """``L['self']._modules['layers']._modules['0']`` as ``layers.0``. Of a class with a ``__getattr__`` of its own (diffusers' models)
    torch names submodules ``.__dict__['_modules']['layers']``.
    """
    text = _BY_DICT.sub("._modules", text)
    path = _SUBMODULE.sub(lambda match: "." + next(filter(None, match.groups())), _ROOT.sub("", text))
    return path.strip(".")


def _module_of(node: torch.fx.Node) -> tuple[str, str]:
    stack = node.meta.get("nn_module_stack") or node.meta.get("fwd_nn_module_stack")
    if not stack:
        return "", ""
    path, kind = list(stack.values())[-1]
    return module_path_of(str(path)), getattr(kind, "__name__", str(kind).rpartition(".")[2])


class Notes(NamedTuple):
    """Where a node comes from, as torch noted."""

    stack: str
    """As torch prints it."""
    module_path: str
    module_type: str
    original: str
    """The operator that was decomposed into it; empty where there was none."""


def own_notes(node: torch.fx.Node) -> Notes:
    """A node's own, also where torch wrote those of another over them."""
    kept = our_note(node, OWN_NOTES)
    if kept is not None:
        return Notes(*kept)
    original = node.meta.get("original_aten")
    return Notes(node.stack_trace or "", *_module_of(node), "" if original is None else str(original))


def _notes(node: torch.fx.Node, original: str) -> tuple[str, ...]:
    notes = []
    if "recompute" in node.meta:
        notes.append(f"recompute policy: {getattr(node.meta['recompute'], 'name', node.meta['recompute'])}")
    if original and original != target_name(node.target):
        notes.append(f"decomposed from {original}")
    return tuple(notes)
