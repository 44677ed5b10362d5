"""Edits of the fusion: which nodes of the loop IR may, must or must not be one kernel."""

import msgspec

from compiler.model.edits.validation import EditError
from compiler.model.ir.ids import NodeId, StageId
from compiler.model.ir.loop_ir import FusionChoice, LoopProgram


class ChooseFusion(msgspec.Struct, frozen=True, tag="choose_fusion"):
    """Forbid two nodes of the loop IR to be fused, ask for it, or leave it to Inductor again."""

    stage: StageId
    """The loop IR before fusion."""
    first: NodeId
    second: NodeId
    fuse: bool | None
    """None: as Inductor's heuristics say."""


def choose_fusion(program: LoopProgram, edit: ChooseFusion) -> tuple[LoopProgram, ChooseFusion]:
    """The loop IR with the choice, and the inverse. Raises EditError."""
    known = {node.id for node in program.nodes}
    for node in (edit.first, edit.second):
        if node not in known:
            raise EditError(f"There is no node {node} in this loop IR.")
    if edit.first == edit.second:
        raise EditError("A node cannot be fused with itself.")
    before = program.chosen(edit.first, edit.second)
    if before == edit.fuse:
        raise EditError("That is chosen already.")
    new = msgspec.structs.replace(program, choices=with_choice(program.choices, edit))
    return new, ChooseFusion(edit.stage, edit.first, edit.second, before)


def with_choice(choices: tuple[FusionChoice, ...], edit: ChooseFusion) -> tuple[FusionChoice, ...]:
    """All choices after one more, in a fixed order."""
    first, second = sorted((edit.first, edit.second))
    rest = [choice for choice in choices if {choice.first, choice.second} != {first, second}]
    if edit.fuse is not None:
        rest.append(FusionChoice(first, second, edit.fuse))
    return tuple(sorted(rest, key=lambda row: (row.first, row.second)))


def describe_fusion(edit: ChooseFusion) -> str:
    """One line for the history."""
    if edit.fuse is None:
        return f"Leave it to Inductor whether {edit.first} and {edit.second} are fused"
    return f"{'Fuse' if edit.fuse else 'Do not fuse'} {edit.first} and {edit.second}"
