"""A capture made by another front end than torch.compile: load, run once as it is, capture, link to source lines."""

import contextlib
from collections.abc import Callable
from pathlib import Path

import torch

from compiler.engine.errors import failing_as
from compiler.engine.file_ownership import is_linked
from compiler.engine.front_ends.export.exported import open_saved
from compiler.engine.front_ends.interface.editable_graphs import GraphHolder
from compiler.engine.front_ends.interface.result import FrontEndResult
from compiler.engine.front_ends.registry import FRONT_ENDS
from compiler.engine.provenance.source_files import in_order, source_stage
from compiler.engine.stage_ids import source_id
from compiler.engine.user_program.checked_loading import loaded
from compiler.engine.user_program.environment import find_environment
from compiler.engine.user_program.loading import Program
from compiler.engine.user_program.source_overrides import text_of
from compiler.model.capture.capture import Capture
from compiler.model.capture.capture_spec import CaptureSpec
from compiler.model.capture.front_ends import SAVED, find_front_end
from compiler.model.ir.diagnostics import Problem
from compiler.model.ir.ids import CaptureId, line_id
from compiler.model.ir.links import LinkTable
from compiler.model.ir.stage import Stage

ReportProgress = Callable[[str], None]


def capture_with(spec: CaptureSpec, capture_id: CaptureId, report_progress: ReportProgress) -> Capture:
    """Load the program and capture it with the front end that the spec names. Raises EngineError."""
    if spec.target.name.endswith(SAVED):
        report_progress(f"Opening {spec.target.name}")
        result = open_saved(Path(spec.target.folder) / spec.target.name)
        return assembled(spec, capture_id, result, "")
    program, spec, _, notes = loaded(spec, report_progress)
    return assembled(spec, capture_id, run_front_end(spec, program, report_progress), program.path, notes)


def assembled(
    spec: CaptureSpec,
    capture_id: CaptureId,
    result: FrontEndResult,
    path: str,
    notes: tuple[Problem, ...] = (),
) -> Capture:
    """A capture of what a front end made, linked to the lines of the user's files, of which `path` is the program's."""
    sources, links = _sources(result.stages, path)
    return Capture(
        id=capture_id,
        spec=spec,
        environment=find_environment(),
        stages=(*sources, *result.stages),
        links=(*links, *result.links),
        problems=(*result.problems, *notes),
        seconds=result.seconds,
        passes=result.passes,
        pass_starts=result.pass_starts,
    )


def run_front_end(
    spec: CaptureSpec, program: Program, report_progress: ReportProgress, graphs: GraphHolder | None = None
) -> FrontEndResult:
    """What the front end makes of a program, with the edits of `graphs`. Raises EngineError with the front end's own words."""
    front_end = find_front_end(spec.front_end)
    report_progress(f"Capturing with {front_end.title}")
    with (
        failing_as(f"{front_end.title} does not take this program", front_end.lesson),
        contextlib.nullcontext() if spec.run.gradients else torch.no_grad(),
    ):
        return FRONT_ENDS[front_end.name](program, spec, graphs or GraphHolder())


def _sources(stages: tuple[Stage, ...], path: str) -> tuple[tuple[Stage, ...], tuple[LinkTable, ...]]:
    """Files of the program, and a link from every line of a node's stack, innermost first."""
    pairs: dict[tuple[str, str], list[tuple[str, str]]] = {}
    for stage in stages:
        for node in stage.graph.nodes if stage.graph is not None else ():
            for line in reversed(node.stack):
                if is_linked(line.path):
                    pairs.setdefault((line.path, stage.id), []).append((line_id(line.line), node.id))
    made, links = [], []
    for file in in_order(name for name in (path, *(where for where, _ in pairs)) if name):
        text = text_of(file)
        if text is None:
            continue
        of_file = {stage: found for (where, stage), found in pairs.items() if where == file}
        captured = {
            (int(line[1:]), stage.compile_id) for stage in stages for line, _ in of_file.get(stage.id, ())
        }
        made.append(source_stage(file, text, captured))
        links += [
            LinkTable(source_id(file), stage, "traced", "torch", tuple(dict.fromkeys(found)))
            for stage, found in of_file.items()
        ]
    return tuple(made), tuple(links)
