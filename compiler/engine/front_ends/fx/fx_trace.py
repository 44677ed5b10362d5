"""torch.fx.symbolic_trace: the program run with proxies, and what torch.fx then does with the graph."""

import contextlib
import dataclasses
import io
import time
from collections.abc import Callable
from typing import Any

import msgspec
import torch
import torch.fx

from compiler.engine.accuracy.result_equality import what_differs
from compiler.engine.errors import failure_from, problem_from
from compiler.engine.front_ends.fx.passes import (
    CALLS,
    Transformed,
    batch_norms_fused,
    dead_code_removed,
    from_python,
    instrumented,
    needs_eval,
    split_in_two,
)
from compiler.engine.front_ends.fx.profiled_run import (
    NodeRun,
    node_table,
    placeholder_values,
    quiet,
    run_nodes,
)
from compiler.engine.front_ends.fx.tracing_pitfalls import TrapWatch, baked_constants
from compiler.engine.front_ends.interface.editable_graphs import EditableGraph, GraphHolder, with_text
from compiler.engine.front_ends.interface.result import FrontEndResult
from compiler.engine.front_ends.interface.stage_builders import (
    assigned_links,
    graph_stage,
    line_links,
    operations_in,
    read_front_end_graph,
    text_stage,
)
from compiler.engine.fx.interpreter import interpreted
from compiler.engine.user_program.loading import Program
from compiler.engine.user_program.stepper import unchanged_state
from compiler.model.capture.capture_spec import CaptureSpec
from compiler.model.capture.front_ends import FX_GRAPH
from compiler.model.edits.edits import Edit, ReplaceText, single_edits
from compiler.model.ir.diagnostics import Problem, Severity
from compiler.model.ir.graph import Graph
from compiler.model.ir.links import LinkTable
from compiler.model.ir.stage import FxStage, Stage, TextStage

NAME = "fx"


def capture(program: Program, spec: CaptureSpec, graphs: GraphHolder) -> FrontEndResult:
    """Trace, run node by node, and show what each transform makes of it. Raises what torch.fx raises."""
    with unchanged_state(program):
        return _captured(program, spec, graphs)


def _captured(program: Program, spec: CaptureSpec, graphs: GraphHolder) -> FrontEndResult:
    watch = TrapWatch()
    with watch.watching():
        module, seconds = _traced(program, spec.run.seed)
    problems = [*watch.problems(), *baked_constants(module, lambda: _again(program, spec))]
    if spec.generated:
        module = from_python(module, spec.generated)
        problems.append(_compared(module, program, spec))
    module, shown = _edited(module, spec.generated, program, graphs)
    rewritten = spec.generated or len(_segments(graphs.edits)) > 1
    title = "Graph of the edited Python" if rewritten else "Symbolic trace"
    runs = run_nodes(module, program)
    stage = graph_stage(NAME, "graph", title, module.graph, "torch.fx.Tracer.trace", seconds)
    stage = _with_runs(stage, runs)
    text = text_stage(
        NAME,
        "code",
        "Generated Python",
        shown.text,
        "python",
        "torch.fx.Graph.python_code",
        (stage.id,),
    )
    text = msgspec.structs.replace(text, content=shown)
    table = text_stage(
        NAME,
        "values",
        "Times and values",
        node_table(module, runs),
        "plain",
        "torch.fx.Interpreter",
        (stage.id,),
    )
    more, links, reported = _transforms(module, runs, program, spec, stage, shown.text)
    stages = (stage, text, table, *more)
    names = [node.name for node in module.graph.nodes]
    links += [assigned_links(stage, text), line_links(stage, table, names, first=2)]
    return FrontEndResult(
        stages,
        module,
        1,
        operations_in(stage),
        seconds,
        tuple(links),
        (*problems, *reported),
        interpreted=lambda wide: _by_name(interpreted(module, wide), program),
    )


def _edited(
    module: torch.fx.GraphModule, generated: str, program: Program, graphs: GraphHolder
) -> tuple[torch.fx.GraphModule, TextStage]:
    """What the edits of the graph and of its Python lead to, in the order they were made; and that Python. Raises EngineError."""
    inputs = placeholder_values(program)
    shown = TextStage(generated or module.code, "python")
    for text, edits in _segments(graphs.edits):
        if text is not None:
            shown = with_text(shown, text, graphs.edits)
            module = from_python(module, shown.text)
        plain = read_front_end_graph(module.graph)
        graphs.hold(EditableGraph(FX_GRAPH, module, plain, inputs, None, program.module), edits)
        if edits:
            shown = TextStage(module.code, "python")
    return module, shown


