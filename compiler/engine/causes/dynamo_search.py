"""Between the program and Dynamo's graphs: the first operation in a graph whose result eager never had, though it had the
operation's inputs.
"""

import contextlib
from collections.abc import Iterator
from typing import Any

import torch
import torch.fx
from torch.overrides import TorchFunctionMode
from torch.utils import _pytree as pytree

from compiler.engine.accuracy.tolerance import near_eager
from compiler.engine.causes.graph_levels import GraphPart, install
from compiler.engine.causes.trials import Search
from compiler.engine.fx.allowed_targets import is_higher_order
from compiler.engine.fx.interpreter import interpreter_of
from compiler.engine.stage_ids import dynamo_graph_id
from compiler.model.experiments.causes import CauseFound

_MOST = 20_000
"""Results of eager that are kept, at most."""


def search_dynamo(search: Search, parts: list[GraphPart]) -> CauseFound:
    """The programs that Dynamo made are wrong already, run op by op."""
    program = search.program
    eager = _Results()
    callable_ = program.base.program.callable

    def kept(*args: Any, **kwargs: Any) -> Any:
        with eager:  # around the program alone: what reads its results makes copies without gradients
            return callable_(*args, **kwargs)

    program.base.stepper.compared_step(kept)
    with _watched(search, parts, eager) as first:
        program.base.stepper.compared_step(program.base.compiled)
    for part, name, cut_off in first:
        if not name:
            return search.not_found(
                f"Dynamo's graph {part.compile_id} is wrong, but from operations on that only tracing makes: eager computes "
                "nothing to compare them with."
            )
        stage = dynamo_graph_id(part.compile_id, "dynamo")
        graph = part.graph.record.dynamo
        node = next((row for row in graph.nodes if row.id == name), None)
        path, line = (
            (node.stack[-1].path, node.stack[-1].line) if node is not None and node.stack else ("", None)
        )
        calls = f", a call of {node.target}" if node is not None else ""
        where = f" ({path.rpartition('/')[2]}:{line})" if line else ""
        why = (
            "it needs no gradient there, and eager's does."
            if cut_off
            else "eager computes nothing like it from the same values."
        )
        return search.found(
            f"Dynamo's graph {part.compile_id} is wrong from {name}{calls}{where} on: {why}",
            "dynamo",
            graph=part.compile_id,
            stage=stage,
            nodes=(name,),
            path=path,
            line=line,
            name=node.target if node is not None else "",
        )
    return search.found(
        "The results are wrong as soon as Dynamo's graphs run, op by op, and yet each operation in them is one that eager does: "
        "what Dynamo does between graphs (its bytecode, what it took for constant, a guard) is wrong.",
        "dynamo",
    )


class _Results(TorchFunctionMode):
    """Every tensor that torch's functions gave while it is entered."""

    def __init__(self) -> None:
        super().__init__()
        self._values: dict[tuple[Any, ...], list[tuple[torch.Tensor, bool]]] = {}
        self._count = 0

    def __torch_function__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        result = func(*args, **(kwargs or {}))
        for value in pytree.tree_leaves(result):
            if type(value) in (torch.Tensor, torch.nn.Parameter) and self._count < _MOST:
                self._count += 1
                self._values.setdefault(_key(value), []).append((value.detach().clone(), value.requires_grad))
        return result

    def has(self, value: torch.Tensor) -> bool:
        """Whether one of them is this value, within rounding."""
        return any(near_eager(value.detach(), other) for other, _ in self._values.get(_key(value), ()))

    def has_with_gradient(self, value: torch.Tensor) -> bool:
        """Whether one of them is this value, and each that is needs a gradient where this does not."""
        same = [
            needs for other, needs in self._values.get(_key(value), ()) if near_eager(value.detach(), other)
        ]
        return bool(same) and all(same) and not value.requires_grad

    @property
    def whole(self) -> bool:
        """Whether none was left out."""
        return self._count < _MOST


def _key(value: torch.Tensor) -> tuple[Any, ...]:
    return tuple(value.shape), value.dtype


@contextlib.contextmanager
def _watched(
    search: Search, parts: list[GraphPart], eager: _Results
) -> Iterator[list[tuple[GraphPart, str, bool]]]:
    """While this is entered, Dynamo's graphs run op by op. Gives the first node of each that is not among eager's results."""
    found: list[tuple[GraphPart, str, bool]] = []
    with contextlib.ExitStack() as stack:
        for part in parts:
            module, _ = search.program.edited_module(dynamo_graph_id(part.compile_id, "dynamo"), search.edits)
            install(stack, part.graph, _Watching(module, part, eager, found))
        with torch.compiler.set_stance("eager_on_recompile"):
            yield found


class _Watching:
    """Runs a graph op by op. A node is strange where eager had all of its inputs and never its result. One that only tracing
    needs (a mask that eager skips) is strange too and does no harm: only what a strange node brings to an output counts.
    """

    def __init__(
        self,
        module: torch.fx.GraphModule,
        part: GraphPart,
        eager: _Results,
        found: list[tuple[GraphPart, str, bool]],
    ) -> None:
        self._module, self._part, self._eager, self._found = module, part, eager, found
        self._cut_off: set[torch.fx.Node] = set()

    def __call__(self, *args: Any) -> Any:
        interpreter = interpreter_of(self._module, wide=False)
        run_node = interpreter.run_node
        unknown: dict[torch.fx.Node, torch.fx.Node | None] = {}

        def seen(node: torch.fx.Node) -> Any:
            value = run_node(node)
            if node.op in ("call_function", "call_method", "call_module") and not self._knows(node, value):
                unknown[node] = _first_strange(node, unknown)
            return value

        interpreter.__dict__["run_node"] = seen
        result = interpreter.run(*args)
        if self._eager.whole and not self._found:
            output = next(iter(self._module.graph.find_nodes(op="output")))
            reaching = {unknown[node] for node in output.all_input_nodes if node in unknown}
            first = next((node for node in self._module.graph.nodes if node in reaching), None)
            if first is None:  # what is cut off shows in no value
                first = next((node for node in self._module.graph.nodes if node in self._cut_off), None)
            if first is not None:
                self._found.append((self._part, first.name, first in self._cut_off))
            elif reaching:
                self._found.append((self._part, "", False))
        return result

    def _knows(self, node: torch.fx.Node, value: Any) -> bool:
        tensors = [row for row in pytree.tree_leaves(value) if type(row) is torch.Tensor]
        if not all(self._eager.has(row) for row in tensors):
            return False
        # what runs inside an operator with graphs of its own, eager runs without gradients (checkpoints, autograd.Function)
        plain = not is_higher_order(node.target)
        if plain and any(self._eager.has_with_gradient(row) for row in tensors):
            self._cut_off.add(node)
            return False
        return True


def _first_strange(
    node: torch.fx.Node, unknown: dict[torch.fx.Node, torch.fx.Node | None]
) -> torch.fx.Node | None:
    """The strange node that a node's unknown result comes from: itself where eager had all it reads; None where nobody can
    say, since it reads what tracing alone made from nothing.
    """
    strange = [unknown[read] for read in node.all_input_nodes if read in unknown]
    if not strange:
        return node if node.all_input_nodes else None
    return next((row for row in strange if row is not None), None)
