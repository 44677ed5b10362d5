"""Knobs of kernels as edits: what is turned can be turned back, what is nonsense is refused."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from compiler.model.edits.edits import (
    ChooseFusion,
    EditError,
    EditGroup,
    apply_edit,
    describe_edit,
    keeps_graphs,
)
from compiler.model.edits.kernel_knobs import BY_NAME, KNOBS, LOOP_ORDER, ChooseKnob, order_of, with_choices
from compiler.model.ir.loop_ir import KnobChoice, LoopNode, LoopProgram

LOOPS = "0/0:forward:loops"
NODES = ("op0", "op1", "op2")


def program(*knobs: KnobChoice) -> LoopProgram:
    return LoopProgram(tuple(LoopNode(name, "SchedulerNode", "Pointwise") for name in NODES), knobs=knobs)


def values(knob: str) -> st.SearchStrategy[object]:
    if knob == LOOP_ORDER:
        return st.permutations(range(3)).map(lambda order: ", ".join(map(str, order)))
    return st.sampled_from(BY_NAME[knob].values)


edits = st.sampled_from(KNOBS).flatmap(
    lambda knob: st.builds(
        ChooseKnob, st.just(LOOPS), st.sampled_from(NODES), st.just(knob.name), st.none() | values(knob.name)
    )
)


@given(st.lists(edits, max_size=8))
def test_undo_brings_back_exactly_what_was_there(made: list[ChooseKnob]) -> None:
    content: object = program()
    for edit in made:
        try:
            edited, inverse = apply_edit(content, edit)
        except EditError:
            assert isinstance(content, LoopProgram)
            assert content.knob(edit.node, edit.knob) == edit.value
            continue
        assert edited != content
        undone, again = apply_edit(edited, inverse)
        assert undone == content
        assert apply_edit(undone, again)[0] == edited
        content = edited
    assert isinstance(content, LoopProgram)
    assert content.knobs == with_choices((), made)


@pytest.mark.parametrize(
    ("node", "knob", "value", "reason"),
    [
        ("op9", "cpp.threads", 2, "no node op9"),
        ("op0", "cpp.cxx", "rm", "no knob cpp.cxx"),
        ("op0", "cpp.threads", True, "takes no True"),
        ("op0", "cpp.threads", 0, "1 to 1024"),
        ("op0", "cpp.simdlen", -1, "cannot be -1"),
        ("op0", "cpp.dynamic_threads", 1, "takes no 1"),
        ("op0", LOOP_ORDER, "0, 2", "no order of dimensions"),
        ("op0", LOOP_ORDER, "", "no order of dimensions"),
    ],
)
def test_what_is_no_knob_or_no_value_is_refused(node: str, knob: str, value: object, reason: str) -> None:
    with pytest.raises(EditError, match=reason):
        apply_edit(program(), ChooseKnob(LOOPS, node, knob, value))  # type: ignore[arg-type]


def test_knobs_and_fusions_are_one_step_and_keep_the_graphs() -> None:
    group = EditGroup(
        "both", (ChooseKnob(LOOPS, "op0", "cpp.threads", 1), ChooseFusion(LOOPS, "op0", "op1", False))
    )
    edited, inverse = apply_edit(program(), group)
    assert apply_edit(edited, inverse)[0] == program()
    assert keeps_graphs(group)
    assert describe_edit(group.edits[0]) == "Threads of op0: 1 (cpp.threads)"
    assert order_of("1, 0,2") == (1, 0, 2)
