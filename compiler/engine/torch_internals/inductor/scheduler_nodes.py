"""A scheduler node of Inductor's read into plain data."""

import functools
from typing import Any

import torch.fx
from torch._dynamo.utils import counters
from torch._inductor import dependencies, ir, scheduler
from torch._inductor.virtualized import V
from torch.utils import _pytree as pytree

from compiler.engine.torch_internals.inductor.loop_origins import fx_name, own_node, traced_nodes
from compiler.engine.torch_internals.patch.library_flops import flops_of
from compiler.engine.torch_internals.patch.patching import around
from compiler.model.ir.loop_ir import Dependency, LoopNode

GIVES = "reading of scheduler nodes"
NEEDS = ("torch._inductor.scheduler:BaseSchedulerNode", "torch._inductor.ir:Loops")
_COMPILED = "torch.fx.graph_module:_forward_from_src"
"""Compiles the code of a graph, which torch prints a loop body with: that is read here and never run."""
_COUNTED = "flop_count"
_MOST_KNOWN = 20_000
_FLOPS: dict[object, int | None] = {}
_PLAIN = (int, float, bool, str, type(None), torch.dtype, torch.device, torch.layout, torch.memory_format)


def read_scheduler_nodes(nodes: Any, bodies: bool) -> list[LoopNode]:
    """Nodes in the scheduler's order. `bodies` False leaves out the loop bodies, which fusion does not change."""
    maker: dict[str, str] = {}
    for node in nodes:
        for buffer in node.get_buffer_names():
            maker[str(buffer)] = str(node.get_name())
    with around(_COMPILED, lambda *args, original, **kwargs: original("def forward(): ...", {})):
        return [_read(node, maker, bodies) for node in nodes]


def _read(node: Any, maker: dict[str, str], bodies: bool) -> LoopNode:
    name = str(node.get_name())
    grouped = isinstance(node, scheduler.FusedSchedulerNode | scheduler.GroupedSchedulerNode)
    members = tuple(node.get_nodes())
    reads = _dependencies(node.read_writes.reads)
    inputs = tuple(
        dict.fromkeys(
            maker[dependency.buffer]
            for dependency in reads
            if dependency.buffer in maker and maker[dependency.buffer] != name
        )
    )
    return LoopNode(
        id=name,
        kind=type(node).__name__,
        operation=" + ".join(dict.fromkeys(_operation(member) for member in members)),
        reads=reads,
        writes=_dependencies(node.read_writes.writes),
        buffers=tuple(sorted(map(str, node.get_buffer_names()))),
        inputs=inputs,
        children=tuple(str(member.get_name()) for member in members) if grouped else (),
        origins=tuple(dict.fromkeys(origin for member in members for origin in origins_of(member))),
        body=_body(node) if bodies and not grouped else "",
        sizes=str(getattr(node, "_sizes", "")) if not grouped else "",
        layout=_layout(node) if not grouped else "",
        bytes_moved=_number(node.get_read_write_buffers_sizes),
        flops=_flops(node),
        value_of="" if grouped else _value_of(node),
        computes=tuple(dict.fromkeys(name for member in members for name in _computes(member))),
    )


def origins_of(node: Any) -> list[str]:
    """FX nodes a scheduler node was lowered from, in name order, as torch keeps them on the IR node."""
    inner = getattr(node, "node", None)
    return sorted(filter(None, map(fx_name, inner.get_origins()))) if inner is not None else []


def _computes(node: Any) -> tuple[str, ...]:
    """FX nodes of a loop body's closures; of a library call, the one it was lowered from."""
    body = getattr(node, "_body", None)
    inner = getattr(node, "node", None)
    return traced_nodes(body) if body is not None else tuple(filter(None, (own_node(inner),)))


def _value_of(node: Any) -> str:
    """The FX node that torch notes on the buffer of a node which makes one buffer."""
    inner = getattr(node, "node", None)
    origin = inner.get_origin_node() if hasattr(inner, "get_origin_node") else None
    return fx_name(origin) if origin is not None and len(node.get_buffer_names()) == 1 else ""


