"""Knobs that Inductor has for the code of one kernel, and the edit that turns one of them."""

from collections.abc import Iterable

import msgspec

from compiler.model.edits.validation import EditError
from compiler.model.ir.ids import NodeId, StageId
from compiler.model.ir.loop_ir import KnobChoice, KnobValue, LoopProgram

LOOP_ORDER = "loop_order"
"""The one knob that is no setting of torch's: an order of dimensions, the outermost first, such as ``1, 0``."""


class Knob(msgspec.Struct, frozen=True):
    """One knob: what it is called here and in torch, and what it is for."""

    name: str
    """Torch's name of the setting, below ``torch._inductor.config``."""
    title: str
    meaning: str
    values: tuple[KnobValue, ...]
    """What is offered, where it changes the code of the kernel."""


KNOBS = (
    Knob(
        "cpp.simdlen",
        "Vectorisation",
        "0: Inductor writes plain loops, without vector types; the C++ compiler may still vectorise them.",
        (0,),
    ),
    Knob(
        "cpp.enable_tiling_heuristics",
        "Tiling heuristics",
        "Whether Inductor weighs if vectors are worth it and which dimensions to tile, or tiles where it can.",
        (True, False),
    ),
    Knob(
        "cpp.enable_loop_tail_vec",
        "Vectors in the rest of a loop",
        "Whether what is left of a loop after its last whole vector is done with a masked vector or one by one.",
        (True, False),
    ),
    Knob("cpp.threads", "Threads", "Threads that share the outer loops.", (1, 2, 4, 8, 16, 32)),
    Knob(
        "cpp.dynamic_threads",
        "Threads at run time",
        "Whether the number of threads is asked when the kernel runs instead of being written into it.",
        (True, False),
    ),
    Knob(
        "cpp.min_chunk_size",
        "Least work for a thread",
        "Elements that a thread gets at least: how many of the outer loops are shared among threads.",
        (1, 64, 512, 4096, 32768, 262144),
    ),
    Knob(
        "cpp.no_redundant_loops",
        "Leave out empty loops",
        "Whether loops that run no iteration are left out.",
        (True, False),
    ),
    Knob(
        "cpp.use_decompose_tanh",
        "tanh from exp",
        "Whether tanh is computed from exp instead of called; faster, and less exact.",
        (True, False),
    ),
    Knob(
        LOOP_ORDER,
        "Loop order",
        "The order of the loops over the result's dimensions, the outermost first. Nodes with other orders than their "
        "neighbours may not be fused with them any more.",
        (),
    ),
)
BY_NAME = {knob.name: knob for knob in KNOBS}


class ChooseKnob(msgspec.Struct, frozen=True, tag="choose_knob"):
    """Turn a knob for the kernel that runs a node of the loop IR, or leave it to Inductor again."""

    stage: StageId
    """The loop IR before fusion."""
    node: NodeId
    knob: str
    value: KnobValue | None
    """None: as Inductor is set."""


class KnobState(msgspec.Struct, frozen=True):
    """What a knob does to one kernel."""

    knob: str
    default: str
    """What Inductor is set to, in words."""
    comment: str
    """Torch's own comment on the setting; empty where it has none."""
    changes: tuple[tuple[KnobValue, int], ...] = ()
    """(value, lines of the kernel's code that are others with it): tried by generating the code."""


class KernelKnobs(msgspec.Struct, frozen=True, tag="kernel_knobs"):
    """Answer to `ListKnobs`: what can be turned for one kernel."""

    stage: StageId
    nodes: tuple[NodeId, ...]
    knobs: tuple[KnobState, ...]
    """Those that change its code."""
    without_effect: tuple[str, ...] = ()
    """Names of those that do not."""


def choose_knob(program: LoopProgram, edit: ChooseKnob) -> tuple[LoopProgram, ChooseKnob]:
    """The loop IR with the choice noted, and the choice that was there. Raises EditError."""
    if edit.node not in {node.id for node in program.nodes}:
        raise EditError(f"There is no node {edit.node} in this loop IR.")
    if edit.knob not in BY_NAME:
        raise EditError(f"Inductor has no knob {edit.knob} for one kernel.")
    if edit.value is not None:
        _require_value(edit.knob, edit.value)
    before = program.knob(edit.node, edit.knob)
    if before == edit.value and type(before) is type(edit.value):
        raise EditError("That is chosen already.")
    new = msgspec.structs.replace(program, knobs=_with_choice(program.knobs, edit))
    return new, ChooseKnob(edit.stage, edit.node, edit.knob, before)


def _require_value(name: str, value: KnobValue) -> None:
    """Raises EditError."""
    if name == LOOP_ORDER:
        order_of(value)
        return
    kinds = {type(offered) for offered in BY_NAME[name].values}
    if type(value) not in kinds:
        raise EditError(f"{name} takes no {value!r}.")
    if isinstance(value, int) and not isinstance(value, bool) and not 0 <= value <= 1 << 30:
        raise EditError(f"{name} cannot be {value}.")
    if name == "cpp.threads" and not 1 <= value <= 1024:  # type: ignore[operator]
        raise EditError(f"A kernel can have 1 to 1024 threads, not {value}.")


def order_of(value: KnobValue) -> tuple[int, ...]:
    """The dimensions of a loop order, the outermost first. Raises EditError."""
    parts = [part.strip() for part in str(value).split(",")]
    if not all(part.isdecimal() for part in parts) or sorted(map(int, parts)) != list(range(len(parts))):
        raise EditError(f"{value!r} is no order of dimensions; 1, 0 would be one.")
    return tuple(map(int, parts))


def _with_choice(choices: tuple[KnobChoice, ...], edit: ChooseKnob) -> tuple[KnobChoice, ...]:
    rest = [row for row in choices if (row.node, row.knob) != (edit.node, edit.knob)]
    if edit.value is not None:
        rest.append(KnobChoice(edit.node, edit.knob, edit.value))
    return tuple(sorted(rest, key=lambda row: (row.node, row.knob)))


def with_choices(choices: tuple[KnobChoice, ...], edits: Iterable[ChooseKnob]) -> tuple[KnobChoice, ...]:
    """What edits of one loop IR come to, in order."""
    for edit in edits:
        choices = _with_choice(choices, edit)
    return choices


def describe_knob(edit: ChooseKnob) -> str:
    """One line for the history."""
    title = BY_NAME[edit.knob].title if edit.knob in BY_NAME else edit.knob
    if edit.value is None:
        return f"{title} of {edit.node} as Inductor is set"
    return f"{title} of {edit.node}: {edit.value} ({edit.knob})"
