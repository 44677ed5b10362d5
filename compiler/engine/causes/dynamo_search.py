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
from compiler.engine.fx.interpreter import interpreter_of
from compiler.engine.stage_ids import dynamo_graph_id
from compiler.model.experiments.causes import CauseFound

_MOST = 20_000
"""Results of eager that are kept, at most."""


def search_dynamo(search: Search, parts: list[GraphPart]) -> CauseFound:
    """The programs that Dynamo made are wrong already, run op by op."""
    program = search.program
    eager = _Results()
    with eager:
        program.base.stepper.compared_step(program.base.program.callable)
    with _watched(search, parts, eager) as first:
        program.base.stepper.compared_step(program.base.compiled)
    for part, name in first:
        stage = dynamo_graph_id(part.compile_id, "dynamo")
        graph = part.graph.record.dynamo
        node = next((row for row in graph.nodes if row.id == name), None)
        path, line = (
            (node.stack[-1].path, node.stack[-1].line) if node is not None and node.stack else ("", None)
        )
        calls = f", a call of {node.target}" if node is not None else ""
        where = f" ({path.rpartition('/')[2]}:{line})" if line else ""
        return search.found(
            f"Dynamo's graph {part.compile_id} is wrong from {name}{calls}{where} on: eager computes nothing like it from the same "
            "values.",
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
        self._values: dict[tuple[Any, ...], list[torch.Tensor]] = {}
        self._count = 0

    def __torch_function__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        result = func(*args, **(kwargs or {}))
        for value in pytree.tree_leaves(result):
            if type(value) in (torch.Tensor, torch.nn.Parameter) and self._count < _MOST:
                self._count += 1
                self._values.setdefault(_key(value), []).append(value.detach().clone())
        return result

    def has(self, value: torch.Tensor) -> bool:
        """Whether one of them is this value, within rounding."""
        return any(near_eager(value.detach(), other) for other in self._values.get(_key(value), ()))

    @property
    def whole(self) -> bool:
        """Whether none was left out."""
        return self._count < _MOST


def _key(value: torch.Tensor) -> tuple[Any, ...]:
    return tuple(value.shape), value.dtype


@contextlib.contextmanager
def _watched(
    search: Search, parts: list[GraphPart], eager: _Results
) -> Iterator[list[tuple[GraphPart, str]]]:
    """While this is entered, Dynamo's graphs run op by op. Gives the first node of each that is not among eager's results."""
    found: list[tuple[GraphPart, str]] = []
    with contextlib.ExitStack() as stack:
        for part in parts:
            module, _ = search.program.edited_module(dynamo_graph_id(part.compile_id, "dynamo"), search.edits)
            install(stack, part.graph, _Watching(module, part, eager, found))
        with torch.compiler.set_stance("eager_on_recompile"):
            yield found


class _Watching:
    def __init__(
        self,
        module: torch.fx.GraphModule,
        part: GraphPart,
        eager: _Results,
        found: list[tuple[GraphPart, str]],
    ) -> None:
        self._module, self._part, self._eager, self._found = module, part, eager, found

    def __call__(self, *args: Any) -> Any:
        interpreter = interpreter_of(self._module, wide=False)
        run_node = interpreter.run_node

        def seen(node: torch.fx.Node) -> Any:
            value = run_node(node)
            strange = (
                not self._found
                and self._eager.whole
                and node.op in ("call_function", "call_method", "call_module")
                and type(value) is torch.Tensor
                and not self._eager.has(value)
            )
            if strange:
                self._found.append((self._part, node.name))
            return value

        interpreter.__dict__["run_node"] = seen
        return interpreter.run(*args)
