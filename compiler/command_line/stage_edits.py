"""Edits of one stage as commands and the Python API make them: by a ready transform, or of its program as it was changed."""

from collections.abc import Collection

from compiler.analysis.text_format.parser import parse_graph
from compiler.analysis.text_format.statement_parser import TextFault
from compiler.analysis.transforms import Transform, found_transforms
from compiler.command_line.worker_client import CommandFailedError
from compiler.model.edits.editable_stages import edits_graph, why_fixed
from compiler.model.edits.edits import EditError, EditGroup
from compiler.model.edits.edits_between import edits_between
from compiler.model.ir.diagnostics import Problem
from compiler.model.ir.graph import Graph
from compiler.model.ir.ids import NodeId
from compiler.model.ir.stage import Stage


class NoGraphError(Exception):
    """A text is no program of a graph; `faults` are its lines that are wrong."""

    def __init__(self, faults: tuple[TextFault, ...]) -> None:
        super().__init__("; ".join(f"line {fault.line}: {fault.message}" for fault in faults))
        self.faults = faults


class TransformNotFoundError(ValueError):
    """No transform is called so; `problem` names those that there are."""

    def __init__(self, name: str, known: str) -> None:
        super().__init__(f"there is no transform {name!r}; one of: {known}")
        self.problem = Problem(f"There is no transform {name!r}.", f"Name one of: {known}")


def editable_graph(stage: Stage) -> Graph:
    """Raises CommandFailedError with why there is none."""
    if stage.graph is None or not edits_graph(stage):
        why = why_fixed(stage) or f"{stage.title} is no graph that can be edited."
        raise CommandFailedError(why, "Name another stage.")
    return stage.graph


def find_transform(name: str) -> Transform:
    """A ready transform, ours or of a plug-in. Raises TransformNotFoundError."""
    rows = found_transforms().rows
    found = next((row for row in rows if row.id == name), None)
    if found is None:
        raise TransformNotFoundError(name, ", ".join(row.id for row in rows))
    return found


def transformed(stage: Stage, transform: Transform, nodes: Collection[NodeId] = ()) -> EditGroup:
    """What a transform does to some nodes of a stage, or to all. Raises CommandFailedError."""
    graph = editable_graph(stage)
    unknown = set(nodes) - graph.by_id().keys()
    if unknown:
        raise CommandFailedError(f"There is no node {sorted(unknown)[0]} in {stage.id}.")
    try:
        return transform.make(stage.id, graph, tuple(nodes))
    except EditError as error:
        raise CommandFailedError(str(error)) from error


def edits_of_text(stage: Stage, text: str, title: str) -> EditGroup | None:
    """What leads to a program as the stage prints it, changed by hand; None where nothing is changed. Raises
    CommandFailedError, and NoGraphError for a text that is no program.
    """
    graph = editable_graph(stage)
    parsed = parse_graph(text.rstrip("\n"), graph)
    if parsed.graph is None:
        raise NoGraphError(tuple(parsed.faults))
    return edits_between(stage.id, graph, parsed.graph, title)
