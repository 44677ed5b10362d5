"""A graph that was made for a GPU, built from its plain form and run op by op on the CPU, in its own dtypes or in float64."""

from collections.abc import Callable, Mapping, Set
from typing import Any

import torch
import torch.fx
from torch.utils import _pytree as pytree

from compiler.engine.cross_compile.attention_reference import written_out
from compiler.engine.cross_compile.triton_rng import drawn
from compiler.engine.fx.inductor_rng import drawn_integers, seeds
from compiler.engine.graph_editing.submodule_callables import body_module
from compiler.engine.laid_out import once
from compiler.model.ir.graph import Graph, Node
from compiler.model.ir.ids import NodeId
from compiler.model.ir.tensor_types import TensorValue

_MOST_ELEMENTS = 1 << 24
"""Of one tensor: the interpreter takes seconds for a million."""
_SEED = 0


class NotRunnableError(Exception):
    """The graph cannot be run here; the text says why."""


def build(graph: Graph) -> torch.fx.GraphModule:
    """The live graph, with every device the CPU. Raises NotRunnableError."""
    for node in graph.nodes:
        if node.op in ("get_attr", "call_module"):
            raise NotRunnableError(
                f"the graph uses {node.target}, a constant or a submodule of which a capture keeps no values"
            )
        if isinstance(node.value, TensorValue):
            _sizes(node)
    try:
        module = body_module(graph.nodes)
    except (KeyError, RuntimeError) as error:
        raise NotRunnableError(str(error.args[0] if error.args else error)) from error
    for made in module.graph.nodes:
        made.args = pytree.tree_map(_on_cpu, made.args)
        made.kwargs = pytree.tree_map(_on_cpu, made.kwargs)
    module.recompile()
    return module


def _on_cpu(value: Any) -> Any:
    return torch.device("cpu") if isinstance(value, torch.device) else value


def _sizes(node: Node) -> tuple[list[int], list[int]]:
    assert isinstance(node.value, TensorValue)
    try:
        shape = [int(size) for size in node.value.shape]
        stride = [int(step) for step in node.value.stride or ()]
    except ValueError as error:
        raise NotRunnableError(
            f"the size of {node.id} is a symbol; capture with fixed sizes (--static)"
        ) from error
    if len(stride) != len(shape):
        raise NotRunnableError(
            f"{node.id} has no strides (a sparse or nested tensor), so that no value of its layout can be made here"
        )
    count = 1
    for size in shape:
        count *= size
    if count > _MOST_ELEMENTS:
        raise NotRunnableError(
            f"{node.id} has {count:,} elements, too many for an interpreter; capture with smaller inputs"
        )
    return shape, stride


def inputs_for(
    graph: Graph, known: Mapping[NodeId, torch.Tensor], positive: bool
) -> dict[NodeId, torch.Tensor]:
    """A value for each placeholder: the known one, else drawn from a fixed seed: normal, or between 0.1 and 1.1; integers
    are small enough for any index. Raises NotRunnableError.
    """
    generator = torch.Generator().manual_seed(_SEED)
    most = _least_size(graph)
    given = {}
    for node in graph.nodes:
        if node.op != "placeholder":
            continue
        if not isinstance(node.value, TensorValue):
            raise NotRunnableError(f"the input {node.id} is no tensor; capture with fixed sizes (--static)")
        shape, stride = _sizes(node)
        dtype = getattr(torch, node.value.dtype)
        value = torch.empty_strided(shape, stride, dtype=dtype, device="cpu")
        if node.id in known and known[node.id].shape == value.shape:
            once(value).copy_(once(known[node.id], stride))
        elif dtype.is_floating_point or dtype.is_complex:
            source = torch.rand if positive else torch.randn
            fresh = source(shape, generator=generator, device=generator.device) + (0.1 if positive else 0.0)
            once(value).copy_(once(fresh, stride))
        else:
            high = 2 if dtype == torch.bool else most
            fresh = torch.randint(0, high, shape, generator=generator, device=generator.device)
            once(value).copy_(once(fresh, stride))
        given[node.id] = value
    return given


def _least_size(graph: Graph) -> int:
    """What every index into every dimension of the graph is below, dimensions of 1 left out."""
    sizes = [
        int(size)
        for node in graph.nodes
        if isinstance(node.value, TensorValue)
        for size in node.value.shape
        if size.isdigit() and int(size) > 1
    ]
    return max(min(sizes, default=2), 2)


def evaluate(
    module: torch.fx.GraphModule,
    wanted: Set[NodeId],
    known: Mapping[NodeId, torch.Tensor],
    four_at_once: Set[NodeId] = frozenset(),
    wide: bool = False,
) -> dict[NodeId, torch.Tensor]:
    """Values of the wanted nodes, computed from those nearest above them that are known; those of the inputs must be. `wide`:
    in float64, without the graph's own roundings. `four_at_once`: random primitives that are drawn so (`triton_random`).
    Raises NotRunnableError.
    """
    needed, waiting = set(), [node for node in module.graph.nodes if node.name in wanted]
    while waiting:
        node = waiting.pop()
        if node not in needed:
            needed.add(node)
            waiting += [] if node.name in known else node.all_input_nodes
    values: dict[torch.fx.Node, Any] = {}
    with torch.no_grad():
        for node in module.graph.nodes:
            if node not in needed:
                continue
            if node.name in known:
                values[node] = _widened(known[node.name]) if wide else known[node.name].clone()
            elif node.op == "call_function":
                values[node] = _computed(node, values, four_at_once, wide)
            elif node.op != "output":
                raise NotRunnableError(f"{node.name} is a {node.op} of which no value is known")
    return {
        node.name: value
        for node, value in values.items()
        if node.name in wanted and isinstance(value, torch.Tensor)
    }


def _widened(value: torch.Tensor) -> torch.Tensor:
    if not value.is_floating_point():
        return value.clone()
    return torch.empty_strided(value.shape, value.stride(), dtype=torch.float64, device="cpu").copy_(value)


def _computed(
    node: torch.fx.Node, values: dict[torch.fx.Node, Any], four_at_once: Set[NodeId], wide: bool
) -> Any:
    args, kwargs = torch.fx.node.map_arg((node.args, node.kwargs), lambda used: values[used])
    function = _stand_in(node, four_at_once, wide) or node.target
    assert callable(function)
    result = function(*args, **kwargs)
    return (
        pytree.tree_map(lambda value: value.double() if _floating(value) else value, result)
        if wide
        else result
    )


def _stand_in(node: torch.fx.Node, four_at_once: Set[NodeId], wide: bool) -> Callable[..., Any] | None:
    name = str(node.target)
    if name == "prims.inductor_random.default":
        four = node.name in four_at_once
        return lambda size, seed, mode, **_: drawn(size, int(seed), mode, four)
    if name == "prims.inductor_randint.default":
        return lambda low, high, size, seed, **_: drawn_integers(low, high, size, int(seed))
    if name == "prims.inductor_seeds.default":
        return lambda count, device: seeds(count)
    if name == "prims.convert_element_type.default" and wide:
        return _unrounded
    return written_out(name.removeprefix("aten.").removesuffix(".default")) if "attention" in name else None


def _unrounded(value: torch.Tensor, dtype: torch.dtype) -> torch.Tensor:
    """A cast between floating dtypes does nothing in float64."""
    return value if value.is_floating_point() and dtype.is_floating_point else value.to(dtype)


def _floating(value: Any) -> bool:
    return isinstance(value, torch.Tensor) and value.is_floating_point() and value.dtype != torch.float64
