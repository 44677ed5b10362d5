"""Which operations a node could call instead, and which could stand behind it: tried out on fake tensors, so that what is offered works."""

import contextlib
import functools
from collections.abc import Callable, Iterator
from typing import Any

import torch
import torch.overrides

from compiler.engine.fx.graph_import import is_operator, read_argument, read_value, target_name
from compiler.engine.graph_editing.module_candidates import module_choices
from compiler.engine.quiet_logs import nothing_said
from compiler.engine.torch_internals.inductor.inductor_lowerings import can_take
from compiler.engine.torch_internals.patch.operators import schema_of
from compiler.model.ir.arguments import MappingArgument, SequenceArgument
from compiler.model.ir.tensor_types import describe
from compiler.model.operators.op_candidates import OpChoice, OpChoices

_COMMON = {
    "relu": ("gelu", "silu", "tanh", "sigmoid", "leaky_relu", "elu", "hardswish", "mish", "softplus"),
    "dropout": ("alpha_dropout", "relu", "gelu"),
    "add": ("sub", "mul", "maximum", "minimum"),
    "mul": ("add", "div", "sub"),
    "sin": ("cos", "tan", "tanh"),
    "mean": ("sum", "amax", "amin", "median"),
}
_COMMON["gelu"] = ("relu", *_COMMON["relu"][1:])
_BEHIND = ("relu", *_COMMON["relu"])
"""What is put on an edge most often."""


def choices_for(node: torch.fx.Node, value_of: Callable[[torch.fx.Node], Any], fake_mode: Any) -> OpChoices:
    """Every operation that accepts this node's arguments, likely swaps first.

    `value_of` gives the fake result of a node. In-place and private operations are left out; the model's own modules
    come last.
    """
    values = torch.fx.map_arg((node.args, node.kwargs), value_of)
    args, kwargs = values
    candidates = _aten_candidates() if _is_aten(node) else _torch_candidates()
    current = _short_name(target_name(node.target))
    wanted = _COMMON.get(current, ())
    expected = describe(read_value(value_of(node)))
    found: list[tuple[tuple[int, int, str], OpChoice]] = []
    with fake_mode or contextlib.nullcontext(), nothing_said(), torch.no_grad():
        for op, target, function in candidates:
            fit = _fit(function, node, args, kwargs)
            if fit is None:
                continue
            live_args, live_kwargs, result = fit
            name = _short_name(target)
            shape = describe(read_value(result))
            if not shape:
                continue
            choice = OpChoice(
                op=op,
                target=target,
                label=name,
                signature=f"{_signature(function, name)} → {shape}",
                args=_sequence(live_args),
                kwargs=MappingArgument(
                    tuple((key, read_argument(item)) for key, item in live_kwargs.items())
                ),
                common=name in wanted,
            )
            rank = wanted.index(name) if name in wanted else len(wanted)
            found.append(((rank, int(shape != expected), name), choice))
        modules = () if _is_aten(node) else tuple(module_choices(node, value_of))
    found.sort(key=lambda item: (item[0], item[1].target))
    return OpChoices(node.name, (*(choice for _, choice in found), *modules))


def choices_behind(
    node: torch.fx.Node, value_of: Callable[[torch.fx.Node], Any], fake_mode: Any
) -> OpChoices:
    """Every operation that takes this node's result alone and gives one of the same type, likely ones first: whatever
    used the node can use it instead. The node may be an input of the graph.
    """
    value = value_of(node)
    if not isinstance(value, torch.Tensor):
        return OpChoices(node.name, ())
    expected = describe(read_value(value))
    found = []
    with fake_mode or contextlib.nullcontext(), nothing_said(), torch.no_grad():
        for op, target, function in _aten_candidates() if _holds_aten(node.graph) else _torch_candidates():
            try:
                result = function(value)
            except Exception:  # noqa: BLE001  whatever it raises, it does not take this alone
                continue
            shape = describe(read_value(result)) if isinstance(result, torch.Tensor) else ""
            if shape == expected:
                name = _short_name(target)
                signature = f"{_signature(function, name)} → {shape}"
                found.append(
                    OpChoice(op, target, name, signature, _sequence((node,)), common=name in _BEHIND)
                )
    found.sort(
        key=lambda choice: (_BEHIND.index(choice.label) if choice.common else len(_BEHIND), choice.target)
    )
    return OpChoices(node.name, tuple(found))


