"""Collectives in the order in which the generated code calls them, and what it calls while they travel."""

import msgspec

from compiler.model.capture.capture import Capture
from compiler.model.ir.collectives import Collective, collective_name, collective_of, flights, is_wait
from compiler.model.ir.graph import Graph
from compiler.model.ir.ids import NodeId, Place, place
from compiler.model.ir.loop_ir import Kernel
from compiler.model.ir.stage import Stage, StageKind


class OrderedCall(msgspec.Struct, frozen=True):
    """One call of the wrapper."""

    name: str
    place: Place
    kind: str
    """``kernel``, ``extern``, ``start`` or ``wait``."""
    sent: Collective | None = None
    """Of a start."""


class OrderedFlight(msgspec.Struct, frozen=True):
    """From one call to another, by their numbers."""

    start: int
    wait: int | None
    """None where the graph's code does not wait for it."""


class CallOrder(msgspec.Struct, frozen=True):
    """One generated wrapper. It is an order and says no times."""

    title: str
    compile_id: str
    part: str
    calls: tuple[OrderedCall, ...]
    flights: tuple[OrderedFlight, ...]

    def between(self, flight: OrderedFlight) -> tuple[int, ...]:
        """Calls that compute while a collective travels."""
        end = flight.wait if flight.wait is not None else flight.start + 1
        return tuple(
            index for index in range(flight.start + 1, end) if self.calls[index].kind in ("kernel", "extern")
        )


def post_grad_of(capture: Capture, stage: Stage) -> Stage | None:
    """The graph that a stage of Inductor's was lowered from."""
    return next(
        (
            other
            for other in capture.of_kind(StageKind.POST_GRAD_GRAPH)
            if (other.compile_id, other.part) == (stage.compile_id, stage.part)
        ),
        None,
    )


def call_orders(capture: Capture) -> tuple[CallOrder, ...]:
    """Of every wrapper that calls a collective, in pipeline order."""
    found = []
    for stage in capture.stages:
        if any(collective_name(kernel.name) for kernel in stage.kernels):
            found.append(_order(capture, stage, stage.kernels))
    return tuple(found)


def _order(capture: Capture, stage: Stage, kernels: tuple[Kernel, ...]) -> CallOrder:
    post_grad = post_grad_of(capture, stage)
    graph = post_grad.graph if post_grad is not None else None
    nodes = [_node(graph, kernel) for kernel in kernels]
    calls = tuple(
        OrderedCall(
            collective_name(kernel.name) or kernel.name,
            place(stage.id, kernel.id),
            _kind(kernel),
            collective_of(graph, graph.node(node)) if graph is not None and node else None,
        )
        for kernel, node in zip(kernels, nodes, strict=True)
    )
    numbers = {node: index for index, node in enumerate(nodes) if node}
    linked = [
        OrderedFlight(numbers[flight.start], numbers.get(flight.wait))
        for flight in (flights(graph) if graph is not None else ())
        if flight.start in numbers
    ]
    title = " ".join(filter(None, (stage.compile_id, stage.part)))
    return CallOrder(title, stage.compile_id, stage.part, calls, tuple(linked))


def _kind(kernel: Kernel) -> str:
    if name := collective_name(kernel.name):
        return "wait" if is_wait(kernel.name) else "start" if name else ""
    return "extern" if kernel.language == "extern" else "kernel"


def _node(graph: Graph | None, kernel: Kernel) -> NodeId:
    """The node of the graph that a collective call was lowered from, as torch recorded it."""
    name = collective_name(kernel.name)
    if graph is None or not name:
        return ""
    same = [
        node
        for node in kernel.origins
        if graph.holds(node) and collective_name(graph.node(node).target) == name
    ]
    return same[0] if len(same) == 1 else ""
