"""PrimTorch: the program at four levels, each graph made from the one before: torch, aten, core aten, prims.

The graph of torch's own functions and the aten graph come from one run; the other two from running a graph's nodes one by
one with a decomposition table, so that what each became is known.
"""

import operator
import sys
import time
import traceback
from collections.abc import Callable, Mapping
from typing import Any

import torch
import torch.fx
from torch.fx.experimental.proxy_tensor import get_proxy_mode, make_fx
from torch.overrides import TorchFunctionMode, resolve_name
from torch.utils import _pytree as pytree

from compiler.engine.file_ownership import within_program
from compiler.engine.front_ends.interface.editable_graphs import EditableGraph, GraphHolder
from compiler.engine.front_ends.interface.result import FrontEndResult, taking_first
from compiler.engine.front_ends.interface.stage_builders import (
    graph_stage,
    operations_in,
    read_front_end_graph,
)
from compiler.engine.fx.interpreter import interpreted
from compiler.engine.torch_internals.aot_autograd.decompositions import core_table, full_table
from compiler.engine.torch_internals.dynamo.helper_frames import helper_frames_kept
from compiler.engine.user_program.held_state.held_by_functions import tensors_of
from compiler.engine.user_program.loading import Program
from compiler.model.capture.capture_spec import CaptureSpec
from compiler.model.front_end_comparison.prim_levels import FRONT_END
from compiler.model.ir.links import LinkTable
from compiler.model.ir.stage import Stage

Pairs = list[tuple[str, str]]
Memory = tuple[int, tuple[int, ...], str]
"""Where a tensor's elements are, its shape and its type."""


def capture(program: Program, spec: CaptureSpec, graphs: GraphHolder) -> FrontEndResult:
    """Run once, then lower twice. Raises what make_fx raises."""
    leaves, spec_of = pytree.tree_flatten((program.args, program.kwargs))
    names = {id(value): name for name, value in tensors_of(program.callable)}
    calls = _TorchCalls(names)

    def flat(*values: Any) -> Any:
        args, kwargs = pytree.tree_unflatten(list(values), spec_of)
        calls.begin(values)
        with calls:
            result = program.callable(*args, **kwargs)
        calls.finish(result)
        return result

    started = time.perf_counter()
    with helper_frames_kept():
        aten = make_fx(flat, record_stack_traces=True)(*leaves)
    plain = read_front_end_graph(aten.graph)
    graphs.hold(EditableGraph(f"{FRONT_END}:aten", aten, plain, leaves, None, program.module))
    stages = [
        graph_stage(FRONT_END, "torch", "Torch functions", calls.graph, "torch.overrides.TorchFunctionMode"),
        graph_stage(
            FRONT_END,
            "aten",
            "Aten",
            aten.graph,
            "torch.fx.experimental.proxy_tensor.make_fx",
            time.perf_counter() - started,
            (f"{FRONT_END}:torch",),
        ),
    ]
    memory = calls.memory()
    tables = [_kept(_with_memory(calls.pairs(), memory, _memory_of(aten)), stages[0], stages[1])]
    lowered = aten
    for what, title, table, made_by in (
        ("core", "Core aten", core_table(), "torch._decomp.core_aten_decompositions"),
        ("prims", "Prims", full_table(), "torch._decomp.decomposition_table, torch._refs"),
    ):
        began = time.perf_counter()
        lowered, pairs = lower(lowered, leaves, table)
        seconds = time.perf_counter() - began
        stages.append(graph_stage(FRONT_END, what, title, lowered.graph, made_by, seconds, (stages[-1].id,)))
        tables.append(_kept(pairs, stages[-2], stages[-1]))
    seconds = time.perf_counter() - started

    return FrontEndResult(
        tuple(stages),
        taking_first(lowered, len(leaves)),
        len(stages),
        operations_in(stages[-1]),
        seconds,
        tuple(tables),
        interpreted=lambda wide: taking_first(interpreted(aten, wide), len(leaves)),
    )


def lower(
    module: torch.fx.GraphModule, leaves: list[Any], table: Mapping[Any, Callable[..., Any]]
) -> tuple[torch.fx.GraphModule, Pairs]:
    """A graph with everything decomposed that the table names, and which node became which. Raises what a decomposition
    raises.
    """
    noting = _NotingNodes(module)
    with torch.fx.traceback.preserve_node_meta():
        made = make_fx(noting.run, decomposition_table=dict(table))(*leaves)
    pairs = [(old, new.name) for old, new in noting.pairs]
    return made, _with_memory(pairs, _memory_of(module), _memory_of(made))


def _memory_of(module: torch.fx.GraphModule) -> dict[str, Memory]:
    """The nodes that stand for parameters and constants, with the memory of what they stand for."""
    return {
        node.name: _memory(operator.attrgetter(str(node.target))(module))
        for node in module.graph.nodes
        if node.op == "get_attr"
    }


def _memory(value: Any) -> Memory:
    if isinstance(value, torch.Tensor):
        return value.data_ptr(), tuple(value.shape), str(value.dtype)
    return id(value), (), ""


def _with_memory(pairs: Pairs, above: dict[str, Memory], below: dict[str, Memory]) -> Pairs:
    """A parameter comes from the parameter above, not from the operation that happened to use it first."""
    same = [(old, new) for new, value in below.items() for old, found in above.items() if value == found]
    known = {new for _, new in same}
    return [*(pair for pair in pairs if pair[1] not in known), *same]


