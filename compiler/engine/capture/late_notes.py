"""Notes at nodes of what this process knows and a graph does not hold: who takes part in a collective, of which it has the name of a
process group, and which Triton kernel of the program's it calls, of which it has a number.
"""

from collections.abc import Iterator

import msgspec

from compiler.engine.torch_internals.distributed.process_groups import group_facts
from compiler.engine.torch_internals.triton.kernel_table import kernel_facts
from compiler.model.capture.counted import first_of
from compiler.model.ir.collectives import collective_of, group_note
from compiler.model.ir.graph import Graph, Node
from compiler.model.ir.own_kernels import is_own_kernel, kernel_note, numbers_of
from compiler.model.ir.stage import FxStage, JointStage, Stage

_MOST = 12
"""Constants of a kernel that are named."""


def with_late_notes(stage: Stage) -> Stage:
    """The stage with a note at each such node."""
    graph = stage.graph
    if graph is None:
        return stage
    nodes = tuple(_noted(graph, node) for node in graph.nodes)
    if all(new is old for new, old in zip(nodes, graph.nodes, strict=True)):
        return stage
    content = stage.content
    assert isinstance(content, FxStage | JointStage)
    return msgspec.structs.replace(stage, content=msgspec.structs.replace(content, graph=Graph(nodes)))


def _noted(graph: Graph, node: Node) -> Node:
    notes = tuple(note for note in _notes(graph, node) if note not in node.notes)
    return msgspec.structs.replace(node, notes=(*node.notes, *notes)) if notes else node


def _notes(graph: Graph, node: Node) -> Iterator[str]:
    sent = collective_of(graph, node)
    if sent is not None and sent.group and (facts := group_facts(sent.group)) is not None:
        yield group_note(sent.group, *facts)
    numbers = numbers_of(node) if is_own_kernel(node) else None
    if numbers is not None and (own := kernel_facts(*numbers)) is not None:
        name, place, constants = own
        yield kernel_note(name, place, first_of(constants, _MOST))
