"""FX graphs that other front ends than Dynamo make, as stages."""

import re
from collections.abc import Callable, Iterable

import msgspec
import torch
import torch.fx

from compiler.engine.file_ownership import is_linked
from compiler.engine.fx.graph_import import read_graph
from compiler.model.ir.graph import Graph, Node
from compiler.model.ir.ids import StageId, line_id
from compiler.model.ir.links import LinkTable
from compiler.model.ir.stage import FxStage, Stage, StageKind, TextStage

_ASSIGNED = re.compile(r"\s+(\w+)(?:\s*:[^=]+)? = ")


def graph_stage(
    front_end: str,
    what: str,
    title: str,
    graph: torch.fx.Graph,
    made_by: str,
    seconds: float | None = None,
    made_from: tuple[StageId, ...] = (),
    roles: Callable[[torch.fx.Node], str] | None = None,
) -> Stage:
    """A graph that a front end made."""
    content = FxStage(read_front_end_graph(graph, roles))
    return Stage(
        f"{front_end}:{what}",
        StageKind.FRONT_END_GRAPH,
        title,
        content,
        front_end,
        "",
        made_by,
        made_from,
        seconds,
    )


def read_front_end_graph(graph: torch.fx.Graph, roles: Callable[[torch.fx.Node], str] | None = None) -> Graph:
    """The graph as data, each node with the stack down to the user's line."""
    return Graph(tuple(map(_with_users_stack, read_graph(graph, roles).nodes)))


def _with_users_stack(node: Node) -> Node:
    """Without what torch's own functions did below the user's line, and without who called the program."""
    stack = node.stack
    while stack and not is_linked(stack[-1].path):
        stack = stack[:-1]
    while stack and not is_linked(stack[0].path):
        stack = stack[1:]
    return msgspec.structs.replace(node, stack=stack)


def text_stage(
    front_end: str,
    what: str,
    title: str,
    text: str,
    language: str,
    made_by: str,
    made_from: tuple[StageId, ...] = (),
) -> Stage:
    """A text that a front end made: generated code, a report, printed IR."""
    content = TextStage(text, language)
    return Stage(
        f"{front_end}:{what}", StageKind.FRONT_END_TEXT, title, content, front_end, "", made_by, made_from
    )


def line_links(graph: Stage, text: Stage, nodes: Iterable[str], first: int) -> LinkTable:
    """From nodes of a graph to the lines of a text, one line each from the line `first` on."""
    pairs = tuple((node, line_id(number)) for number, node in enumerate(nodes, first))
    return LinkTable(graph.id, text.id, "same", "torch", pairs)


def assigned_links(graph: Stage, text: Stage) -> LinkTable:
    """From nodes of a graph to the lines of Python that assign to their names."""
    assert graph.graph is not None
    assert isinstance(text.content, TextStage)
    lines = enumerate(text.content.text.split("\n"), 1)
    found = {match[1]: at for at, line in lines if (match := _ASSIGNED.match(line))}
    pairs = tuple((node.id, line_id(found[node.id])) for node in graph.graph.nodes if node.id in found)
    return LinkTable(graph.id, text.id, "same", "name", pairs)


def operations_in(stage: Stage) -> int:
    """Calls in the graph of a stage."""
    nodes = stage.graph.nodes if stage.graph is not None else ()
    return sum(node.op in ("call_function", "call_method", "call_module") for node in nodes)
