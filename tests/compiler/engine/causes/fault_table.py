"""Planted faults with what the search has to say of them."""

import re
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
    program: str = ""
    """The program of `tests/data/cause_programs.py` that it is made for; empty where it may be put into any."""

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


def operator_called(target: Any, instead: Any, says: str) -> Fault:
    """Dynamo writes another call than the program makes."""
    return Fault(
        f"Dynamo calls {says} for {target.__name__}",
        lambda: planted.wrong_dynamo(target, instead),
        ("dynamo",),
        says,
    )


def _narrow_norm(right: Callable[..., Any]) -> Callable[..., Any]:
    def wrong(x: Any, shape: Any, weight: Any, bias: Any, eps: float) -> Any:
        _, *saved = right(x, shape, weight, bias, eps)
        mean = x.sum(-1, keepdim=True) / x.shape[-1]
        square = (x * x).sum(-1, keepdim=True) / x.shape[-1]
        scale = torch.rsqrt(square - mean * mean + eps)
        return ((x - mean) * scale * weight + bias, *saved)

    return wrong


def _unmasked(source: str) -> str:
    return re.sub(r"sum_masked_reduce\((\w+), (\w+), static_cast<int64_t>\([^)]*\)\)", r"(\1 + \2)", source)


def _clobbering(source: str) -> str:
    if "const float* in_ptr0" not in source:
        return source
    head, brace, tail = source.rpartition("}")
    return f"{head}    const_cast<float*>(in_ptr0)[0] += 1.0f;\n{brace}{tail}"


def _cut_off(x: torch.Tensor, *args: object, **kwargs: object) -> torch.Tensor:
    return torch.nn.functional.gelu(x).detach()


MORE = (
    decomposition(aten.native_layer_norm_backward.default),
    decomposition(aten.embedding_dense_backward.default),
    decomposition(aten.silu.default),
    decomposition(aten.silu_backward.default),
    decomposition(aten.threshold_backward.default),
    decomposition(aten.tanh_backward.default),
    decomposition(aten._native_batch_norm_legit_functional.default),
    lowered(aten.tanh.default),
    lowered(aten.relu.default),
    lowered(aten.embedding.default),
    lowered(aten.cat.default),
    lowered(aten.var_mean.correction),
    vectorised("tanh"),
    fused("exp", "fusion"),
    library("mm"),
    library("bmm"),
    library("convolution"),
    operator_called(torch.nn.functional.softmax, torch.nn.functional.log_softmax, "log_softmax"),
    operator_called(torch.nn.functional.gelu, _cut_off, "needs no gradient"),
    Fault(
        "a rewrite of the joint graph",
        lambda: planted.wrong_rewrite("joint_graph", aten.rsqrt.default, 1.01),
        ("joint pass",),
        "drop_what_matters",
    ),
    Fault(
        "a rewrite after autograd",
        lambda: planted.wrong_rewrite("post_grad", aten.exp.default, 1.01),
        ("pass",),
        "drop_what_matters",
    ),
    Fault("different nodes made one", planted.wrong_cse, ("partition",), "cse"),
    Fault("constants folded wrong", planted.wrong_folding, ("joint pass",), "constant_fold_uniform_value"),
    Fault("fused in another order", planted.race, ("fusion",), "fusion", "Reversed"),
    Fault(
        "no mask at the end of a row",
        lambda: planted.wrong_source(_unmasked),
        ("code generation", "lowering"),
        "ends of loops",
        "OddTail",
    ),
    Fault(
        "a norm without an upcast",
        lambda: planted.wrong_decomposition(aten.native_layer_norm.default, _narrow_norm),
        ("decomposition",),
        "native_layer_norm",
        "NarrowNorm",
    ),
    Fault(
        "a kernel writes over what it reads",
        lambda: planted.wrong_source(_clobbering),
        ("overwritten buffer",),
        "writes over buf0",
        "Clobbers",
    ),
    Fault("a view with another offset", planted.wrong_alias, ("autograd",), "AOTAutograd", "GivesView"),
    Fault("one seed for every mask", planted.one_seed, (), "", "TwoDropouts"),
)
"""More of them, for programs that Small is not like."""
EVERY = (*SMALL, *MORE)
