"""Faults that are put into torch from outside, each of a kind that torch has had: what the search must name is known."""

import contextlib
import importlib
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

    def wrong(*args: Any, **kwargs: Any) -> torch.Tensor:
        found: torch.Tensor = right(*args, **kwargs)
        result: torch.Tensor = kwargs.get("out", found)
        return result.mul_(1.01)

    with mock.patch.object(extern_kernels, name, wrong, create=True):
        yield


@contextlib.contextmanager
def wrong_rewrite(module: str, target: Any, by: float) -> Iterator[None]:
    """A pattern rewrite of torch's own table for a phase (`joint_graph`, `post_grad`) that drops what it should keep."""
    from torch._inductor.pattern_matcher import Arg, CallFunction, PatternMatcherPass, register_graph_pattern

    owner: Any = importlib.import_module(f"torch._inductor.fx_passes.{module}")
    own = PatternMatcherPass()

    def not_mine(match: Any) -> bool:  # the rewrite looks for what it makes
        users = match.output_node().users
        return not any(user.target is aten.mul.Tensor and user.args[1] == by for user in users)

    @register_graph_pattern(CallFunction(target, Arg()), extra_check=not_mine, pass_dict=own)
    def drop_what_matters(match: Any, x: Any) -> None:
        node = match.output_node()
        with node.graph.inserting_before(node):
            again = node.graph.call_function(target, (x,))
            wrong = node.graph.call_function(aten.mul.Tensor, (again, by))
        for new in (again, wrong):
            new.meta = dict(node.meta)
        node.replace_all_uses_with(wrong)
        node.graph.erase_node(node)

    rows = owner.pass_patterns
    original = rows[-1].patterns
    with mock.patch.object(rows[-1], "patterns", _Merged(original, own.patterns)):
        yield


class _Merged(dict[Any, Any]):
    def __init__(self, first: Any, second: Any) -> None:
        super().__init__(first)
        for key, entries in second.items():
            self[key] = [*entries, *self.get(key, [])]

    def __missing__(self, key: Any) -> list[Any]:
        return []


@contextlib.contextmanager
def wrong_cse() -> Iterator[None]:
    """Two nodes that compute different things are made one."""
    partitioners: Any = importlib.import_module("torch._functorch.partitioners")
    right = partitioners.fx_graph_cse

    def wrong(graph: torch.fx.Graph) -> torch.fx.Graph:
        found: torch.fx.Graph = right(graph)
        mine: dict[Any, list[torch.fx.Node]] = {}
        for node in found.find_nodes(op="call_function", target=aten.mul.Tensor):
            mine.setdefault(tuple(node.meta["val"].shape), []).append(node)
        for first, *others in mine.values():
            for other in others:
                if first is not other and other.args != first.args:
                    for user in list(other.users):
                        if user is not first:
                            user.replace_input_with(other, first)
                    return found
        return found

    with contextlib.ExitStack() as stack:
        for name in ("torch._functorch.partitioners", "torch._functorch._aot_autograd.graph_compile"):
            module = importlib.import_module(name)
            if hasattr(module, "fx_graph_cse"):
                stack.enter_context(mock.patch.object(module, "fx_graph_cse", wrong))
        yield


@contextlib.contextmanager
def wrong_folding() -> Iterator[None]:
    """Constants are folded into other constants."""
    from torch._inductor.fx_passes import joint_graph

    right = joint_graph.constant_fold_uniform_value

    def wrong(module: Any) -> Any:
        result = right(module)
        for node in module.graph.nodes:
            scalar = [index for index, arg in enumerate(node.args) if isinstance(arg, float) and arg]
            if node.op == "call_function" and scalar and node.target in (aten.add.Tensor, aten.mul.Tensor):
                node.args = tuple(
                    arg * 1.01 + 0.01 if index in scalar else arg for index, arg in enumerate(node.args)
                )
        return result

    with mock.patch.object(joint_graph, "constant_fold_uniform_value", wrong):
        yield


@contextlib.contextmanager
def race() -> Iterator[None]:
    """Nodes that read what another writes in another order are fused."""
    from torch._inductor.scheduler import Scheduler

    right: Any = Scheduler.fusable_read_and_write

    def wrong(self: Any, read: Any, write: Any, **kwargs: Any) -> bool:
        return bool(right(self, read, write, **kwargs) or getattr(read, "name", None) == write.name)

    with mock.patch.object(Scheduler, "fusable_read_and_write", wrong):
        yield


@contextlib.contextmanager
def wrong_source(change: Callable[[str], str]) -> Iterator[None]:
    """The source of C++ kernels is changed on its way to the compiler, by a function."""
    from torch._inductor.codegen.cpp import CppScheduling

    define: Any = CppScheduling.define_kernel

    def define_kernel(self: Any, src_code: str, *args: Any, **kwargs: Any) -> Any:
        return define(self, change(src_code), *args, **kwargs)

    with mock.patch.object(CppScheduling, "define_kernel", define_kernel):
        yield


@contextlib.contextmanager
def wrong_alias() -> Iterator[None]:
    """A view that is given back is made of its base with another offset."""
    runtime_wrappers: Any = importlib.import_module("torch._functorch._aot_autograd.runtime_wrappers")
    right: Any = runtime_wrappers.gen_alias_from_base

    def wrong(*args: Any, **kwargs: Any) -> Any:
        found = right(*args, **kwargs)
        return found.flip(0) if found.dim() else found

    with mock.patch.object(runtime_wrappers, "gen_alias_from_base", wrong):
        yield


@contextlib.contextmanager
def one_seed() -> Iterator[None]:
    """Every random operator of a graph is given the same seed."""
    from torch._inductor import inductor_prims

    lookup = inductor_prims.lookup_seed
    table = torch._inductor.lowering.lowerings
    right = table[lookup]

    def wrong(seeds: Any, index: int) -> Any:
        return right(seeds, 0)

    with mock.patch.dict(table, {lookup: wrong}):
        yield
