"""A TorchScript graph read into plain data.

Constants stand in the arguments that use them, chains of ``prim::GetAttr`` are one node that names the attribute, and nested
blocks (of ``prim::If``, ``prim::Loop``, ``prim::With``) and subgraphs (fusion groups) are containers: their nodes carry its
name in their module path, stand before the node they belong to, and their results are inputs of it.
"""

import re
from collections.abc import Callable
from typing import Any

import torch

from compiler.engine.front_ends.torchscript.source_ranges import Callers
from compiler.engine.fx.graph_import import read_value
from compiler.model.ir.arguments import NONE, Argument, ConstantArgument, NodeArgument, SequenceArgument
from compiler.model.ir.graph import Graph, Node
from compiler.model.ir.ids import NodeId
from compiler.model.ir.tensor_types import OtherValue, TensorValue, Value

Attribute = Callable[[str], Any]
"""What an attribute of the module is, by its dotted path; raises AttributeError."""

_NO_OPERATION = ("prim::Constant", "prim::GetAttr", "prim::ConstantMKLDNNTensor")
_BLOCKS = {"prim::If": ("then", "else"), "prim::Loop": ("body",)}
_LONGEST = 60


def nodes_in(block: Any) -> int:
    """All nodes of a graph, nested ones and those of subgraphs too, as torch counts them."""
    return sum(1 + sum(map(nodes_in, _parts(node))) for node in block.nodes())


def operations_of(block: Any) -> int:
    """Nodes that are neither constants nor attributes, nested ones too."""
    return sum(
        (node.kind() not in _NO_OPERATION) + sum(map(operations_of, _parts(node))) for node in block.nodes()
    )


def kinds_in(block: Any, counts: dict[str, int] | None = None) -> dict[str, int]:
    """How many nodes there are of each kind, nested ones too."""
    counts = {} if counts is None else counts
    for node in block.nodes():
        counts[node.kind()] = counts.get(node.kind(), 0) + 1
        for part in _parts(node):
            kinds_in(part, counts)
    return counts


def _parts(node: Any) -> list[Any]:
    subgraph = [node.g("Subgraph")] if node.hasAttribute("Subgraph") else []
    return [*node.blocks(), *subgraph]


def read_script_graph(
    graph: Any, callers: Callers | None = None, attribute: Attribute | None = None
) -> Graph:
    """The graph as data."""
    if callers is not None:
        callers.begin(graph)
    return Graph(tuple(_Reader(callers, attribute).read(graph)))