def _sequence(items: tuple[Any, ...]) -> SequenceArgument:
    return SequenceArgument("tuple", tuple(read_argument(item) for item in items))


def _is_aten(node: torch.fx.Node) -> bool:
    return is_operator(node.target)


def _holds_aten(graph: torch.fx.Graph) -> bool:
    """Whether a graph is one of operators, as most of its calls are: what stands between them in Python is no operator."""
    calls = [node for node in graph.nodes if node.op == "call_function"]
    return 2 * sum(map(_is_aten, calls)) > len(calls)


def _short_name(target: str) -> str:
    parts = target.split(".")
    if target.startswith("aten.") and len(parts) > 2:
        return parts[1]
    return parts[-1]


def _fit(
    function: Callable[..., Any], node: torch.fx.Node, args: Any, kwargs: Any
) -> tuple[tuple[Any, ...], dict[str, Any], Any] | None:
    """The node's arguments that the function takes, and its result; None if it takes neither all nor the tensors."""
    whole = (tuple(node.args), dict(node.kwargs), tuple(args), dict(kwargs))
    tensors = [index for index, value in enumerate(args) if isinstance(value, torch.Tensor)]
    only: tuple[tuple[Any, ...], dict[str, Any], tuple[Any, ...], dict[str, Any]] = (
        tuple(node.args[index] for index in tensors),
        {},
        tuple(args[index] for index in tensors),
        {},
    )
    for live_args, live_kwargs, fake_args, fake_kwargs in (whole, only):
        try:
            result = function(*fake_args, **fake_kwargs)
        except Exception:  # noqa: BLE001  whatever it raises, it does not take these arguments
            continue
        if isinstance(result, torch.Tensor):
            return live_args, live_kwargs, result
    return None


@functools.cache
def _torch_candidates() -> tuple[tuple[str, str, Callable[..., Any]], ...]:
    return tuple(_find_torch_candidates())


def _find_torch_candidates() -> Iterator[tuple[str, str, Callable[..., Any]]]:
    """Functions of torch that take tensors, by torch's own list, under the name people write."""
    spaces = (
        (torch.nn.functional, "torch.nn.functional"),
        (torch, "torch"),
        (torch.special, "torch.special"),
    )
    seen: set[Any] = set()
    overridable = torch.overrides.get_overridable_functions()
    for space, prefix in spaces:
        for function in overridable.get(space, ()):
            name = getattr(function, "__name__", "")
            public = (
                name
                and not name.startswith("_")
                and not name.endswith("_")
                and getattr(space, name, None) is function
            )
            if public and function not in seen:
                seen.add(function)
                yield "call_function", f"{prefix}.{name}", function


@functools.cache
def _aten_candidates() -> tuple[tuple[str, str, Callable[..., Any]], ...]:
    return tuple(_find_aten_candidates())


def _find_aten_candidates() -> Iterator[tuple[str, str, Callable[..., Any]]]:
    """Functional aten overloads that Inductor takes, as they are or decomposed, and whose first argument is a tensor."""
    for name in dir(torch.ops.aten):
        if name.startswith("_"):
            continue
        packet = getattr(torch.ops.aten, name)
        if not hasattr(packet, "overloads"):
            continue
        for overload in packet.overloads():
            operation = getattr(packet, overload)
            schema = schema_of(operation)
            first = schema.arguments[0].type if schema.arguments else None
            tensor_first = first is not None and str(first) == "Tensor"
            functional = not schema.is_mutable and overload not in ("out", "names_out")
            if tensor_first and functional and can_take(operation):
                yield "call_function", str(operation), operation


def _signature(function: Callable[..., Any], name: str) -> str:
    schema = schema_of(function)
    if schema is not None:
        return str(schema).partition("::")[2].partition(" ->")[0]
    documented = (getattr(function, "__doc__", None) or "").strip().split("\n")[0]
    return documented.partition(" ->")[0] if documented.startswith(f"{name}(") else f"{name}(...)"