def _flops(node: Any) -> int | None:
    """Inductor's count; of library calls that it leaves out, torch's formula. Counted once for calls on the same sizes."""
    inner = getattr(node, "node", None)
    origin = getattr(inner, "fx_node", None) or getattr(inner, "origin_node", None)
    if getattr(node, "_body", None) is not None or origin is None:
        return _number(lambda: _estimated(node))
    key = _call_key(origin)
    if key is None or key not in _FLOPS:
        counted = _number(lambda: _estimated(node))
        counted = flops_of(origin) if counted is None else counted
        if key is None:
            return counted
        if len(_FLOPS) >= _MOST_KNOWN:
            _FLOPS.clear()
        _FLOPS[key] = counted
    return _FLOPS[key]


def _estimated(node: Any) -> Any:
    """Inductor's count, as if nobody had asked: torch keeps the answer, and adds it to a counter that the program may read."""
    asked = type(node).estimate_flops
    group = counters.get("inductor")
    before = None if group is None else group.get(_COUNTED)
    try:
        return getattr(asked, "__wrapped__", asked)(node)
    finally:
        after = counters.get("inductor")
        if group is None:
            counters.pop("inductor", None)
        elif before is None:
            group.pop(_COUNTED, None)
        elif after is not None:
            after[_COUNTED] = before


def _call_key(node: Any) -> object | None:
    """Target, arguments, and sizes of tensors: what operations are counted from. None where sizes are symbols."""
    known = []
    for item in (*pytree.tree_leaves((node.args, dict(node.kwargs))), node):
        value = item.meta.get("val") if isinstance(item, torch.fx.Node) else item
        if isinstance(value, torch.Tensor):
            value = (tuple(value.shape), value.dtype)
            if not all(type(size) is int for size in value[0]):
                return None
        elif isinstance(item, torch.fx.Node) or not isinstance(value, _PLAIN):
            return None
        known.append((type(value), value))
    return node.target, tuple(known)


def _operation(node: Any) -> str:
    inner = getattr(node, "node", None)
    if inner is None:
        return type(node).__name__
    kernel = getattr(inner, "python_kernel_name", None)
    if kernel:
        return str(kernel)
    data = getattr(inner, "data", None)
    return type(data).__name__ if isinstance(data, ir.IRNode) else type(inner).__name__


def _dependencies(found: Any) -> tuple[Dependency, ...]:
    result = []
    for dependency in found:
        indexed = isinstance(dependency, dependencies.MemoryDep)
        index = _text(dependency.index) if indexed else ""
        size = ", ".join(map(_text, dependency.size)) if indexed else ""
        read = Dependency(str(dependency.name), index, size, _bytes(dependency))
        result.append(
            (type(dependency).__name__, read.buffer, index, size, str(getattr(dependency, "mode", "")), read)
        )
    return tuple(row[-1] for row in sorted(result, key=lambda row: row[:-1]))


@functools.lru_cache(_MOST_KNOWN)
def _text(expression: Any) -> str:
    """As it prints; printing takes long, and equal layers have the same."""
    return str(expression)


def _bytes(dependency: Any) -> int | None:
    """Torch's count; none for an order that has to be kept and moves nothing."""
    if isinstance(dependency, dependencies.WeakDep):
        return 0
    return _number(lambda: V.graph.get_dep_size_hint(dependency))


def _body(node: Any) -> str:
    body = getattr(node, "_body", None)
    return str(body.debug_str()) if body is not None else ""


def _layout(node: Any) -> str:
    inner = getattr(node, "node", None)
    layout = getattr(inner, "layout", None)
    return str(layout) if layout is not None else ""


def _number(measure: Any) -> int | None:
    """A count of Inductor's, or None where it cannot count (symbolic sizes, kernels it has no formula for)."""
    try:
        value = measure()
    except (TypeError, AttributeError, NotImplementedError, AssertionError, KeyError, RuntimeError):
        return None
    return int(value) if value is not None else None
