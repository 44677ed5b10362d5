"""What must hold for every capture, and what is left of one that contradicts itself.

Run on each capture that leaves the process that made it, and on each that is read from a file: past this border every
link, place and stage that a capture names is there, so that nobody behind it has to ask.
"""

from collections import Counter
from collections.abc import Callable
from operator import itemgetter
from typing import TypeAlias

import msgspec

from compiler.model.capture.capture import Capture
from compiler.model.capture.counted import counted, first_of
from compiler.model.capture.frames import Frame, GraphBreak
from compiler.model.ir.collectives import is_group_note
from compiler.model.ir.graph import Graph, Node
from compiler.model.ir.ids import NodeId, StageId
from compiler.model.ir.links import LinkTable
from compiler.model.ir.own_kernels import is_kernel_note
from compiler.model.ir.passes import FusionStep, PassRun, PassStart, after_run
from compiler.model.ir.stage import LoopStage, Stage
from compiler.model.prediction.other_ranks import ranks_fault
from compiler.model.session_file.stage_checks import check_guards, check_stage, node_ids
from compiler.model.session_file.step_checks import step_fault

_FIRST: Callable[[tuple[NodeId, NodeId]], NodeId] = itemgetter(0)
_SECOND: Callable[[tuple[NodeId, NodeId]], NodeId] = itemgetter(1)
_Known: TypeAlias = dict[StageId, set[NodeId]]
_MOST_REPLAYED = 30_000_000
"""Nodes that are gone through in all to replay passes; a capture of 50,000 nodes needs a tenth."""
_TOO_MANY = "the passes of {stage} are too many to check"


def consistent(capture: Capture) -> tuple[Capture, tuple[str, ...]]:
    """A capture without what contradicts itself in it, and a clause about each part that was left out: repeated stages,
    graphs out of order, links and places that lead nowhere.

    What is consistent is given back as it is.
    """
    faults: list[str] = []
    stages = _stages(capture.stages, faults)
    if twice := _twice(capture.stages, faults):
        capture = _without_facts_of(capture, twice)
    known: _Known = {stage.id: node_ids(stage) for stage in stages}
    left = msgspec.structs.replace(
        capture,
        stages=_with_origins(stages, faults),
        links=_links(capture.links, known, faults),
        breaks=_breaks(capture.breaks, known, faults),
        readings=tuple(row for row in capture.readings if row.node in known.get(row.stage, ())),
    )
    if len(left.readings) < len(capture.readings):
        faults.append("readings of probes name nodes that are not there")
    left = msgspec.structs.replace(left, frames=_frames(left, known, faults))
    left = _without_wrong_nodes_of_variables(left, known, faults)
    left = _without_wrong_guards(left, faults)
    left = _without_wrong_passes(left, faults)
    if left.step is not None and (fault := step_fault(left.step)):
        faults.append(fault)
        left = msgspec.structs.replace(left, step=None)
    if left.other_ranks is not None and (fault := ranks_fault(left.other_ranks)):
        faults.append(fault)
        left = msgspec.structs.replace(left, other_ranks=None)
    left = _without_wrong_fusions(left, faults)
    return (left, tuple(dict.fromkeys(faults))) if faults else (capture, ())


def _stages(stages: tuple[Stage, ...], faults: list[str]) -> tuple[Stage, ...]:
    kept: dict[StageId, Stage] = {}
    for stage in stages:
        if stage.id in kept:
            continue
        wrong = next(check_stage(stage), None)
        if wrong is None:
            kept[stage.id] = stage
        else:
            faults.append(f"{stage.id}: {wrong}")
    return tuple(kept.values())


def _twice(stages: tuple[Stage, ...], faults: list[str]) -> set[StageId]:
    """Ids that several stages have: of each the first is kept. They are reported as one fault, since most that names them is wrong
    of the one that is kept.
    """
    counts = Counter(stage.id for stage in stages)
    twice = [name for name, count in counts.items() if count > 1]
    if twice:
        faults.append(
            f"several stages have the same id ({counts[twice[0]]} have {first_of(twice, 1)}): the first of each is kept, without links, passes and fusions"
        )
    return set(twice)


