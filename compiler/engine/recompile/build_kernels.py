"""Parts of compiling one Inductor graph again: a fresh record, other kernel sources, and what a failure means."""

import dataclasses
import time

from compiler.engine.error_chain import chain
from compiler.engine.errors import EngineError, problem_from
from compiler.engine.kernel_code.kernel_source import build_error, with_kernel_source
from compiler.engine.kernel_code.wrapper_errors import line_in_text, wrapper_error
from compiler.engine.records.recorder import InductorGraphRecord, Recorder
from compiler.engine.stage_ids import inductor_graph_id
from compiler.engine.torch_internals.inductor_kernels import kernel_builds, lighter_linking, whole_builds
from compiler.engine.torch_internals.inductor_kernels.wrapper_modules import load_wrapper
from compiler.engine.torch_internals.live.live_graphs import LiveInductorGraph
from compiler.model.edits.edits import Edit, ReplaceWrapper, kernel_sources, single_edits
from compiler.model.edits.unfit_edits import does_not_fit
from compiler.model.edits.wrapper_edits import CPP_WRAPPER, fingerprint, syntax_error
from compiler.model.ir.ids import StageId, line_id, place
from compiler.model.ir.loop_ir import FusionChoice
from compiler.model.protocol.progress import Phase

_REMEDY = "Correct the text; the version before it still runs."


def fresh_record(before: InductorGraphRecord, choices: tuple[FusionChoice, ...]) -> InductorGraphRecord:
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
        body_loops={},
        choices=choices,
        not_fused=[],
        fusions=[],
        passes=passes,
        kernels=[],
        call_lines=[],
        wrapper_text="",
        generated_text="",
        written={},
        written_runs=[],
        read_kernels=None,
        seconds={},
    )


def build_kernels(
    inductor_graph: LiveInductorGraph,
    before: InductorGraphRecord,
    name: str,
    edits: tuple[Edit, ...],
    recorder: Recorder,
) -> InductorGraphRecord:
    """Put another text in the place of the generated wrapper and other sources into it, load it and let it run. Raises
    EngineError.
    """
    stage = inductor_graph_id(name, inductor_graph.part, "kernels")
    sources = kernel_sources(edits, stage)
    text, changed = _wrapper_text(before, inductor_graph_id(name, inductor_graph.part, "wrapper"), edits)
    for kernel, source in sources.items():
        text = with_kernel_source(text, kernel, source, edits, stage)
    recorder.report_progress(
        f"Building {', '.join((*sources, *(['the wrapper'] if changed else [])))} of {name}", Phase.KERNELS
    )
    fresh = dataclasses.replace(before, wrapper_text=text, edited=True, read_kernels=None, seconds={})
    recorder.dynamo_graphs[-1].inductor_graphs.append(fresh)
    started = time.perf_counter()
    try:
        with kernel_builds.listen(recorder), whole_builds.listen(recorder), lighter_linking.listen(recorder):
            inductor_graph.module = load_wrapper(text, inductor_graph.module)
    except Exception as error:
        if changed and (line := line_in_text(error, text)):
            raise wrapper_error(
                error, inductor_graph_id(name, inductor_graph.part, "wrapper"), line
            ) from error
        raise build_error(error, stage, sources) from error
    inductor_graph.swap(inductor_graph.module.call)
    fresh.wrapper_path = str(inductor_graph.module.__file__)
    fresh.seconds["whole"] = time.perf_counter() - started
    return fresh


def _wrapper_text(before: InductorGraphRecord, stage: StageId, edits: tuple[Edit, ...]) -> tuple[str, bool]:
    """(the wrapper's text with the edits of it, whether there are any). Raises EngineError where they are of another."""
    own = [edit for edit in single_edits(edits) if isinstance(edit, ReplaceWrapper) and edit.stage == stage]
    if not own:
        return before.wrapper_text, False
    edit = own[-1]
    if before.wrapper_language != "python":
        raise EngineError(CPP_WRAPPER, "Undo the edit of the wrapper.")
    if edit.base != fingerprint(before.generated_text or before.wrapper_text):
        what = "Inductor generated another wrapper than the one that was edited."
        raise EngineError(does_not_fit(what, edits, stage, edit))
    if found := syntax_error(edit.text):
        raise EngineError(
            f"Line {found[0]} of the wrapper: {found[1]}.", _REMEDY, place=place(stage, line_id(found[0]))
        )
    return edit.text, True


def build_error_in(error: Exception) -> EngineError:
    """What a failed compile means: our own refusal, which torch may have wrapped, or torch's."""
    for seen in chain(error):
        if isinstance(seen, EngineError):
            return seen
    problem = problem_from(
        error,
        "The edited graph does not compile",
        "Undo the edit or change it; the version before it still runs.",
    )
    return EngineError(problem)
