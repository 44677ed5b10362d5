"""Faults that are put into torch from outside, each of a kind that torch has had: what the search must name is known."""

import contextlib
from collections.abc import Callable, Iterator
from typing import Any
from unittest import mock

import torch
import torch._inductor.config
import torch._inductor.decomposition
import torch._inductor.lowering
from torch._inductor.codegen.cpp import CppOverrides, CppVecOverrides

aten: Any = torch.ops.aten


@contextlib.contextmanager
def wrong_decomposition(operator: Any, make: Callable[[Any], Any]) -> Iterator[None]:
    """An operator is taken apart into something else."""
    import functools

    table = torch._inductor.decomposition.decompositions
    right = table[operator]
    wrong = functools.wraps(right)(make(right))
    with mock.patch.dict(table, {operator: wrong}):
        torch._inductor.decomposition.fast_random_decomps.cache_clear()
        try:
            yield
        finally:
            torch._inductor.decomposition.fast_random_decomps.cache_clear()


@contextlib.contextmanager
def wrong_pass(when: str, change: Callable[[torch.fx.Graph], None]) -> Iterator[None]:
    """A pass of a phase (a setting of Inductor's) spoils the graph."""
    with torch._inductor.config.patch({when: change}):
        yield


@contextlib.contextmanager
def wrong_lowering(operator: Any, make: Callable[[Any], Any]) -> Iterator[None]:
    """An operator is lowered to loops that compute something else."""
    table = torch._inductor.lowering.lowerings
    with mock.patch.dict(table, {operator: make(table[operator])}):
        yield


@contextlib.contextmanager
def wrong_code(name: str, vectorised: bool, write: Callable[[str], str]) -> Iterator[None]:
    """The C++ for an operation is another one."""
    owner = CppVecOverrides if vectorised else CppOverrides
    right = getattr(owner, name)

    def wrong(*args: Any, **kwargs: Any) -> Any:
        return write(right(*args, **kwargs))

    with mock.patch.object(owner, name, staticmethod(wrong)):
        yield


@contextlib.contextmanager
def wrong_where_fused(name: str, write: Callable[[str], str]) -> Iterator[None]:
    """The C++ for an operation is another one in kernels of several nodes."""
    from torch._inductor.codegen.cpp import CppScheduling

    codegen = CppScheduling.codegen_node
    fused: list[bool] = [False]

    def codegen_node(self: Any, node: Any) -> Any:
        fused[0] = len(node.get_nodes()) > 1
        try:
            return codegen(self, node)
        finally:
            fused[0] = False

    with contextlib.ExitStack() as stack:
        stack.enter_context(mock.patch.object(CppScheduling, "codegen_node", codegen_node))
        for owner in (CppOverrides, CppVecOverrides):
            right = getattr(owner, name)

            def wrong(*args: Any, right: Any = right) -> Any:
                text = right(*args)
                return write(text) if fused[0] else text

            stack.enter_context(mock.patch.object(owner, name, staticmethod(wrong)))
        yield


@contextlib.contextmanager
def wrong_dynamo(target: Any, instead: Any) -> Iterator[None]:
    """Dynamo writes another call into its graph than the program makes."""
    from torch._dynamo.output_graph import SubgraphTracer

    create = SubgraphTracer.create_node

    def create_node(self: Any, op: str, target_: Any = None, *args: Any, **kwargs: Any) -> Any:
        return create(self, op, instead if target_ is target else target_, *args, **kwargs)

    with mock.patch.object(SubgraphTracer, "create_node", create_node):
        yield


@contextlib.contextmanager
def wrong_partition() -> Iterator[None]:
    """What is saved for the backward is not what the backward takes it for."""
    from torch._inductor import compile_fx

    cut = compile_fx.min_cut_rematerialization_partition  # type: ignore[attr-defined]

    def wrong(*args: Any, **kwargs: Any) -> Any:
        forward, backward = cut(*args, **kwargs)
        for node in backward.graph.nodes:
            if node.op == "placeholder" and "tangents" not in node.name and node.meta["val"].dim() == 2:
                with backward.graph.inserting_after(node):
                    half = backward.graph.call_function(aten.mul.Tensor, (node, 0.5))
                    half.meta = dict(node.meta)
                node.replace_all_uses_with(half, delete_user_cb=lambda user: user is not half)
                break
        backward.recompile()
        return forward, backward

    with mock.patch.object(compile_fx, "min_cut_rematerialization_partition", wrong):
        yield


def scaled(graph: torch.fx.Graph, target: Any, by: float) -> None:
    """Every result of an operator is scaled."""
    for node in [row for row in graph.nodes if row.target is target]:
        with graph.inserting_after(node):
            wrong = graph.call_function(aten.mul.Tensor, (node, by))
            wrong.meta = dict(node.meta)
        node.replace_all_uses_with(wrong, delete_user_cb=lambda user, own=wrong: user is not own)


@contextlib.contextmanager
def wrong_text(find: str, instead: str) -> Iterator[None]:
    """The source of C++ kernels is changed on its way to the compiler."""
    from torch._inductor.codegen.cpp import CppScheduling

    define: Any = CppScheduling.define_kernel

    def define_kernel(self: Any, src_code: str, *args: Any, **kwargs: Any) -> Any:
        return define(self, src_code.replace(find, instead), *args, **kwargs)

    with mock.patch.object(CppScheduling, "define_kernel", define_kernel):
        yield


@contextlib.contextmanager
def wrong_library(name: str) -> Iterator[None]:
    """A library call that kernels make gives another result."""
    from torch._inductor.select_algorithm import extern_kernels

    right = getattr(extern_kernels, name)

    def wrong(*args: Any, out: torch.Tensor, **kwargs: Any) -> torch.Tensor:
        right(*args, out=out, **kwargs)
        return out.mul_(1.01)

    with mock.patch.object(extern_kernels, name, wrong, create=True):
        yield