class _Reader:
    def __init__(self, callers: Callers | None, attribute: Attribute | None) -> None:
        self._callers = callers
        self._attribute = attribute
        self._nodes: list[Node] = []
        self._counts: dict[str, int] = {}

    def read(self, graph: Any) -> list[Node]:
        names: dict[str, Argument] = {}
        owners: dict[str, str] = {}
        for index, value in enumerate(graph.inputs()):
            if index == 0 and _is_module(value):
                owners[value.debugName()] = ""
                continue
            node_id = f"%{value.debugName()}"
            names[value.debugName()] = NodeArgument(node_id)
            self._nodes.append(
                Node(node_id, "placeholder", value.debugName(), _args(), value=_type(value), role="input")
            )
        scope = _Scope("", names, owners, "")
        self._block(graph, scope)
        results = tuple(self._value(value, scope) for value in graph.outputs())
        self._nodes.append(Node("return", "output", "output", _args(*results)))
        return self._nodes

    def _block(self, block: Any, scope: "_Scope") -> None:
        for node in block.nodes():
            kind = node.kind()
            if kind == "prim::Constant" and not _is_tensor_constant(node):
                scope.names[node.output().debugName()] = _constant(node)
            elif kind == "prim::GetAttr":
                self._get_attribute(node, scope)
            else:
                self._call(node, scope)

    def _get_attribute(self, node: Any, scope: "_Scope") -> None:
        name = node.output().debugName()
        owner = scope.owners.get(node.inputsAt(0).debugName())
        if owner is None:  # of an object that is no module of ours
            self._call(node, scope)
            return
        path = f"{owner}.{node.s('name')}" if owner else node.s("name")
        scope.owners[name] = path
        if _is_module(node.output()):
            return
        value = self._attribute_value(path) or _type(node.output())
        role = "parameter" if isinstance(value, TensorValue) else ""
        module = owner if not scope.container else scope.container
        made = Node(scope.id(name), "get_attr", path, _args(), value=value, module_path=module, role=role)
        self._add(made, scope, name)

    def _attribute_value(self, path: str) -> Value | None:
        if self._attribute is None:
            return None
        try:
            return read_value(self._attribute(path))
        except (AttributeError, RuntimeError):
            return None

    def _call(self, node: Any, scope: "_Scope") -> None:
        kind = node.kind()
        stack, module, module_type = self._callers.of(node) if self._callers is not None else ((), "", "")
        path = scope.path_of(module)
        parts = [*node.blocks()]
        results: list[Argument] = []
        container = ""
        if parts or node.hasAttribute("Subgraph"):
            container = self._numbered(kind.rpartition("::")[2].lower())
        for index, part in enumerate(parts):
            labels = _BLOCKS.get(kind, ())
            label = labels[index] if index < len(labels) else f"block{index}"
            results += self._inner_block(
                node, part, scope.within(f"{_dotted(path)}{container}.{label}", module)
            )
        if node.hasAttribute("Subgraph"):
            inner = _Scope(f"{_dotted(path)}{container}", {}, {}, module, f"{container}/")
            results += self._subgraph(node, scope, inner)
        inputs = [self._value(value, scope) for value in node.inputs() if not self._is_owner(value, scope)]
        if kind == "prim::CallMethod":
            op, target = "call_module", scope.owners.get(node.inputsAt(0).debugName()) or str(node.s("name"))
        elif kind == "prim::Constant":
            op, target = "get_attr", "prim::Constant"
        else:
            op, target = "call_function", _target(node)
        outputs = list(node.outputs())
        made = Node(
            id=scope.id(outputs[0].debugName()) if len(outputs) == 1 else self._numbered(_short(kind)),
            op=op,
            target=target,
            args=_args(*inputs, *results),
            value=_result(node, outputs) if len(outputs) == 1 else None,
            module_path=path,
            module_type="" if scope.container else module_type,
            stack=stack,
            role="parameter" if kind == "prim::Constant" else "",
            notes=_notes(node),
        )
        self._add(made, scope, outputs[0].debugName() if len(outputs) == 1 else "")
        if len(outputs) > 1:
            self._results(made, outputs, scope)

    def _results(self, node: Node, outputs: list[Any], scope: "_Scope") -> None:
        for index, value in enumerate(outputs):
            name = value.debugName()
            item = Node(
                scope.id(name),
                "call_function",
                "_operator.getitem",
                _args(NodeArgument(node.id), ConstantArgument("int", str(index))),
                value=_type(value),
                module_path=node.module_path,
                stack=node.stack,
            )
            self._add(item, scope, name)

    def _inner_block(self, node: Any, part: Any, inner: "_Scope") -> list[Argument]:
        """The nodes of a block; gives its results. What a loop hands its body stands in it as nodes of their own."""
        carried = list(node.inputs())[2:] if node.kind() == "prim::Loop" else []
        for index, value in enumerate(part.inputs()):
            given = [self._value(carried[index - 1], inner)] if 0 < index <= len(carried) else []
            name = value.debugName()
            what = "prim::Param" if given else "prim::Param[iteration]"
            self._add(
                Node(
                    inner.id(name),
                    "call_function",
                    what,
                    _args(*given),
                    value=_type(value),
                    module_path=inner.container,
                ),
                inner,
                name,
            )
        self._block(part, inner)
        return [self._value(value, inner) for value in part.outputs()]

    def _subgraph(self, node: Any, scope: "_Scope", inner: "_Scope") -> list[Argument]:
        """The nodes of a fusion group or of a part that is differentiated as one; gives its results."""
        graph = node.g("Subgraph")
        for value, given in zip(graph.inputs(), node.inputs(), strict=False):
            inner.names[value.debugName()] = self._value(given, scope)
        self._block(graph, inner)
        return [self._value(value, inner) for value in graph.outputs()]

    def _value(self, value: Any, scope: "_Scope") -> Argument:
        name = value.debugName()
        return scope.names.get(name) or ConstantArgument("opaque", f"%{name}")

    def _is_owner(self, value: Any, scope: "_Scope") -> bool:
        return value.debugName() in scope.owners and value.debugName() not in scope.names

    def _add(self, node: Node, scope: "_Scope", name: str) -> None:
        self._nodes.append(node)
        if name:
            scope.names[name] = NodeArgument(node.id)

    def _numbered(self, what: str) -> str:
        self._counts[what] = self._counts.get(what, 0) + 1
        return f"{what}_{self._counts[what]}"


