"""The graphs of a capture by another front end that can be edited: edits are carried out as soon as a graph is made, so
that what the front end makes of it comes from the edited one.
"""

import copy
import dataclasses
import warnings
from collections.abc import Sequence
from typing import Any

import torch
import torch.fx

from compiler.engine.errors import EngineError, failing_as
from compiler.engine.fx.graph_import import read_value
from compiler.engine.graph_editing.apply_to_live_graph import sync
from compiler.engine.graph_editing.fake_value_update import refresh_values
from compiler.engine.graph_editing.shape_propagation import problems_of, propagate_with_values, with_types
from compiler.engine.graph_editing.stage_editor import applied
from compiler.engine.user_program.stepper import unchanged_state
from compiler.model.edits.edits import Edit, EditError, ReplaceText, describe_edit, single_edits, stages_of
from compiler.model.edits.text_edits import replace_text
from compiler.model.edits.unfit_edits import does_not_fit
from compiler.model.ir.diagnostics import Problem
from compiler.model.ir.graph import Graph
from compiler.model.ir.ids import StageId, place
from compiler.model.ir.stage import TextStage


@dataclasses.dataclass
class EditableGraph:
    """One graph that can be edited, as it was before its edits."""

    stage: StageId
    module: torch.fx.GraphModule
    graph: Graph
    inputs: Sequence[Any]
    """Of the example, in the order of the placeholders; fakes where `fake_mode` is theirs."""
    fake_mode: Any
    """None: types are found by running the graph on the example."""
    owner: torch.nn.Module | None = None
    """Whose buffers a run must leave as they are."""

    def edited(self, edits: tuple[Edit, ...]) -> tuple[torch.fx.GraphModule, Graph]:
        """A live copy with edits carried out, and the same as data with the types of before. Raises EngineError."""
        module = shared_copy(self.module)
        edited = applied(self.graph, edits, self.stage)
        _synced(module, self.graph, edited, self.stage)
        return module, edited

    def run(self, module: torch.fx.GraphModule, graph: Graph) -> tuple[dict[str, Any], tuple[Problem, ...]]:
        """What each node of a copy that reads as `graph` gives, and which does not work."""
        with unchanged_state(self.owner), torch.random.fork_rng(devices=[]):
            values, failure = propagate_with_values(
                module, list(self.inputs), self.fake_mode, gradients=False
            )
        return values, problems_of(self.stage, graph, graph, failure) if failure is not None else ()

    def preview(self, edits: tuple[Edit, ...]) -> tuple[Graph, tuple[Problem, ...]]:
        """The edited graph with fresh types, and what does not work. Raises EngineError."""
        module, edited = self.edited(edits)
        values, problems = self.run(module, edited)
        return with_types(edited, {name: read_value(value) for name, value in values.items()}), problems


class GraphHolder:
    """Holds the graphs of one capture, and carries out the edits that the capture is to have."""

    def __init__(self, edits: tuple[Edit, ...] = ()) -> None:
        self.edits = edits
        self.live: dict[StageId, EditableGraph] = {}

    def hold(self, graph: EditableGraph, edits: tuple[Edit, ...] | None = None) -> None:
        """A graph was made that can be edited: keep it, and bring it where its edits lead (those given, else all that are of
        it). Raises EngineError.
        """
        self.live[graph.stage] = graph
        edits = self.edits if edits is None else edits
        if not any(graph.stage in stages_of(edit) for edit in edits):
            graph.module = shared_copy(graph.module)  # since what makes the next graph of it may change it
            return
        module, stage = graph.module, graph.stage
        edited = applied(graph.graph, edits, stage)
        touched = _synced(module, graph.graph, edited, stage)
        if graph.fake_mode is not None:
            fault = refresh_values(module, touched, graph.fake_mode)
            if fault:
                raise EngineError(_does_not_work(stage, fault))
            return
        values, problems = graph.run(module, edited)
        if problems:
            raise EngineError(problems[0])
        for node in module.graph.nodes:
            if node.op != "output" and node.name in values:
                node.meta["val"] = values[node.name]

    def replaced(self, stage: StageId, made: TextStage) -> TextStage:
        """A text that was made, or what edits put in its place. Raises EngineError."""
        for edit in single_edits(self.edits):
            if isinstance(edit, ReplaceText) and edit.stage == stage:
                made = with_text(made, edit, self.edits)
        return made


def with_text(content: TextStage, edit: ReplaceText, edits: tuple[Edit, ...]) -> TextStage:
    """The text that an edit, one of `edits`, puts in the place of another. Raises EngineError."""
    try:
        return replace_text(content, edit)[0]
    except EditError as error:
        what = f"“{describe_edit(edit)}” does not fit {edit.stage}: {error}"
        raise EngineError(does_not_fit(what, edits, edit.stage, edit)) from error


def shared_copy(module: torch.fx.GraphModule) -> torch.fx.GraphModule:
    """A module with a graph of its own, and the parameters and submodules of the other."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", FutureWarning)  # torch's own pytree, when it copies itself
        return torch.fx.GraphModule(module, copy.deepcopy(module.graph))


def _synced(module: torch.fx.GraphModule, before: Graph, after: Graph, stage: StageId) -> tuple[str, ...]:
    # torch's lint raises what it finds: a module that is not there, a name twice
    with failing_as(f"torch.fx does not take the edited graph of {stage}", "Undo the edit or change it."):
        return sync(module, before, after, stage)


def _does_not_work(stage: StageId, fault: str) -> Problem:
    return Problem(fault, "Undo the edit or change it.", place=place(stage, fault.partition(" ")[0]))
