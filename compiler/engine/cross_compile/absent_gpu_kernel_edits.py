"""Edits of Triton kernels of a capture that was compiled for an absent GPU: other sources, lowered again.

Nothing is run, so nothing is judged; what changes is what the kernels need of the GPU.
"""

import difflib
from collections.abc import Callable, Iterable, Iterator

import msgspec

from compiler.engine.errors import EngineError
from compiler.engine.kernel_code.kernel_source import with_kernel_source
from compiler.model.capture.capture import Capture
from compiler.model.edits.edits import Edit, ReplaceKernel, apply_edit, kernel_sources, single_edits
from compiler.model.gpu.lowered_stages import triton_kernels, with_lowered
from compiler.model.ir.diagnostics import Problem
from compiler.model.ir.ids import CaptureId, NodeId, StageId, place
from compiler.model.ir.links import LinkTable
from compiler.model.ir.loop_ir import Kernel, KernelSet
from compiler.model.ir.lowered_kernel import KernelsLowered, LowerAnswer, LowerKernels, LowerOrder
from compiler.model.ir.stage import KernelStage, Stage, StageKind, WrapperStage

Lower = Callable[[LowerKernels], KernelsLowered]
"""Has kernels lowered in a process of its own."""


def only_kernels(edits: Iterable[Edit]) -> bool:
    """Whether nothing but sources of kernels is edited."""
    return all(isinstance(edit, ReplaceKernel) for edit in single_edits(edits))


def with_edited_kernels(base: Capture, edits: tuple[Edit, ...], new_id: CaptureId, lower: Lower) -> Capture:
    """The capture with other kernel sources, these lowered. Raises EngineError where Triton does not take one, on its
    line.
    """
    edited = base
    for stage in base.of_kind(StageKind.KERNELS):
        sources = kernel_sources(edits, stage.id)
        if sources:
            edited = _with_sources(edited, stage, tuple(edit for edit in edits if edit_is_of(edit, stage.id)))
    return with_these_lowered(msgspec.structs.replace(edited, id=new_id, parent=base.id), edits, lower)


def with_these_lowered(capture: Capture, edits: tuple[Edit, ...], lower: Lower) -> Capture:
    """The capture with those kernels lowered whose sources were edited. Raises EngineError as above."""
    names = {edit.kernel for edit in single_edits(edits) if isinstance(edit, ReplaceKernel)}
    changed = [kernel for kernel in triton_kernels(capture) if kernel.name in names]
    orders = tuple(LowerOrder(kernel.name, kernel.source) for kernel in changed)
    answers = lower(LowerKernels(orders, capture.spec.device)).answers if orders else ()
    for answer, kernel in zip(answers, changed, strict=True):
        if answer.problem is not None:
            raise EngineError(_on_its_line(capture, kernel, answer, answer.problem))
    return with_lowered(capture, answers)


def edit_is_of(edit: Edit, stage: StageId) -> bool:
    """Whether an edit replaces kernels of a stage."""
    return any(isinstance(part, ReplaceKernel) and part.stage == stage for part in single_edits((edit,)))


def _on_its_line(capture: Capture, kernel: Kernel, answer: LowerAnswer, problem: Problem) -> Problem:
    for stage in capture.of_kind(StageKind.KERNELS):
        if answer.error_line and any(row.name == kernel.name for row in stage.kernels):
            location = place(stage.id, f"{kernel.name}:L{answer.error_line}")
            remedy = "Correct the source, or undo the edit; the kernel before it is kept."
            return msgspec.structs.replace(problem, place=location, remedy=remedy)
    return problem


def _with_sources(capture: Capture, stage: Stage, edits: tuple[Edit, ...]) -> Capture:
    """Kernels, wrapper and links after the edits of one kernel stage."""
    assert isinstance(stage.content, KernelStage)
    old: KernelSet = stage.content.kernels
    kernels = old
    for edit in edits:
        content, _ = apply_edit(kernels, edit)
        assert isinstance(content, KernelSet)
        kernels = content
    wrapper = next(
        (
            other
            for other in capture.of_kind(StageKind.WRAPPER)
            if (other.compile_id, other.part) == (stage.compile_id, stage.part)
        ),
        None,
    )
    moved: dict[int, int] = {}
    text = ""
    if wrapper is not None and isinstance(wrapper.content, WrapperStage):
        text = wrapper.content.code.text
        for name, source in {row.name: row.source for row in kernels.kernels}.items():
            if source and source != next(row.source for row in old.kernels if row.name == name):
                text = with_kernel_source(text, name, source)
        moved = same_lines(wrapper.content.code.text, text)
    rows = tuple(
        msgspec.structs.replace(row, call_line=moved.get(row.call_line)) if row.call_line else row
        for row in kernels.kernels
    )
    lines = _kept_nodes(old, kernels)

    def changed(other: Stage) -> Stage:
        if other.id == stage.id:
            return msgspec.structs.replace(other, content=KernelStage(KernelSet(rows)))
        if wrapper is not None and other.id == wrapper.id and isinstance(other.content, WrapperStage):
            code = msgspec.structs.replace(other.content.code, text=text)
            return msgspec.structs.replace(other, content=WrapperStage(code))
        return other

    ends = {stage.id: lines} | (
        {wrapper.id: {f"L{line}": f"L{now}" for line, now in moved.items()}} if wrapper is not None else {}
    )
    return msgspec.structs.replace(
        capture,
        stages=tuple(map(changed, capture.stages)),
        links=tuple(_carried(table, ends) for table in capture.links),
    )


def same_lines(old: str, new: str) -> dict[int, int]:
    """Line of the old text → the equal line of the new one, from 1, in order."""
    before, after = old.split("\n"), new.split("\n")
    blocks = difflib.SequenceMatcher(None, before, after, autojunk=False).get_matching_blocks()
    return {block.a + step + 1: block.b + step + 1 for block in blocks for step in range(block.size)}


def _kept_nodes(old: KernelSet, new: KernelSet) -> dict[NodeId, NodeId]:
    """Kernels, and lines of their sources that the edits left as they were."""
    found: dict[NodeId, NodeId] = {}
    for before, after in zip(old.kernels, new.kernels, strict=True):
        found[before.id] = after.id
        pairs = same_lines(before.source, after.source) if before.source else {}
        found |= {f"{before.id}:L{line}": f"{after.id}:L{now}" for line, now in pairs.items()}
    return found


def _carried(table: LinkTable, ends: dict[StageId, dict[NodeId, NodeId]]) -> LinkTable:
    if table.source not in ends and table.target not in ends:
        return table
    return msgspec.structs.replace(table, pairs=tuple(_kept_pairs(table, ends)))


def _kept_pairs(
    table: LinkTable, ends: dict[StageId, dict[NodeId, NodeId]]
) -> Iterator[tuple[NodeId, NodeId]]:
    for source, target in table.pairs:
        here = ends[table.source].get(source) if table.source in ends else source
        there = ends[table.target].get(target) if table.target in ends else target
        if here is not None and there is not None:
            yield here, there
