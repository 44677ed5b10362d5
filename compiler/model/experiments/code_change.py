"""How the generated code of two captures of a program differs: kernels and wrappers, as counts and as a diff."""

import difflib

from compiler.model.capture.capture import Capture
from compiler.model.diff.capture_diff import compare_captures
from compiler.model.diff.kernel_diff import kernel_at, kernel_text_diff
from compiler.model.diff.stage_diff import wrapper_lines
from compiler.model.experiments.compile_choices import CodeChange
from compiler.model.ir.stage import StageKind, WrapperStage

_LONGEST = 200_000
_GRAPHS = (
    StageKind.PRE_GRAD_GRAPH,
    StageKind.DYNAMO_GRAPH,
    StageKind.GRAPH_PART,
    StageKind.JOINT_GRAPH,
    StageKind.AOT_GRAPH,
    StageKind.POST_GRAD_GRAPH,
    StageKind.LOOP_IR,
    StageKind.FUSED_LOOP_IR,
)


def code_change(before: Capture, after: Capture) -> CodeChange:
    """What differs in what runs. Kernels of the same text count as the same whatever they are called."""
    diff = compare_captures(before, after)
    kinds = {stage.id: stage.kind for capture in (before, after) for stage in capture.stages}
    changed = [(row.before, row.after, kinds.get(row.after or row.before)) for row in diff.stages]
    graphs = sum(kind in _GRAPHS for _, _, kind in changed)
    wrappers = [(a, b) for a, b, kind in changed if kind is StageKind.WRAPPER]
    kernels = diff.kernels
    texts = [
        kernel_text_diff(kernel_at(before, row.before), kernel_at(after, row.after))
        for row in kernels.changed
    ]
    texts += [f"+++ {kernel_at(after, row).name}: new" for row in kernels.new]
    texts += [f"--- {kernel_at(before, row).name}: gone" for row in kernels.gone]
    texts += [_wrapper_diff(before, a, after, b) for a, b in wrappers]
    text = "\n\n".join(texts)
    return CodeChange(
        len(kernels.changed),
        len(kernels.new),
        len(kernels.gone),
        len(wrappers),
        graphs,
        text if len(text) <= _LONGEST else f"{text[:_LONGEST]}\n… {len(text) - _LONGEST:,} more characters",
    )


def _wrapper_diff(before: Capture, old: str, after: Capture, new: str) -> str:
    lines = difflib.unified_diff(
        _lines(before, old), _lines(after, new), f"wrapper {old}", f"wrapper {new}", n=2, lineterm=""
    )
    return "\n".join(lines)


def _lines(capture: Capture, stage: str) -> list[str]:
    content = capture.stage(stage).content if stage else None
    return wrapper_lines(content.code.text) if isinstance(content, WrapperStage) else []
