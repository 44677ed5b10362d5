"""What is known of a collective: what it sends to whom, where it is waited for, and what runs meanwhile."""

from collections.abc import Callable
from typing import TypeAlias

from app.translation.texts import and_more, tr
from app.widgets.labels.link_label import RichText
from compiler.analysis.queries.collective_order import post_grad_of
from compiler.model.capture.capture import Capture
from compiler.model.ir.collectives import (
    Collective,
    Flight,
    collective_name,
    collective_of,
    flights,
    loop_flights,
)
from compiler.model.ir.graph import Graph, Node
from compiler.model.ir.ids import NodeId, Place, place
from compiler.model.ir.loop_ir import Kernel, LoopNode, LoopProgram
from compiler.model.ir.stage import Stage
from compiler.model.ir.tensor_types import describe_bytes

Link: TypeAlias = Callable[[str, Place], RichText]
"""Makes a text with one link to a place."""
Rows: TypeAlias = list[tuple[str, RichText]]
_MOST_NODES = 8


def links(stage: Stage, nodes: tuple[NodeId, ...], link: Link) -> RichText:
    """Nodes of a stage, each with a link to it."""
    text = RichText()
    for index, node in enumerate(nodes[:_MOST_NODES]):
        text.text(", " if index else "").append(link(node, place(stage.id, node)))
    return text.text(and_more(len(nodes) - _MOST_NODES), "dim")


def collective_facts(stage: Stage, graph: Graph, node: Node, link: Link) -> Rows:
    """Of a node of an FX graph; none where it is no collective and no wait."""
    if not collective_name(node.target):
        return []
    sent = collective_of(graph, node)
    rows = _sent(sent) if sent is not None else []
    return rows + _flight(stage, flights(graph), node.id, link)


def loop_collective_facts(
    capture: Capture, stage: Stage, program: LoopProgram, node: LoopNode, link: Link
) -> Rows:
    """Of a node of the scheduler's, by the graph that it was lowered from, in the scheduler's order."""
    if not collective_name(node.operation):
        return []
    rows = _of_origins(capture, stage, node.origins)
    return rows + _flight(stage, loop_flights(program.nodes), node.id, link)


def kernel_collective_facts(capture: Capture, stage: Stage, kernel: Kernel, link: Link) -> Rows:
    """Of a call in the wrapper."""
    if not collective_name(kernel.name):
        return []
    graph = post_grad_of(capture, stage)
    rows = _of_origins(capture, stage, kernel.origins)
    for name in kernel.origins if graph is not None and graph.graph is not None else ():
        if graph is not None and graph.graph is not None and graph.graph.holds(name):
            rows += [(tr("In the graph"), link(name, place(graph.id, name)))]
    return rows


def _of_origins(capture: Capture, stage: Stage, origins: tuple[NodeId, ...]) -> Rows:
    found = post_grad_of(capture, stage)
    graph = found.graph if found is not None else None
    for name in origins:
        if graph is not None and graph.holds(name):
            sent = collective_of(graph, graph.node(name))
            if sent is not None:
                return _sent(sent)
    return []


def _sent(sent: Collective) -> Rows:
    kind = f"{sent.kind}, {sent.reduce}" if sent.reduce else sent.kind
    sizes = tr("{size} given, {size2} got, on each rank").format(
        size=describe_bytes(sent.sent), size2=describe_bytes(sent.got)
    )
    rows: Rows = [(tr("Collective"), RichText().text(kind)), (tr("Sends"), RichText().text(sizes))]
    if sent.group:
        group = RichText().text(sent.group, "mono")
        group.text(f" {sent.group_title}" if sent.group_title else "", "dim")
        reported = tr(", %n rank(s)", None, sent.ranks) if sent.ranks is not None else ""
        group.text(reported or tr(", of how many ranks was not noted"), "" if reported else "dim")
        rows.append((tr("Process group"), group))
    return rows


def _flight(stage: Stage, found: tuple[Flight, ...], node: NodeId, link: Link) -> Rows:
    rows: Rows = []
    for flight in found:
        if node not in (flight.start, flight.wait):
            continue
        if not flight.wait:
            return [(tr("Waited for"), RichText().text(tr("nowhere in this graph"), "dim"))]
        title, other = (
            (tr("Waited for by"), flight.wait) if node == flight.start else (tr("Waits for"), flight.start)
        )
        rows.append((title, links(stage, (other,), link)))
        meanwhile = (
            links(stage, flight.between, link)
            if flight.between
            else RichText().text(tr("nothing: it is waited for at once"), "dim")
        )
        rows.append((tr("Meanwhile"), meanwhile))
    return rows
