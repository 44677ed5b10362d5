"""What there is to ask of a program whose graphs are edited, however it was captured."""

from collections.abc import Iterable, Mapping
from typing import Any, Protocol

import torch.fx

from compiler.model.edits.edits import Edit
from compiler.model.export import EditedGraph, EditedInductorGraph
from compiler.model.ir.diagnostics import Problem
from compiler.model.ir.graph import Graph
from compiler.model.ir.ids import NodeId, StageId


class AsksEdited(Protocol):
    """Dynamo's pipeline (here, or in a program that runs by itself) and each other front end implement it; what is answered
    with it is in `graph_questions`, once. Whatever a person can mend raises EngineError.
    """

    def preview(
        self, edits: tuple[Edit, ...]
    ) -> tuple[tuple[tuple[StageId, Graph], ...], tuple[Problem, ...]]:
        """Each edited graph with fresh result types, and what is wrong with them."""

    def edited_module(self, stage: StageId, edits: tuple[Edit, ...]) -> tuple[torch.fx.GraphModule, Graph]:
        """A live copy of a stage's graph with its edits applied, and the same as data."""

    def node_values(
        self, stage: StageId, edits: tuple[Edit, ...]
    ) -> tuple[torch.fx.GraphModule, Mapping[NodeId, Any], Any]:
        """Such a copy, a fake of what each of its nodes gives, and the fake mode of these."""

    def graphs_alike(self, stage: StageId, edits: tuple[Edit, ...]) -> Iterable[StageId]:
        """The stages in which a pattern that was taken from a stage is looked for."""

    def exported(
        self, edits: tuple[Edit, ...]
    ) -> tuple[tuple[EditedGraph, ...], tuple[EditedInductorGraph, ...]]:
        """What edits that are compiled did to each graph, and what was chosen for the code of each."""
