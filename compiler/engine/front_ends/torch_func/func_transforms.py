"""torch.func: what make_fx sees of the program under vmap, grad and their nestings, and the batching rules that vmap used."""

import time
import warnings
from typing import Any

from torch.fx.experimental.proxy_tensor import make_fx
from torch.utils import _pytree as pytree

from compiler.engine.errors import problem_from
from compiler.engine.front_ends.interface.result import FrontEndResult
from compiler.engine.front_ends.interface.stage_builders import graph_stage, operations_in, text_stage
from compiler.engine.front_ends.torch_func.transforms import PureProgram, Transformed
from compiler.engine.operators.dispatch_tracing import DispatchRecorder, overloads_used
from compiler.engine.stage_ids import source_id
from compiler.engine.torch_internals.dynamo.helper_frames import helper_frames_kept
from compiler.engine.torch_internals.patch.wrapped_tensors import layers
from compiler.engine.user_program.loading import Program
from compiler.model.capture.capture_spec import CaptureSpec
from compiler.model.ir.diagnostics import Problem, Severity
from compiler.model.ir.ids import line_id
from compiler.model.ir.links import LinkTable
from compiler.model.ir.stage import Stage
from compiler.model.operators.batching import batching_rules, rules_text

NAME = "func"


def capture(program: Program, spec: CaptureSpec) -> FrontEndResult:
    """A graph for each transform that torch can make of the program; the others become problems."""
    pure = PureProgram(program)
    stages: list[Stage] = []
    problems: list[Problem] = []
    started = time.perf_counter()
    with warnings.catch_warnings(record=True) as reported:
        warnings.simplefilter("always")  # torch reports a missing rule only the first time
        for transformed in pure.transformed():
            try:
                stages.append(_stage(transformed))
            except Exception as error:  # noqa: BLE001  each transform refuses programs in its own way
                what = f"{transformed.name} is not possible here"
                problems.append(_as_warning(problem_from(error, what, "See the lesson on vmap.")))
        seconds = time.perf_counter() - started
        text, links = _rules(pure, reported)
    for row in reported:
        if "batching rule" not in str(row.message):
            warnings.warn_explicit(row.message, row.category, row.filename, row.lineno)
    if text is not None:
        stages.append(text)
    return FrontEndResult(
        tuple(stages),
        program.callable,
        len(stages),
        sum(map(operations_in, stages)),
        seconds,
        links,
        tuple(problems),
    )


def _stage(transformed: Transformed) -> Stage:
    leaves, spec = pytree.tree_flatten(transformed.arguments)

    def flat(*values: Any) -> Any:
        return transformed.function(*pytree.tree_unflatten(list(values), spec))

    began = time.perf_counter()
    with helper_frames_kept():
        traced = make_fx(flat, record_stack_traces=True)(*leaves)
    seconds = time.perf_counter() - began
    title = f"{transformed.title}: {transformed.name}"
    return graph_stage(NAME, transformed.name, title, traced.graph, "make_fx of torch.func", seconds)


def _rules(
    pure: PureProgram, reported: list[warnings.WarningMessage]
) -> tuple[Stage | None, tuple[LinkTable, ...]]:
    """What took each operator of one run of ``vmap(f)``, as a text whose lines are linked to the user's."""
    vmapped = next(row for row in pure.transformed() if row.name == "vmap(f)")
    seen: list[list[tuple[str, int | None, int | None, tuple[int, ...]]]] = []

    def run() -> None:
        vmapped.function(*vmapped.arguments)

    recorder = DispatchRecorder()
    try:
        operators = overloads_used(run)
        recorder.install(operators)
        recorder.recording = True
        run()
    except Exception:  # noqa: BLE001  reported already, by the graph of vmap(f)
        return None, ()
    finally:
        recorder.recording = False
        recorder.remove()
    pure.watch = lambda value: seen.append(layers(value))
    run()
    pure.watch = None
    rows = batching_rules(tuple(recorder.calls))
    spoken = tuple(
        dict.fromkeys(
            str(row.message).split("\n")[0] for row in reported if "batching rule" in str(row.message)
        )
    )
    text, lines = rules_text(rows, seen[0] if seen else [], pure.agreement(), spoken)
    stage = text_stage(NAME, "rules", "Batching rules", text, "plain", "the dispatcher", (f"{NAME}:vmap(f)",))
    pairs: dict[str, list[tuple[str, str]]] = {}
    for number, row in lines:
        if row.line is not None:
            pairs.setdefault(row.line.path, []).append((line_id(row.line.line), line_id(number)))
    tables = (
        LinkTable(source_id(path), stage.id, "called", "torch", tuple(dict.fromkeys(found)))
        for path, found in pairs.items()
    )
    return stage, tuple(tables)


def _as_warning(problem: Problem) -> Problem:
    return Problem(
        problem.what, problem.remedy, problem.path, problem.line, Severity.WARNING, detail=problem.detail
    )
