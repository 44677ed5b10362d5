"""Running a program with each of its graphs at a level of the pipeline: op by op as Dynamo, the pre-grad passes, AOTAutograd or
the post-grad passes left it, or as it is compiled. Breaks, resume functions and guards around them are those of the program.
"""

import contextlib
from collections.abc import Callable, Iterator
from typing import NamedTuple

import torch

from compiler.engine.recompile.edited_program import EditedProgram
from compiler.engine.stage_ids import dynamo_graph_id, inductor_graph_id
from compiler.engine.torch_internals.live.live_graphs import LiveDynamoGraph, LiveInductorGraph
from compiler.engine.verdicts.reference_runs import interpreted_graph, interpreted_unit
from compiler.model.edits.edits import Edit
from compiler.model.ir.ids import StageId

DYNAMO, PRE_GRAD, AOT, POST_GRAD, COMPILED = LEVELS = ("dynamo", "pre_grad", "aot", "post_grad", "compiled")
OF_HALVES = (AOT, POST_GRAD, COMPILED)
"""Levels at which the forward and the backward are graphs of their own."""


class GraphPart(NamedTuple):
    """A Dynamo graph, or one half of it."""

    graph: LiveDynamoGraph
    half: LiveInductorGraph | None

    @property
    def compile_id(self) -> str:
        """Of the Dynamo graph."""
        return self.graph.record.compile_id

    @property
    def part(self) -> str:
        """``forward``, ``backward``, ``inference``; empty for the whole graph."""
        return self.half.part if self.half is not None else ""

    @property
    def name(self) -> str:
        """In words."""
        return f"{self.compile_id} {self.part}".rstrip()

    def stage(self, level: str) -> StageId:
        """The stage that it is at a level."""
        if level in OF_HALVES and self.half is not None:
            return inductor_graph_id(self.compile_id, self.part, "kernels" if level == COMPILED else level)
        return dynamo_graph_id(self.compile_id, level)


def parts_of(program: EditedProgram, level: str) -> list[GraphPart]:
    """What can be run at a level by itself, in the order of the step: graphs, or halves of them."""
    graphs = program.base.live.dynamo_graphs
    if level not in OF_HALVES:
        return [GraphPart(graph, None) for graph in graphs]
    rows = [
        GraphPart(graph, half)
        for graph in graphs
        for half in graph.inductor_graphs
        if half.output is not None
    ]
    return sorted(rows, key=lambda row: row.part == "backward")


@contextlib.contextmanager
def at_levels(
    program: EditedProgram, edits: tuple[Edit, ...], level_of: Callable[[GraphPart], str]
) -> Iterator[None]:
    """While this is entered, each graph runs at the level that `level_of` gives for it: for a graph (without half) one of
    `LEVELS`; where that is one of `OF_HALVES` it is asked for each half too. Raises EngineError.
    """
    with contextlib.ExitStack() as stack:
        for graph in program.base.live.dynamo_graphs:
            level = level_of(GraphPart(graph, None))
            if level not in OF_HALVES:
                module, _ = program.edited_module(dynamo_graph_id(graph.record.compile_id, level), edits)
                install(stack, graph, interpreted_graph(module, graph, False, contextlib.nullcontext))
                continue
            for part in parts_of(program, level):
                if part.graph is not graph or part.half is None or level_of(part) == COMPILED:
                    continue
                if level_of(part) in part.half.sources:
                    module, _ = program.edited_module(part.stage(level_of(part)), edits)
                    stack.callback(
                        part.half.swap,
                        part.half.swap(interpreted_unit(module, part.half, False, contextlib.nullcontext)),
                    )
        with torch.compiler.set_stance("eager_on_recompile"):
            yield


def install(stack: contextlib.ExitStack, graph: LiveDynamoGraph, function: Callable[..., object]) -> None:
    """Let a graph run something else until the stack is left."""
    stack.callback(setattr, graph, "function", graph.function)
    graph.function = function


def has_symbols(program: EditedProgram) -> bool:
    """Whether a graph was compiled for sizes that are symbols."""
    return any(
        isinstance(size, torch.SymInt)
        for graph in program.base.live.dynamo_graphs
        for value in graph.placeholders
        for size in (value.shape if isinstance(value, torch.Tensor) else (value,))
    )
