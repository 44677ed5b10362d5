"""Planted faults with what the search has to say of them."""

from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Any, NamedTuple

import torch
from torch._inductor import lowering

from compiler.model.experiments.causes import CauseFound
from tests.compiler.engine.causes import planted

aten: Any = torch.ops.aten


class Fault(NamedTuple):
    """A fault and its name."""

    name: str
    plant: Callable[[], AbstractContextManager[None]]
    kinds: tuple[str, ...]
    says: str
    """Is in the sentence, or in the nodes."""
    forward_only: bool = False

    def is_named(self, found: CauseFound) -> bool:
        """Whether what was found is this fault."""
        return found.kind in self.kinds and (self.says in found.sentence or self.says in found.nodes)


def _off(right: Callable[..., Any], by: float = 1.01) -> Callable[..., Any]:
    def wrong(*args: Any, **kwargs: Any) -> Any:
        found = right(*args, **kwargs)
        return (found[0] * by, *found[1:]) if isinstance(found, tuple) else found * by

    return wrong


def _off_loops(right: Callable[..., Any]) -> Callable[..., Any]:
    def wrong(*args: Any, **kwargs: Any) -> Any:
        return lowering.mul(right(*args, **kwargs), 1.01)

    return wrong


def _large_epsilon(right: Callable[..., Any]) -> Callable[..., Any]:
    def wrong(x: Any, shape: Any, weight: Any, bias: Any, eps: float) -> Any:
        return right(x, shape, weight, bias, eps + 0.01)

    return wrong


def _scaled(target: Any) -> Callable[[Any], None]:
    return lambda graph: planted.scaled(getattr(graph, "graph", graph), target, 1.01)


def _code(text: str) -> str:
    return f"({text} * decltype({text})(1.01))"


def decomposition(operator: Any, make: Callable[..., Any] = _off) -> Fault:
    """An operator that AOTAutograd takes apart."""
    name = str(operator).removesuffix(".default")
    return Fault(
        f"decomposition of {name}",
        lambda: planted.wrong_decomposition(operator, make),
        ("decomposition",),
        name,
    )


def lowered(operator: Any, *nodes: str) -> Fault:
    """An operator that Inductor lowers."""
    name = nodes[0] if nodes else operator.name().removeprefix("aten::").partition(".")[0]
    return Fault(
        f"lowering of {operator}", lambda: planted.wrong_lowering(operator, _off_loops), ("lowering",), name
    )


def vectorised(operation: str) -> Fault:
    """C++ for an operation."""
    return Fault(
        f"vectorised {operation}",
        lambda: planted.wrong_code(operation, True, _code),
        ("code generation", "lowering"),
        operation,
    )


def fused(operation: str, says: str) -> Fault:
    """C++ for an operation where several nodes are one kernel."""
    return Fault(f"fused {operation}", lambda: planted.wrong_where_fused(operation, _code), ("fusion",), says)


def a_pass(setting: str, target: Any, kind: str, says: str) -> Fault:
    """A pass of the user's."""
    return Fault(f"{setting}: {says}", lambda: planted.wrong_pass(setting, _scaled(target)), (kind,), setting)


def library(name: str) -> Fault:
    """A library call."""
    return Fault(f"library {name}", lambda: planted.wrong_library(name), ("extern kernel",), name)


SMALL = (
    decomposition(aten.native_layer_norm.default, _large_epsilon),
    decomposition(aten.gelu.default),
    decomposition(aten.gelu_backward.default),
    decomposition(aten._softmax.default),
    decomposition(aten._softmax_backward_data.default),
    a_pass("pre_grad_custom_pass", torch.nn.functional.softmax, "pass", "softmax"),
    a_pass("joint_custom_pre_pass", aten.rsqrt.default, "joint pass", "rsqrt"),
    a_pass("joint_custom_post_pass", aten.erf.default, "joint pass", "erf"),
    a_pass("post_grad_custom_pre_pass", aten.exp.default, "pass", "exp"),
    a_pass("post_grad_custom_post_pass", aten.erf.default, "pass", "erf"),
    lowered(aten.erf.default),
    lowered(aten.rsqrt.default),
    lowered(aten.exp.default),
    lowered(aten.sum.dim_IntList),
    vectorised("erf"),
    vectorised("rsqrt"),
    vectorised("exp"),
    fused("rsqrt", "fusion"),
    library("addmm"),
    Fault(
        "Dynamo calls silu for gelu",
        lambda: planted.wrong_dynamo(torch.nn.functional.gelu, torch.nn.functional.silu),
        ("dynamo",),
        "silu",
    ),
    Fault("what is saved is halved", planted.wrong_partition, ("partition",), "cut"),
)
