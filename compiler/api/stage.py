"""A stage of a capture: its program, its graph, and edits of it."""

from collections.abc import Callable
from typing import TYPE_CHECKING

from compiler.analysis.graph_export import networkx_graphs, text_formats
from compiler.analysis.text_format.printer import program
from compiler.analysis.text_format.visible_text import visible, visible_line
from compiler.api.errors import LoupeError, as_loupe_errors
from compiler.api.notebook import as_html
from compiler.api.replacing import replacement
from compiler.command_line.stage_edits import (
    NoGraphError,
    editable_graph,
    edits_of_text,
    find_transform,
    transformed,
)
from compiler.model.capture.counted import counted
from compiler.model.edits.edits import EditGroup
from compiler.model.ir.graph import Node
from compiler.model.ir.ids import NodeId, StageId
from compiler.model.ir.stage import Stage as StageData

if TYPE_CHECKING:
    import networkx


class Stage:
    """One stage."""

    def __init__(self, data: StageData) -> None:
        self.data = data
        """All of it as plain immutable data."""

    @property
    def id(self) -> StageId:
        """Such as ``0/0:joint``."""
        return self.data.id

    @property
    def kind(self) -> str:
        """Such as ``joint_graph``."""
        return self.data.kind.value

    @property
    def title(self) -> str:
        """For people."""
        return self.data.title

    @property
    def text(self) -> str:
        """The stage as a program."""
        return program(self.data).text

    @property
    def nodes(self) -> tuple[Node, ...]:
        """The nodes of an FX graph, in the order they run; empty for other stages, which `data` has."""
        return self.data.graph.nodes if self.data.graph is not None else ()

    def replace(self, what: str, by: Callable[..., object] | str) -> EditGroup:
        """The edit that makes nodes call something else with the same arguments: the node of that name, or every call of it.

        Keyword arguments that a callable is known not to take are left out. Raises LoupeError.
        """
        with as_loupe_errors():
            return replacement(self.id, editable_graph(self.data), what, by)

    def edited(self, text: str) -> EditGroup:
        """The edits that lead to a program: `text` of this stage, changed. Raises LoupeError."""
        try:
            with as_loupe_errors():
                group = edits_of_text(self.data, text, f"Edits of {self.id}")
        except NoGraphError as error:
            raise LoupeError(f"This is no graph: {error}", "Mend these lines.") from error
        if group is None:
            raise LoupeError(f"The text says what {self.id} is already.", "Change it first.")
        return group

    def transform(self, name: str, *nodes: NodeId) -> EditGroup:
        """The edits of a ready transform (``loupe transform`` lists them), for some nodes or all. Raises LoupeError."""
        with as_loupe_errors():
            return transformed(self.data, find_transform(name), nodes)

    def to_networkx(self) -> "networkx.DiGraph":
        """Nodes with an edge to whoever uses them, for FX graphs and loop IR; kernels in the order they run. Raises LoupeError for other stages."""
        made = networkx_graphs.stage_graph(self.data)
        if made is None:
            raise LoupeError(
                f"{self.title} is text, not a graph.", "FX graphs, loop IR and kernels are graphs."
            )
        return made

    def to_graphml(self) -> str:
        """For yEd, Gephi or Cytoscape."""
        return text_formats.graphml(self.to_networkx())

    def to_dot(self) -> str:
        """For Graphviz."""
        return text_formats.dot(self.to_networkx())

    def __str__(self) -> str:
        return visible(self.text)

    def __repr__(self) -> str:
        return f"<Stage {visible_line(f'{self.id}: {self.title}')}, {counted(self.data.node_count, 'node')}>"

    def _repr_html_(self) -> str:
        return as_html(self.text, "print(stage)")