def _segments(edits: tuple[Edit, ...]) -> list[tuple[ReplaceText | None, tuple[Edit, ...]]]:
    """Edits of the graph, cut where its Python was replaced: (the text that comes first, the edits on top of it)."""
    found: list[tuple[ReplaceText | None, tuple[Edit, ...]]] = [(None, ())]
    for edit in edits:
        text = next((one for one in single_edits((edit,)) if isinstance(one, ReplaceText)), None)
        if text is not None:
            found.append((text, ()))
        else:
            found[-1] = found[-1][0], (*found[-1][1], edit)
    return found


def _by_name(run: Callable[..., Any], program: Program) -> Callable[..., Any]:
    def call(*args: Any, **kwargs: Any) -> Any:
        return run(*placeholder_values(dataclasses.replace(program, args=args, kwargs=kwargs)))

    return call


def _traced(program: Program, seed: int) -> tuple[torch.fx.GraphModule, float]:
    tracer = torch.fx.Tracer()
    tracer.record_stack_traces = True
    torch.manual_seed(seed)
    started = time.perf_counter()
    graph = tracer.trace(program.callable)
    module = torch.fx.GraphModule(tracer.root, graph)
    seconds = time.perf_counter() - started
    module.train(getattr(tracer.root, "training", True))
    return module, seconds


def _again(program: Program, spec: CaptureSpec) -> torch.fx.GraphModule:
    with contextlib.redirect_stdout(io.StringIO()):
        return _traced(program, spec.run.seed + 1)[0]


def _with_runs(stage: Stage, runs: dict[str, NodeRun]) -> Stage:
    assert stage.graph is not None
    nodes = tuple(
        msgspec.structs.replace(node, notes=(*node.notes, *runs[node.id].notes()))
        for node in stage.graph.nodes
    )
    return msgspec.structs.replace(stage, content=FxStage(Graph(nodes)))


def _compared(module: torch.fx.GraphModule, program: Program, spec: CaptureSpec) -> Problem:
    """What the edited Python gives beside the program."""
    try:
        found = quiet(module, program, spec.run.seed)
    except Exception as error:
        raise failure_from(
            error, "The edited Python fails when run", "Correct it and run it again."
        ) from error
    differs = what_differs(found, quiet(program.callable, program, spec.run.seed))
    if differs:
        what = f"The edited Python gives another result than the program: {differs}."
        return Problem(what, "That is what was asked for, if the edit meant it.", severity=Severity.WARNING)
    return Problem("The edited Python gives what the program gives.", severity=Severity.NOTE)


def _transforms(
    module: torch.fx.GraphModule,
    runs: dict[str, NodeRun],
    program: Program,
    spec: CaptureSpec,
    first: Stage,
    code: str,
) -> tuple[list[Stage], list[LinkTable], list[Problem]]:
    """Each as a stage beside the graph it was made of; one whose results differ is reported."""
    makers: tuple[Callable[[], Transformed | None], ...] = (
        lambda: dead_code_removed(module),
        lambda: batch_norms_fused(module),
        lambda: instrumented(module),
        lambda: split_in_two(module, runs),
        lambda: Transformed(
            "again",
            "Traced again from its Python",
            "torch.fx.Tracer.trace",
            from_python(module, code),
        ),
    )
    stages, links, problems = [], [], []
    expected = quiet(module, program, spec.run.seed)
    reason = needs_eval(module)
    if reason is not None:
        problems.append(reason)
    for make in makers:
        try:
            made = make()
            if made is None:
                continue
            differs = what_differs(quiet(made.module, program, spec.run.seed), expected)
        except Exception as error:  # noqa: BLE001  a transform of torch's own may not take this graph; the others do
            reported = problem_from(
                error, "A transform of torch.fx does not take this graph", "The rest is whole."
            )
            problems.append(msgspec.structs.replace(reported, severity=Severity.NOTE))
            continue
        stage = graph_stage(NAME, made.key, made.title, made.module.graph, made.made_by, None, (first.id,))
        stages.append(stage)
        links.append(LinkTable(first.id, stage.id, "rewritten", "name", _same_names(first, stage)))
        if differs:
            problems.append(
                Problem(f"{made.title}: the result differs: {differs}.", severity=Severity.WARNING)
            )
    return stages, links, problems


def _same_names(first: Stage, second: Stage) -> tuple[tuple[str, str], ...]:
    """torch.fx keeps names when it copies nodes; those in a submodule lead to its call."""
    assert first.graph is not None
    assert second.graph is not None
    where = {inner.id: node.id for node in second.graph.nodes for inner in node.body if inner.op in CALLS}
    where |= {node.id: node.id for node in second.graph.nodes}
    return tuple((node.id, where[node.id]) for node in first.graph.nodes if node.id in where)