class _NotingNodes(torch.fx.Interpreter):
    """Runs a graph inside make_fx and notes which nodes are made while each node runs."""

    def __init__(self, module: torch.fx.GraphModule) -> None:
        super().__init__(module)
        self.pairs: list[tuple[str, torch.fx.Node]] = []

    def run_node(self, n: torch.fx.Node) -> Any:
        before = _made_so_far()
        result = super().run_node(n)
        self.pairs += [(n.name, made) for made in _made_so_far()[len(before) :]]
        if n.op == "placeholder":
            self.pairs += [
                (n.name, made) for made in before if made.op == "placeholder" and _same_place(n, made)
            ]
        return result


def _same_place(one: torch.fx.Node, other: torch.fx.Node) -> bool:
    def place(node: torch.fx.Node) -> int:
        return [other for other in node.graph.nodes if other.op == "placeholder"].index(node)

    return place(one) == place(other)


def _made_so_far() -> list[torch.fx.Node]:
    mode = get_proxy_mode()
    return list(mode.tracer.graph.nodes) if mode is not None else []


class _TorchCalls(TorchFunctionMode):
    """A graph of the functions of torch's that the program called itself, and the aten nodes that were made meanwhile."""

    def __init__(self, names: dict[int, str]) -> None:
        super().__init__()
        self._names = names
        self.graph = torch.fx.Graph()
        self._depth = 0
        self._nodes: dict[int, torch.fx.Node] = {}
        self._alive: list[torch.Tensor] = []
        self._made: list[tuple[torch.fx.Node, torch.fx.Node]] = []
        self._placeholders: list[torch.fx.Node] = []

    def begin(self, values: tuple[Any, ...]) -> None:
        """The arguments, in order."""
        for index, value in enumerate(values):
            node = self.graph.placeholder(f"arg{index}_1")
            self._placeholders.append(node)
            if isinstance(value, torch.Tensor):
                self._stands_for(value, node)
        self._made += zip(self._placeholders, _made_so_far(), strict=False)

    def finish(self, result: Any) -> None:
        """What the program gave back."""
        self.graph.output(pytree.tree_map(self._argument, result))

    def pairs(self) -> Pairs:
        """(function's node, aten node)."""
        return [(one.name, other.name) for one, other in self._made]

    def memory(self) -> dict[str, Memory]:
        """The nodes that stand for parameters and constants, with the memory of what they stand for."""
        return {
            node.name: _memory(node.meta["val"]) for node in self._nodes.values() if node.op == "get_attr"
        }

    def __torch_function__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        kwargs = kwargs or {}
        name = resolve_name(func) or getattr(func, "__name__", "")
        if self._depth or not name or name.endswith(("__get__", "__set__")):
            return func(*args, **kwargs)
        before = len(_made_so_far())
        given = pytree.tree_map(self._argument, (args, kwargs))
        self._depth += 1
        try:
            result = func(*args, **kwargs)
        finally:
            self._depth -= 1
        found = [value for value in pytree.tree_leaves(result) if isinstance(value, torch.Tensor)]
        if found:
            node = self.graph.call_function(_Spelt(name), *given)
            node.stack_trace = _stack()
            self._note_result(result, node)
            self._made += [(node, made) for made in _made_so_far()[before:]]
        return result

    def _note_result(self, result: Any, node: torch.fx.Node) -> None:
        node.meta["val"] = result
        if isinstance(result, torch.Tensor):
            self._stands_for(result, node)
        elif isinstance(result, tuple | list):
            for index, value in enumerate(result):
                if isinstance(value, torch.Tensor):
                    part = self.graph.call_function(operator.getitem, (node, index))
                    part.meta["val"] = value
                    part.stack_trace = node.stack_trace
                    self._stands_for(value, part)

    def _stands_for(self, value: torch.Tensor, node: torch.fx.Node) -> None:
        self._alive.append(value)  # or another tensor may get its id
        self._nodes[id(value)] = node
        node.meta.setdefault("val", value)

    def _argument(self, value: Any) -> Any:
        if not isinstance(value, torch.Tensor):
            return value
        if id(value) not in self._nodes:
            with self.graph.inserting_after(self._last_given()):
                node = self.graph.get_attr(self._names.get(id(value), f"constant{len(self._nodes)}"))
            self._placeholders.append(node)
            self._stands_for(value, node)
        return self._nodes[id(value)]

    def _last_given(self) -> torch.fx.Node:
        return self._placeholders[-1] if self._placeholders else self.graph._root  # noqa: SLF001


class _Spelt:
    """A function as torch spells it, for a graph that is read and never run."""

    def __init__(self, name: str) -> None:
        self.__module__, _, self.__name__ = name.rpartition(".")

    def __call__(self) -> None:
        """Nothing: the graph is looked at only."""


def _stack() -> str:
    """The lines that are running, without torch's, as torch prints stacks."""
    frames = [frame for frame, _ in traceback.walk_stack(sys._getframe(2))]  # noqa: SLF001
    return "".join(
        f'  File "{item.f_code.co_filename}", line {item.f_lineno}, in {item.f_code.co_name}\n'
        for item in within_program(reversed(frames), lambda item: item.f_code.co_filename)
    )


def _kept(pairs: Pairs, source: Stage, target: Stage) -> LinkTable:
    """Without what torch took out of the graph again."""
    assert source.graph is not None
    assert target.graph is not None
    there = tuple(
        dict.fromkeys((old, new) for old, new in pairs if source.graph.holds(old) and target.graph.holds(new))
    )
    return LinkTable(source.id, target.id, "decomposed", "torch", there)
