"""A graph as it was after each of its passes, live again: differences that were recorded, carried out on a copy of the graph
that the passes began with.
"""

from collections.abc import Iterator
from typing import Any, NamedTuple

import torch.fx

from compiler.engine.accuracy.tolerance import judge
from compiler.engine.capture.assemble_passes import passes_of
from compiler.engine.causes.graph_levels import PRE_GRAD, GraphPart
from compiler.engine.graph_editing.apply_to_live_graph import sync
from compiler.engine.recompile.edited_program import EditedProgram
from compiler.engine.torch_internals.patch.cloning import clone_module
from compiler.engine.user_program.stepper import Results
from compiler.engine.verdicts.reference_runs import node_results
from compiler.model.edits.edits import Edit
from compiler.model.ir.graph import Graph
from compiler.model.ir.ids import NodeId
from compiler.model.ir.passes import PassRun, after_run


class WrongNode(NamedTuple):
    """A node that a pass put in the place of another, and that gives something else."""

    made: NodeId
    replaced: NodeId
    off: float


class ReplayedPasses:
    """The passes of one graph that changed anything."""

    def __init__(self, program: EditedProgram, part: GraphPart, level: str, edits: tuple[Edit, ...]) -> None:
        """`level` is where the passes lead. Raises EngineError where its graph was not kept."""
        self._stage = part.stage(level)
        began_at = part.stage("dynamo" if level == PRE_GRAD else "aot")
        self._start, self._before = program.edited_module(began_at, edits)
        self._end, _ = program.edited_module(self._stage, edits)
        self.runs = [
            run
            for run in passes_of(part.graph.record).runs
            if run.stage == self._stage and run.changed_anything
        ]
        self._known = list(dict.fromkeys(node.target for node in self._end.graph.nodes))

    def graph(self, count: int) -> Graph:
        """After that many passes, as data. Raises ValueError where they were not recorded whole."""
        graph = self._before
        for run in self.runs[:count]:
            graph = after_run(graph, run)
        return graph

    def module(self, count: int) -> torch.fx.GraphModule:
        """The same, live. Raises EngineError."""
        module = clone_module(self._start)
        for name, value in _attributes_of(self._end):
            if not hasattr(module, name):
                setattr(module, name, value)
        sync(module, self._before, self.graph(count), self._stage, self._known)
        return module

    def first_wrong_node(self, number: int, inputs: list[Any]) -> WrongNode | None:
        """Of the pass of this number, from 0: the first node that gives something else than what it stands for; None where no
        single node does.
        """
        run = self.runs[number]
        before, after = self.module(number), self.module(number + 1)
        near, exact = (node_results(before, inputs, wide=way) for way in (False, True))
        found = node_results(after, inputs, wide=False)
        stands_for = _stands_for(run)
        for name, value in found.items():
            for old in stands_for.get(name, ()):
                if old in near and old in exact and value.shape == near[old].shape:
                    row = judge(
                        "", Results({"": value}), Results({"": near[old]}), "", Results({"": exact[old]})
                    )
                    if row.agrees is False:
                        return WrongNode(name, old, row.differences[0].max_relative)
        return None


def pattern_of(run: PassRun) -> str:
    """The pattern that a pass rewrote, where it was only one; else empty."""
    words = run.note.partition(";")[0]
    return words if words and "," not in words and not words.startswith("with ") else ""


def _stands_for(run: PassRun) -> dict[NodeId, tuple[NodeId, ...]]:
    rows: dict[NodeId, tuple[NodeId, ...]] = {node.id: (node.id,) for node in run.changed}
    for made, olds in run.origins:
        rows[made] = (*rows.get(made, ()), *reversed(olds))
    for old, new in run.replaced:
        rows[new] = (old, *rows.get(new, ()))
    return rows


def _attributes_of(module: torch.fx.GraphModule) -> Iterator[tuple[str, Any]]:
    for name in {str(node.target) for node in module.graph.nodes if node.op in ("get_attr", "call_module")}:
        first = name.partition(".")[0]
        if hasattr(module, first):
            yield first, getattr(module, first)
