"""What must hold for every capture. Run on each one that is made or read from a file."""

from collections.abc import Iterator

from compiler.model.capture import Capture
from compiler.model.graph import Graph
from compiler.model.guards import GuardTree
from compiler.model.ids import NodeId
from compiler.model.pass_replay import start_of
from compiler.model.passes import PassRun, after_run
from compiler.model.stage import (
    BytecodeStage,
    FxStage,
    JointStage,
    KernelStage,
    LoopStage,
    LoweredStage,
    SourceStage,
    Stage,
    TextStage,
    WrapperStage,
)


def node_ids(stage: Stage) -> set[NodeId]:
    """Every id that a place in this stage may name."""
    match stage.content:
        case FxStage() | JointStage():
            return {node.id for node in stage.content.graph.nodes}
        case LoopStage():
            return {node.id for node in stage.content.program.nodes}
        case KernelStage():
            kernels = stage.content.kernels.kernels
            lines = {
                f"{kernel.id}:L{line}"
                for kernel in kernels
                for line in range(1, kernel.source.count("\n") + 2)
                if kernel.source
            }
            return {kernel.id for kernel in kernels} | lines
        case WrapperStage():
            return _lines(stage.content.code.text)
        case SourceStage():
            return _lines(stage.content.file.text)
        case TextStage():
            return _lines(stage.content.text)
        case BytecodeStage():
            return {instruction.id for instruction in stage.content.code.instructions}
        case LoweredStage():
            texts = stage.content.kernels
            return {row.kernel for row in texts} | {
                f"{row.kernel}:{line}" for row in texts for line in _lines(row.text)
            }


def _lines(text: str) -> set[NodeId]:
    return {f"L{line}" for line in range(1, text.count("\n") + 2)}


def check_graph(graph: Graph) -> Iterator[str]:
    """Faults of a graph: repeated ids, inputs that do not stand before their user."""
    seen: set[NodeId] = set()
    for node in graph.nodes:
        if node.id in seen:
            yield f"the node {node.id} stands twice"
        for used in node.inputs():
            if used not in seen:
                yield f"{node.id} uses {used}, which does not come before it"
        seen.add(node.id)


def check_capture(capture: Capture) -> Iterator[str]:
    """Faults of a capture: repeated stages, graphs out of order, links and places that lead nowhere."""
    ids: dict[str, set[NodeId]] = {}
    for stage in capture.stages:
        if stage.id in ids:
            yield f"the stage {stage.id} stands twice"
        ids[stage.id] = node_ids(stage)
        if stage.graph is not None:
            yield from (f"{stage.id}: {fault}" for fault in check_graph(stage.graph))
    for stage in capture.stages:
        yield from (
            f"{stage.id} was made from {origin}, which is not there"
            for origin in stage.made_from
            if origin not in ids
        )
    yield from _check_links(capture, ids)
    yield from _check_passes(capture)
    for tree in capture.guards:
        yield from (f"guards of {tree.compile_id}: {fault}" for fault in check_guards(tree))
    for item in capture.breaks:
        spot = item.instruction
        if spot is not None and not set(spot.nodes) <= ids.get(spot.stage, set()):
            yield f"the break {item.id} names an instruction that is not there"


def _check_passes(capture: Capture) -> Iterator[str]:
    """Faults of passes: no graph to begin with, differences that do not fit or do not lead to the stage."""
    stages = {stage.id: stage for stage in capture.stages}
    runs: dict[str, list[PassRun]] = {}
    for run in capture.passes:
        runs.setdefault(run.stage, []).append(run)
    for stage_id, found in runs.items():
        graph = start_of(capture, stage_id)
        if graph is None or stage_id not in stages:
            yield f"the passes of {stage_id} have no graph to begin with"
            continue
        try:
            for run in found:
                graph = after_run(graph, run)
        except ValueError as error:
            yield str(error)
            continue
        if graph != stages[stage_id].graph:
            yield f"the passes of {stage_id} lead to another graph"


def check_guards(tree: GuardTree) -> Iterator[str]:
    """Faults of a tree of guards: a parent that does not come before its node, lines that are not there."""
    for index, node in enumerate(tree.nodes):
        if not -1 <= node.parent < index:
            yield f"the node {index} hangs on {node.parent}"
        if any(not -1 <= leaf.line < len(tree.lines) for leaf in node.leaves):
            yield f"a guard of the node {index} names a line that is not there"


def _check_links(capture: Capture, ids: dict[str, set[NodeId]]) -> Iterator[str]:
    for table in capture.links:
        for end, index in ((table.source, 0), (table.target, 1)):
            if end not in ids:
                yield f"links lead to the stage {end}, which is not there"
                continue
            missing = {pair[index] for pair in table.pairs} - ids[end]
            if missing:
                yield f"links {table.source} → {table.target} name {sorted(missing)[0]}, which is not in {end}"