def _without_facts_of(capture: Capture, names: set[StageId]) -> Capture:
    """A capture without what is said of stages that cannot be distinguished."""
    return msgspec.structs.replace(
        capture,
        links=tuple(row for row in capture.links if names.isdisjoint((row.source, row.target))),
        passes=tuple(row for row in capture.passes if row.stage not in names),
        pass_starts=tuple(row for row in capture.pass_starts if names.isdisjoint((row.stage, row.began_as))),
        fusions=tuple(row for row in capture.fusions if row.stage not in names),
        readings=tuple(row for row in capture.readings if row.stage not in names),
    )


def _with_origins(stages: tuple[Stage, ...], faults: list[str]) -> tuple[Stage, ...]:
    known = {stage.id for stage in stages}
    kept = []
    for stage in stages:
        lost = [origin for origin in stage.made_from if origin not in known]
        faults += [f"{stage.id} was made from {origin}, which is not there" for origin in lost]
        there = tuple(origin for origin in stage.made_from if origin in known)
        kept.append(msgspec.structs.replace(stage, made_from=there) if lost else stage)
    return tuple(kept)


def _links(tables: tuple[LinkTable, ...], known: _Known, faults: list[str]) -> tuple[LinkTable, ...]:
    kept = []
    for table in tables:
        lost = [end for end in (table.source, table.target) if end not in known]
        faults += [f"links lead to the stage {end}, which is not there" for end in lost]
        if lost:
            continue
        sources, targets = known[table.source], known[table.target]
        if not sources.issuperset(map(_FIRST, table.pairs)) or not targets.issuperset(
            map(_SECOND, table.pairs)
        ):
            pairs = tuple(pair for pair in table.pairs if pair[0] in sources and pair[1] in targets)
            before = sorted({pair[0] for pair in table.pairs} - sources)
            after = sorted({pair[1] for pair in table.pairs} - targets)
            end, node = (table.source, before[0]) if before else (table.target, after[0])
            count = len(table.pairs) - len(pairs)
            faults.append(
                f"{counted(count, 'link')} {table.source} → {table.target} to or from {node}, which is not in {end}"
            )
            table = msgspec.structs.replace(table, pairs=pairs)
        if table.pairs:
            kept.append(table)
    return tuple(kept)


def _breaks(breaks: tuple[GraphBreak, ...], known: _Known, faults: list[str]) -> tuple[GraphBreak, ...]:
    ids = {item.id for item in breaks}
    kept = []
    for item in breaks:
        location = item.instruction
        if location is not None and not known.get(location.stage, set()).issuperset(location.nodes):
            faults.append(f"the break {item.id} names an instruction that is not there")
            item = msgspec.structs.replace(item, instruction=None)
        if item.caused_by and item.caused_by not in ids:
            faults.append(f"the break {item.id} names a cause that is not there")
            item = msgspec.structs.replace(item, caused_by="")
        kept.append(item)
    return tuple(kept)


def _frames(capture: Capture, known: _Known, faults: list[str]) -> tuple[Frame, ...]:
    breaks = {item.id for item in capture.breaks}
    kept = []
    for frame in capture.frames:
        lost = {
            name: ""
            for name in ("original", "rewritten", "graph")
            if getattr(frame, name) and getattr(frame, name) not in known
        }
        faults += [f"the frame {frame.id} names {getattr(frame, name)}, which is not there" for name in lost]
        frame = msgspec.structs.replace(frame, **lost) if lost else frame
        if not breaks.issuperset(frame.breaks):
            faults.append(f"the frame {frame.id} names a break that is not there")
            there = tuple(name for name in frame.breaks if name in breaks)
            frame = msgspec.structs.replace(frame, breaks=there)
        kept.append(frame)
    return tuple(kept)


def _without_wrong_nodes_of_variables(capture: Capture, known: _Known, faults: list[str]) -> Capture:
    graphs = {frame.id: known[frame.graph] for frame in capture.frames if frame.graph}
    rows = tuple(
        msgspec.structs.replace(row, node="")
        if row.node and row.node not in graphs.get(row.compile_id, ())
        else row
        for row in capture.variables
    )
    if rows == capture.variables:
        return capture
    faults.append("variables name nodes that are not there")
    return msgspec.structs.replace(capture, variables=rows)


