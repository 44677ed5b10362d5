"""Reader: TorchScript's own passes over a graph, and what its executor made of one."""

import contextlib
from collections.abc import Callable, Iterator
from typing import Any

import torch

GIVES = "TorchScript's passes one by one, and the graphs of its executor"
NEEDS = (
    "torch._C:_jit_pass_inline",
    "torch._C:_jit_pass_dce",
    "torch.jit:last_executed_optimized_graph",
    "torch.jit._state:_python_cu",
)

Pass = tuple[str, str, Callable[[Any], Any]]
"""Title, torch's name, function that changes a graph in place (or gives the new one)."""


def _plain(title: str, name: str, *more: Any) -> Pass | None:
    function = getattr(torch._C, f"_jit_pass_{name}", None)
    return (title, name, lambda graph: function(graph, *more)) if function is not None else None


_AUTODIFF_THRESHOLD = 2  # torch's own for graphs that it differentiates: smaller groups are dissolved again


def passes() -> tuple[Pass, ...]:
    """What can be run over an inlined graph, in the order that the executor has them in."""
    return tuple(
        found
        for found in (
            _plain("DCE", "dce"),
            _plain("Constants", "constant_propagation"),
            _plain("Peephole", "peephole", False),
            _plain("CSE", "cse"),
            _plain("Pooling", "constant_pooling"),
            _plain("Unrolling", "loop_unrolling"),
            _plain("Mutation", "remove_mutation"),
            _plain("Tuples", "lower_all_tuples"),
            _plain("DCE again", "dce"),
            _plain("Fusion", "fuse_tensorexprs"),
            _plain("Autodiff", "create_autodiff_subgraphs", _AUTODIFF_THRESHOLD),
        )
        if found is not None
    )


def frozen_passes() -> tuple[Pass, ...]:
    """What torch.jit.freeze and optimize_for_inference run over a frozen graph."""
    return tuple(
        found
        for found in (
            _plain("Conv-bn", "fold_frozen_conv_bn"),
            _plain("Conv-add", "fold_frozen_conv_add_or_sub"),
            _plain("Conv-mul", "fold_frozen_conv_mul_or_div"),
        )
        if found is not None
    )


def inlined(graph: Any) -> Any:
    """A copy of a graph with all calls replaced by what they call."""
    copy = graph.copy()
    torch._C._jit_pass_inline(copy)
    return copy


def functions() -> Any:
    """The compilation unit that knows every function and method that was compiled, by its qualified name."""
    from torch.jit import _state

    return _state._python_cu


def last_executed() -> Any | None:
    """The graph that the executor ran last in this thread, or None."""
    try:
        return torch.jit.last_executed_optimized_graph()
    except RuntimeError:
        return None


def forget_compiled() -> None:
    """What is scripted from now on is compiled afresh: torch gives modules of one type, and functions, what it compiled
    before, with the plans that its executor made.
    """
    from torch.jit import _recursive, _state

    with contextlib.suppress(AttributeError):
        _recursive.concrete_type_store = _recursive.ConcreteTypeStore()
        _state._jit_caching_layer.clear()


@contextlib.contextmanager
def fusing_on_cpu() -> Iterator[bool]:
    """While this is entered the TensorExpr fuser takes CPU graphs, which it does not by itself without LLVM: its kernels are
    then interpreted, and slow. Gives whether this torch has it.
    """
    names = ("_jit_override_can_fuse_on_cpu", "_jit_set_te_must_use_llvm_cpu", "_jit_can_fuse_on_cpu")
    if not all(hasattr(torch._C, name) for name in names):
        yield False
        return
    could, must = torch._C._jit_can_fuse_on_cpu(), torch._C._jit_get_te_must_use_llvm_cpu()
    torch._C._jit_override_can_fuse_on_cpu(True)
    torch._C._jit_set_te_must_use_llvm_cpu(False)
    try:
        yield True
    finally:
        torch._C._jit_override_can_fuse_on_cpu(could)
        torch._C._jit_set_te_must_use_llvm_cpu(must)
