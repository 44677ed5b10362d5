"""torch.export: one whole graph, or a refusal. Also strictly, dynamically, as a draft, and from a saved file."""

import contextlib
import logging
import tempfile
import time
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from unittest.mock import patch

import torch
import torch.export
from torch.export import ExportedProgram
from torch.utils import _pytree as pytree

from compiler.engine.errors import EngineError
from compiler.engine.front_ends.export.stages import (
    decomposed,
    exported_graph,
    exported_texts,
    hold_exported,
    report_stage,
)
from compiler.engine.front_ends.interface.editable_graphs import GraphHolder
from compiler.engine.front_ends.interface.result import FrontEndResult
from compiler.engine.front_ends.interface.stage_builders import assigned_links, operations_in
from compiler.engine.fx.interpreter import interpreted
from compiler.engine.quiet_logs import logging_only
from compiler.engine.torch_internals.dynamo.helper_frames import helper_frames_kept
from compiler.engine.torch_internals.dynamo.partial_graphs import partial_graphs_in_errors
from compiler.engine.user_program.loading import Program, arguments_by_parameter
from compiler.model.capture.capture_spec import CaptureSpec
from compiler.model.capture.front_ends import EXPORT, EXPORT_DRAFT, EXPORT_DYNAMIC, EXPORT_STRICT
from compiler.model.edits.editable_stages import SAVED_BY_EXPORT
from compiler.processes.private_folder import scratch_place


def capture_static(program: Program, spec: CaptureSpec, graphs: GraphHolder) -> FrontEndResult:
    """For the sizes of the example. Raises what torch.export raises."""
    return _capture(EXPORT, program, graphs, torch.export.export, None)


def capture_dynamic(program: Program, spec: CaptureSpec, graphs: GraphHolder) -> FrontEndResult:
    """For every size that the program allows (``Dim.AUTO``). Raises what torch.export raises."""
    auto = torch.export.Dim.AUTO

    def sizes(value: Any) -> Any:
        return dict.fromkeys(range(value.dim()), auto) if isinstance(value, torch.Tensor) else None

    shapes = pytree.tree_map(sizes, (program.args, program.kwargs))
    return _capture(EXPORT_DYNAMIC, program, graphs, torch.export.export, _by_parameter(program, shapes))


def capture_strict(program: Program, spec: CaptureSpec, graphs: GraphHolder) -> FrontEndResult:
    """By Dynamo, which reads bytecode. Raises what torch.export raises."""
    return _capture(EXPORT_STRICT, program, graphs, torch.export.export, None, strict=True)


def capture_draft(program: Program, spec: CaptureSpec, graphs: GraphHolder) -> FrontEndResult:
    """A graph whatever it takes, with a report of what was assumed. Raises what draft_export raises."""
    with _log_in_own_folder():
        return _capture(EXPORT_DRAFT, program, graphs, torch.export.draft_export, None)


@contextlib.contextmanager
def _log_in_own_folder() -> Iterator[None]:
    """A draft writes torch's trace into ``/tmp/export_NAME``, for ever and where anybody may have put a link; and prints which
    command reads it. All that it finds is in the report, so it is written where nobody else is, and goes.
    """
    with (
        logging_only(logging.ERROR, "torch.export._draft_export"),
        tempfile.TemporaryDirectory(dir=scratch_place()) as folder,
        patch.object(tempfile, "tempdir", folder),
    ):
        yield


def open_saved(path: Path) -> FrontEndResult:
    """What `torch.export.save` wrote. torch executes pickles and formulas in it, so it must be trusted. Raises EngineError."""
    if not path.is_file():
        raise EngineError(f"There is no file {path}.", "Check the spelling and the folder.", path=str(path))
    started = time.perf_counter()
    try:
        # else it prints the traceback that the message below stands for
        with logging_only(logging.CRITICAL, "torch.export"):
            exported = torch.export.load(path)
    except Exception as error:
        first = str(error).strip().partition("\n")[0]
        raise EngineError(
            f"{path.name} cannot be opened as an exported program: {type(error).__name__}: {first}.",
            f"Write it again with torch.export.save; this is torch {torch.__version__}.",
            path=str(path),
        ) from error
    return _read(EXPORT, exported, SAVED_BY_EXPORT, time.perf_counter() - started)


def _by_parameter(program: Program, shapes: Any) -> Any:
    positional, keyword = shapes
    try:
        return arguments_by_parameter(program, positional, keyword)
    except (TypeError, ValueError):
        return positional


def _capture(
    name: str,
    program: Program,
    graphs: GraphHolder,
    export: Callable[..., ExportedProgram],
    shapes: Any,
    **settings: bool,
) -> FrontEndResult:
    module = program.module
    if module is None:
        raise EngineError(
            "torch.export takes an nn.Module only, and this is a function.", "Name an nn.Module."
        )
    started = time.perf_counter()
    with helper_frames_kept(), partial_graphs_in_errors():
        exported = export(module, program.args, program.kwargs, dynamic_shapes=shapes, **settings)
    seconds = time.perf_counter() - started
    hold_exported(name, exported, graphs)
    result = _read(name, exported, f"torch.export.{export.__name__}", seconds)
    result.interpreted = lambda wide: interpreted(exported.module(), wide)
    return result


def _read(name: str, exported: ExportedProgram, made_by: str, seconds: float) -> FrontEndResult:
    graph = exported_graph(name, exported, made_by, seconds)
    reports, findings = report_stage(name, exported, graph)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", FutureWarning)
        core, links, problems = decomposed(name, exported, graph)
    texts = exported_texts(name, exported, graph)
    links.append(assigned_links(graph, texts[0]))
    return FrontEndResult(
        (graph, *texts, *reports, *core),
        exported.module(),
        1,
        operations_in(graph),
        seconds,
        tuple(links),
        (*findings, *problems),
    )
