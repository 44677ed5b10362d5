"""Parts of compiling one unit again: a fresh record, other kernel sources, and what a failure means."""

import dataclasses
import time

from compiler.engine.failures import EngineError, problem_from
from compiler.engine.kernel_texts import build_error, with_kernel_source
from compiler.engine.recording import Recorder, UnitRecord
from compiler.engine.stage_ids import unit_id
from compiler.engine.torch_internals import kernel_builds
from compiler.engine.torch_internals.live_regions import LiveUnit
from compiler.engine.torch_internals.wrapper_modules import load_wrapper
from compiler.model.edits import Edit, kernel_sources
from compiler.model.loops import FusionChoice


def fresh_record(before: UnitRecord, choices: tuple[FusionChoice, ...]) -> UnitRecord:
    """A record for lowering a post-grad graph once more."""
    passes = before.passes.copy() if before.passes is not None else None
    if passes is not None:
        passes.take_back_edits()
    return dataclasses.replace(
        before,
        started=time.perf_counter(),
        edited=True,
        before_fusion=None,
        after_fusion=None,
        choices=choices,
        not_fused=[],
        fusions=[],
        passes=passes,
        kernels=[],
        call_lines=[],
        written={},
        read_kernels=None,
        seconds={},
    )


def build_kernels(
    unit: LiveUnit, before: UnitRecord, name: str, edits: tuple[Edit, ...], recorder: Recorder
) -> UnitRecord:
    """Put other sources into the wrapper that runs now, load it and let it run. Raises EngineError."""
    stage = unit_id(name, unit.part, "kernels")
    sources = kernel_sources(edits, stage)
    text = before.wrapper_text
    for kernel, source in sources.items():
        text = with_kernel_source(text, kernel, source)
    recorder.say(f"Building {', '.join(sources)} of {name}")
    fresh = dataclasses.replace(before, wrapper_text=text, edited=True, read_kernels=None, seconds={})
    recorder.regions[-1].units.append(fresh)
    started = time.perf_counter()
    try:
        with kernel_builds.listen(recorder):
            unit.module = load_wrapper(text, unit.module)
    except Exception as error:
        raise build_error(error, stage, sources) from error
    unit.swap(unit.module.call)
    fresh.wrapper_path = str(unit.module.__file__)
    fresh.seconds["whole"] = time.perf_counter() - started
    return fresh


def build_error_in(error: Exception) -> EngineError:
    """What a failed compile means: our own refusal, which torch may have wrapped, or torch's."""
    seen: BaseException | None = error
    while seen is not None:
        if isinstance(seen, EngineError):
            return seen
        seen = getattr(seen, "inner_exception", None) or seen.__cause__ or seen.__context__
    problem = problem_from(
        error,
        "The edited graph does not compile",
        "Undo the edit or change it; the version before it still runs.",
    )
    return EngineError(problem)