class _Scope:
    """Names that a block sees, and the container it is."""

    def __init__(
        self,
        container: str,
        names: dict[str, Argument],
        owners: dict[str, str],
        module: str,
        prefix: str = "",
    ) -> None:
        self.container = container
        self.names = names
        self.owners = owners
        """Paths of values that are modules, and of their attributes."""
        self.module = module
        """Path of the module whose code holds the container."""
        self.prefix = prefix
        """Of ids in a subgraph, whose names are its own."""

    def within(self, container: str, module: str) -> "_Scope":
        """A block in this one: it sees all that stands before it, and nothing of it is seen after it."""
        return _Scope(container, dict(self.names), dict(self.owners), module, self.prefix)

    def id(self, name: str) -> NodeId:
        return f"{self.prefix}%{name}"

    def path_of(self, module: str) -> str:
        """Where a node of a module stands: in the container, and in modules called from within it."""
        if not self.container:
            return module
        if module == self.module or not module:
            return self.container
        inside = module.removeprefix(f"{self.module}.") if self.module else module
        return f"{self.container}.{inside}"


def _result(node: Any, outputs: list[Any]) -> Value | None:
    return read_value(node.t("value")) if _is_tensor_constant(node) else _type(outputs[0])


def _args(*items: Argument) -> SequenceArgument:
    return SequenceArgument("tuple", tuple(items))


def _dotted(path: str) -> str:
    return f"{path}." if path else ""


def _short(kind: str) -> str:
    return kind.rpartition("::")[2]


def _is_module(value: Any) -> bool:
    return str(value.type().kind()) == "ClassType"


def _is_tensor_constant(node: Any) -> bool:
    return bool(node.hasAttribute("value") and node.kindOf("value") == "t" and node.t("value").numel() > 1)


def _constant(node: Any) -> Argument:
    if not node.hasAttribute("value"):
        return ConstantArgument("opaque", node.s("name")) if node.hasAttribute("name") else NONE
    kind = node.kindOf("value")
    try:
        value = node.output().toIValue()
    except RuntimeError:
        value = None
    type_name = str(node.output().type())
    if type_name == "bool":
        return ConstantArgument("bool", str(bool(value)))
    if type(value) in (int, float, str):
        return ConstantArgument(type(value).__name__, repr(value))
    if isinstance(value, list) and all(type(item) in (int, float, bool, str) for item in value):
        return SequenceArgument(
            "list", tuple(ConstantArgument(type(item).__name__, repr(item)) for item in value)
        )
    text = repr(value) if value is not None else f"{type_name} constant ({kind})"
    return ConstantArgument("opaque", text if len(text) <= _LONGEST else text[: _LONGEST - 1] + "…")


def _target(node: Any) -> str:
    names = [
        name
        for name in node.attributeNames()
        if name not in ("Subgraph", "value") and node.kindOf(name) in "ifs"
    ]
    parts = [f"{name}={getattr(node, node.kindOf(name))(name)}" for name in names]
    return f"{node.kind()}[{', '.join(parts)}]" if parts else str(node.kind())


_PROFILED = re.compile(r"profiled_type=(.+?), seen_none=")
"""Torch binds no reader of attributes that are types, so it is read off the node's text."""


def _notes(node: Any) -> tuple[str, ...]:
    if node.kind() != "prim::profile":
        return ()
    found = _PROFILED.search(str(node))
    return (f"profiled as {found[1]}",) if found is not None else ()


def _type(value: Any) -> Value | None:
    kind = value.type()
    if str(kind.kind()) != "TensorType":
        return OtherValue(str(kind).rpartition(".")[2] if "__torch__" in str(kind) else str(kind))
    sizes, dtype = kind.sizes(), kind.dtype()
    if sizes is None or dtype is None:
        return OtherValue("Tensor")
    strides, device = kind.strides(), kind.device()
    count = 1
    for size in sizes:
        count *= size
    return TensorValue(
        tuple(map(str, sizes)),
        str(dtype).removeprefix("torch."),
        str(device) if device is not None else "cpu",
        tuple(map(str, strides)) if strides is not None else None,
        bool(kind.requires_grad()),
        count * torch.empty((), dtype=dtype).element_size(),
    )
