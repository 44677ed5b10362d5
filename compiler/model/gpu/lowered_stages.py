"""A capture with what its Triton kernels are lowered to: a stage for each form, linked line by line to the kernels."""

from collections.abc import Iterable, Iterator

import msgspec

from compiler.model.capture.capture import Capture
from compiler.model.ir.ids import NodeId, StageId
from compiler.model.ir.links import LinkTable
from compiler.model.ir.loop_ir import Kernel
from compiler.model.ir.lowered_kernel import FORM_TITLES, FORMS, LowerAnswer, Lowered, LoweredText
from compiler.model.ir.stage import LoweredStage, Stage, StageKind

_MADE_BY = {
    "ttir": "triton/compiler/code_generator.py",
    "ttgir": "triton/backends, make_ttgir",
    "llir": "triton/backends, make_llir",
    "ptx": "LLVM's NVPTX backend",
    "sass": "ptxas, as nvdisasm prints it",
    "amdgcn": "LLVM's AMDGPU backend",
}


def with_lowered(capture: Capture, answers: Iterable[LowerAnswer]) -> Capture:
    """The capture with these kernels lowered, beside those that were; an answer takes the place of an earlier one. What
    is shown as stages is the first configuration of each.
    """
    taken = {answer.name: answer for answer in answers if answer.lowered}
    needs = {answer.name: answer for answer in capture.lowered} | {
        name: _without_texts(answer) for name, answer in taken.items()
    }
    texts = {
        (stage.kind.value, text.kernel): text
        for stage in capture.stages
        if isinstance(stage.content, LoweredStage)
        for text in stage.content.kernels
        if text.kernel not in taken
    }
    texts |= {
        (form.name, name): LoweredText(name, form.text, form.lines)
        for name, answer in taken.items()
        for form in answer.lowered[0].forms
    }
    bare = _without_stages(capture)
    stages, links = list(bare.stages), list(bare.links)
    for kernels in bare.of_kind(StageKind.KERNELS):
        made = tuple(_stages_below(kernels, texts, needs))
        at = max(index for index, stage in enumerate(stages) if _same_part(stage, kernels)) + 1
        stages[at:at] = made
        links += [table for stage in made for table in _links(kernels, stage)]
    return msgspec.structs.replace(
        bare, stages=tuple(stages), links=tuple(links), lowered=tuple(needs.values())
    )


def triton_kernels(capture: Capture) -> list[Kernel]:
    """The Triton kernels of a capture that have a source, each name once."""
    found: dict[str, Kernel] = {}
    for stage in capture.stages:
        for kernel in stage.kernels:
            if kernel.language == "triton" and kernel.source:
                found.setdefault(kernel.name, kernel)
    return list(found.values())


def lowered_answer(capture: Capture, kernel: str) -> LowerAnswer | None:
    """What is known of a kernel below its source; None where it was not lowered."""
    return next((answer for answer in capture.lowered if answer.name == kernel), None)


def answers_of(capture: Capture) -> tuple[LowerAnswer, ...]:
    """What is known of all kernels that were lowered, with the texts of the first configuration of each."""
    texts = {
        (stage.kind.value, text.kernel): text
        for stage in capture.stages
        if isinstance(stage.content, LoweredStage)
        for text in stage.content.kernels
    }

    def whole(answer: LowerAnswer) -> LowerAnswer:
        first = answer.lowered[0]
        held = ((form, texts.get((form.name, answer.name))) for form in first.forms)
        forms = tuple(
            msgspec.structs.replace(form, text=text.text, lines=text.lines) for form, text in held if text
        )
        return msgspec.structs.replace(
            answer, lowered=(msgspec.structs.replace(first, forms=forms), *answer.lowered[1:])
        )

    return tuple(whole(answer) for answer in capture.lowered if answer.lowered)


def kernel_stage_of(capture: Capture, kernel: str) -> StageId:
    """The first kernel stage that holds a kernel of that name; empty where none does."""
    held = (stage for stage in capture.of_kind(StageKind.KERNELS))
    return next((stage.id for stage in held if any(row.name == kernel for row in stage.kernels)), "")


def stage_below(capture: Capture, kernels: StageId, form: str) -> Stage | None:
    """The stage that shows a form of a kernel stage's kernels."""
    wanted = _id(kernels, form)
    return next((stage for stage in capture.stages if stage.id == wanted), None)


def _without_stages(capture: Capture) -> Capture:
    below = {stage.id for stage in capture.stages if isinstance(stage.content, LoweredStage)}
    return msgspec.structs.replace(
        capture,
        stages=tuple(stage for stage in capture.stages if stage.id not in below),
        links=tuple(table for table in capture.links if table.target not in below),
    )


def _stages_below(
    kernels: Stage, texts: dict[tuple[str, NodeId], LoweredText], needs: dict[str, LowerAnswer]
) -> Iterator[Stage]:
    before = kernels.id
    names = tuple(dict.fromkeys(kernel.name for kernel in kernels.kernels))
    for form in FORMS:
        held = tuple(texts[form, name] for name in names if (form, name) in texts)
        if not held:
            continue
        times = [seconds_of(needs[row.kernel].lowered[0], form) for row in held if row.kernel in needs]
        known = [seconds for seconds in times if seconds is not None]
        yield Stage(
            _id(kernels.id, form),
            StageKind(form),
            f"{kernels.part.capitalize()} {FORM_TITLES[form]}".strip(),
            LoweredStage(held),
            compile_id=kernels.compile_id,
            part=kernels.part,
            made_by=_MADE_BY[form],
            made_from=(before,),
            seconds=sum(known) if known else None,
        )
        before = _id(kernels.id, form)


def seconds_of(lowered: Lowered, form: str) -> float | None:
    """What making a form took, where that is known."""
    found = lowered.form(form)
    return found.seconds if found is not None else None


def _links(kernels: Stage, below: Stage) -> Iterator[LinkTable]:
    assert isinstance(below.content, LoweredStage)
    ids: dict[str, list[NodeId]] = {}
    for kernel in kernels.kernels:
        ids.setdefault(kernel.name, []).append(kernel.id)
    wholes = tuple((node, row.kernel) for row in below.content.kernels for node in ids[row.kernel])
    lines = tuple(
        (f"{node}:L{source}", f"{row.kernel}:L{here}")
        for row in below.content.kernels
        for node in ids[row.kernel]
        for here, source in row.lines
    )
    yield LinkTable(kernels.id, below.id, "assembled", "debug", wholes, ends=True)
    if lines:
        yield LinkTable(kernels.id, below.id, "assembled", "debug", lines, equal_locations=True)


def _same_part(stage: Stage, kernels: Stage) -> bool:
    return (stage.compile_id, stage.part) == (kernels.compile_id, kernels.part)


def _id(kernels: StageId, form: str) -> StageId:
    return f"{kernels.rpartition(':')[0]}:{form}"


def _without_texts(answer: LowerAnswer) -> LowerAnswer:
    return msgspec.structs.replace(
        answer,
        lowered=tuple(
            msgspec.structs.replace(
                row, forms=tuple(msgspec.structs.replace(form, text="", lines=()) for form in row.forms)
            )
            for row in answer.lowered
        ),
    )