def _without_wrong_guards(capture: Capture, faults: list[str]) -> Capture:
    kept = []
    for tree in capture.guards:
        wrong = next(check_guards(tree), None)
        if wrong is None:
            kept.append(tree)
        else:
            faults.append(f"guards of {tree.compile_id}: {wrong}")
    return msgspec.structs.replace(capture, guards=tuple(kept))


def _without_wrong_passes(capture: Capture, faults: list[str]) -> Capture:
    """No graph to begin with, differences that do not fit or do not lead to the stage: the stage is shown without them."""
    runs: dict[StageId, list[PassRun]] = {}
    for run in capture.passes:
        runs.setdefault(run.stage, []).append(run)
    stages = {stage.id: stage for stage in capture.stages}
    starts: dict[StageId, PassStart] = {}
    for row in capture.pass_starts:
        starts.setdefault(row.stage, row)
    work = _MOST_REPLAYED
    wrong: dict[StageId, str] = {}
    for stage_id, found in runs.items():
        start, end = starts.get(stage_id), stages.get(stage_id)
        origin = stages.get(start.began_as) if start is not None else None
        graph = start.graph or (origin.graph if origin is not None else None) if start is not None else None
        if graph is None or end is None or end.graph is None:
            wrong[stage_id] = f"the passes of {stage_id} have no graph to begin with"
            continue
        work -= sum(run.changed_anything for run in found) * (len(graph.nodes) + 1)
        fault = _fault_of_passes(graph, end.graph, found) if work >= 0 else _TOO_MANY
        if fault:
            wrong[stage_id] = fault.format(stage=stage_id)
    lost = {
        row.stage
        for row in capture.pass_starts
        if row.stage not in stages or row.began_as not in {"", *stages}
    }
    wrong |= {stage: f"the passes of {stage} have no graph to begin with" for stage in lost - wrong.keys()}
    faults += wrong.values()
    if not wrong:
        return capture
    return msgspec.structs.replace(
        capture,
        passes=tuple(run for run in capture.passes if run.stage not in wrong),
        pass_starts=tuple(row for row in capture.pass_starts if row.stage not in wrong),
    )


def _fault_of_passes(graph: Graph, end: Graph, runs: list[PassRun]) -> str:
    try:
        for run in runs:
            graph = after_run(graph, run)
    except ValueError as error:
        return str(error).replace("{", "{{").replace("}", "}}")
    led = graph == end or _without_late_notes(graph) == _without_late_notes(end)
    return "" if led else "the passes of {stage} lead to another graph"


def _without_late_notes(graph: Graph) -> Graph:
    """The graph as passes leave it: who takes part in collectives, and which kernel of the program's is called, is noted later."""
    nodes = list[Node]()
    for node in graph.nodes:
        kept = tuple(note for note in node.notes if not is_group_note(note) and not is_kernel_note(note))
        nodes.append(msgspec.structs.replace(node, notes=kept) if len(kept) < len(node.notes) else node)
    return Graph(tuple(nodes))


def _without_wrong_fusions(capture: Capture, faults: list[str]) -> Capture:
    """Steps that join nodes that are not there (any more): the stage is shown without its steps."""
    wrong = set()
    steps: dict[StageId, list[FusionStep]] = {}
    for step in capture.fusions:
        steps.setdefault(step.stage, []).append(step)
    stages = {stage.id: stage for stage in capture.stages}
    places = {stage_id: place for place, stage_id in enumerate(stages)}
    for stage_id, found in steps.items():
        stage = stages.get(stage_id)
        origins = [origin for origin in stage.made_from if origin in stages] if stage is not None else []
        before = stages[min(origins, key=places.__getitem__)] if origins else None
        if stage is None or before is None or not _fusions_fit(before, stage, found):
            wrong.add(stage_id)
            faults.append(f"the fusions of {stage_id} join nodes that are not there")
    if not wrong:
        return capture
    return msgspec.structs.replace(
        capture, fusions=tuple(step for step in capture.fusions if step.stage not in wrong)
    )


def _fusions_fit(before: Stage, stage: Stage, steps: list[FusionStep]) -> bool:
    if not isinstance(before.content, LoopStage) or not isinstance(stage.content, LoopStage):
        return False
    nodes = node_ids(before)
    for step in steps:
        if not nodes.issuperset(step.parts):
            return False
        if step.parts:
            nodes.difference_update(step.parts)
            nodes.add(step.result)
    return True
