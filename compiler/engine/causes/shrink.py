"""From a program that is wrong as compiled to the least part of it that still is: fewer operations, smaller sizes, plain inputs.

Torch's minifiers cut a graph while the same error is raised or the same tolerance broken, in files that start torch for every
trial. Here the graph is the one that was captured, with the values it had, and right means what it means for every verdict.
"""

import time
from collections.abc import Callable

from compiler.engine.causes.find_cause import drawing_as_eager
from compiler.engine.causes.graph_levels import DYNAMO, GraphPart, parts_of
from compiler.engine.causes.least_program import (
    UnprintableError,
    program_text,
    with_names_hidden,
    written,
)
from compiler.engine.causes.smaller_programs import Shrinking
from compiler.engine.causes.subprograms import Failing, Subprogram, recorded_values
from compiler.engine.causes.trials import quiet
from compiler.engine.errors import EngineError
from compiler.engine.recompile.edited_program import EditedProgram
from compiler.model.edits.edits import Edit
from compiler.model.experiments.causes import CauseFound
from compiler.model.experiments.least_programs import LeastProgram
from compiler.model.ir.ids import NodeId

ReportProgress = Callable[[str], None]


def shrink(
    program: EditedProgram, edits: tuple[Edit, ...], found: CauseFound, report_progress: ReportProgress
) -> LeastProgram:
    """The least program that is wrong as the graph of a cause is. Raises EngineError where no part of it is wrong by itself."""
    with drawing_as_eager(program, edits, report_progress) as looked_at:
        return _shrunk(looked_at, edits, found, report_progress)


def _shrunk(
    program: EditedProgram, edits: tuple[Edit, ...], found: CauseFound, report_progress: ReportProgress
) -> LeastProgram:
    started = time.perf_counter()
    part = next((row for row in parts_of(program, DYNAMO) if row.compile_id == found.graph), None)
    if part is None:
        raise EngineError("There is no graph to make smaller.", "Find the cause first.")
    with program.running(edits, (), report_progress):
        source, values = recorded_values(program, part, edits)
    if not values:
        raise EngineError(
            f"A step with the graph {part.name} exchanged does not come to it.", "Report the whole program."
        )
    spec = program.base.capture.spec.compile
    failing = Failing(spec.mode, dict(spec.options) or None, written)
    off: float | None = None

    def wrong(tried: Subprogram) -> bool:
        nonlocal off
        try:
            with quiet():
                judged = failing.judged(tried)
        except Exception:  # noqa: BLE001  a part of a program need not run by itself
            return False
        off = judged.off if judged.wrong else off
        return judged.wrong

    shrinking = Shrinking(source, values, wrong, report_progress)
    nodes = [node.name for node in source.graph.nodes if node.op in ("call_function", "call_method")]
    least = shrinking.nodes(nodes, _hints(part, found, nodes))
    if least is None:
        what = f"The graph {part.name}, compiled by itself with the values it had, is right."
        raise EngineError(what, "What is wrong needs what stands around it; report the whole program.")
    least = shrinking.sizes(least)
    least, drawn = shrinking.plain_inputs(least)
    hidden, why_not = "", "the inputs that show it are your own"
    try:
        text = program_text(least, drawn, found.sentence)
        if drawn is not None and all(map(drawn.covers, least.inputs)):
            hidden, why_not = program_text(with_names_hidden(least), drawn, found.hidden_sentence), ""
    except UnprintableError as error:
        raise EngineError(f"The least program cannot be written as one file: {error}.", "") from error
    return LeastProgram(
        text,
        hidden=hidden,
        why_not_hidden=why_not,
        before=len(nodes),
        after=least.calls,
        trials=shrinking.trials,
        off=off,
        seconds=time.perf_counter() - started,
    )


def _hints(part: GraphPart, found: CauseFound, nodes: list[NodeId]) -> list[NodeId]:
    """The nodes of Dynamo's graph that the nodes at fault come from, as torch recorded."""
    start = f"{part.compile_id}:"
    names = set(found.nodes)
    for graph in part.graph.record.inductor_graphs:
        for node in (*graph.aot_graph.nodes, *(graph.post_grad.nodes if graph.post_grad is not None else ())):
            if node.id in found.nodes:
                names |= {mark.removeprefix(start) for mark in node.origins if mark.startswith(start)}
    if found.line is not None:
        names |= {
            node.id
            for node in part.graph.record.dynamo.nodes
            if node.stack and (node.stack[-1].path, node.stack[-1].line) == (found.path, found.line)
        }
    return [name for name in nodes if name in names]
