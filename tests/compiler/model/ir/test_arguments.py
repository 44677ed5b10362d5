"""Typed constants, and arguments by path."""

from collections.abc import Iterator

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from compiler.model.edits.edits import BypassNode, apply_edit
from compiler.model.ir import arguments
from compiler.model.ir.arguments import (
    NONE,
    Argument,
    ConstantArgument,
    MappingArgument,
    NodeArgument,
    SequenceArgument,
    SliceArgument,
    at,
    children,
    constant_from_text,
    replace_each,
    text_of,
)
from compiler.model.ir.graph import Graph, Node


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("3", "int"),
        (" -2.5", "float"),
        ("1e-5", "float"),
        ("True", "bool"),
        ("None", "none"),
        ("'tanh'", "str"),
        ("2j", "complex"),
        ("torch.float32", "dtype"),
        ("torch.bfloat16", "dtype"),
        ("torch.strided", "layout"),
        ("torch.channels_last", "memory_format"),
    ],
)
def test_what_a_person_may_type(text: str, kind: str) -> None:
    assert constant_from_text(text).kind == kind


@pytest.mark.parametrize(
    "text", ["", "x", "print(1)", "[1]", "torch.nn.Linear(2, 2)", "torch.save", "__import__('os')"]
)
def test_what_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"torch|single"):
        constant_from_text(text)


@given(st.one_of(st.integers(), st.floats(allow_nan=False, allow_infinity=False), st.booleans(), st.text()))
def test_literals_keep_their_value(value: object) -> None:
    import ast

    assert ast.literal_eval(constant_from_text(repr(value)).text) == value


def test_paths_lead_to_parts_and_back() -> None:
    nested = SequenceArgument(
        "list", (NodeArgument("x"), SliceArgument(NONE, ConstantArgument("int", "2"), NONE))
    )
    assert at(nested, ("1", "stop")) == ConstantArgument("int", "2")
    changed = replace_each(nested, {("1", "stop"): NodeArgument("s")})
    assert text_of(changed) == "[x, slice(None, s, None)]"
    with pytest.raises(KeyError):
        replace_each(nested, {("5",): NONE})


def test_many_places_are_replaced_in_one_walk() -> None:
    x, y, slice_ = NodeArgument("x"), NodeArgument("y"), SliceArgument(NONE, NodeArgument("x"), NONE)
    before = SequenceArgument("list", (x, MappingArgument((("a", x), ("b", slice_))), x))
    after = replace_each(before, {("0",): y, ("1", "a"): y, ("1", "b", "stop"): y})
    assert text_of(after) == "[y, {'a': y, 'b': slice(None, y, None)}, x]"
    assert replace_each(before, {}) == before
    for wrong in ({("3",): y}, {("0", "0"): y}, {("1",): x, ("1", "a"): y}, {(): y, ("0",): y}):
        with pytest.raises(KeyError):
            replace_each(before, wrong)


def test_replacing_ten_thousand_places_is_no_square(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each place for itself walked through all others: a recipe of 400 KB took 15 s."""
    walked = 0

    def counted(argument: Argument) -> Iterator[tuple[str, Argument]]:
        nonlocal walked
        for child in children(argument):
            walked += 1
            yield child

    monkeypatch.setattr(arguments, "children", counted)
    count = 10_000
    call = Node(
        "sum", "call_function", "torch.stack", SequenceArgument("tuple", (NodeArgument("x"),) * count)
    )
    source = Node("x", "call_function", "f", SequenceArgument("tuple", ()))
    graph = Graph((msgspec.structs.replace(source, id="y"), source, call))
    edited, back = apply_edit(graph, BypassNode("s", "x", "y"))
    assert isinstance(edited, Graph)
    assert edited.node("sum").inputs() == ("y",)
    assert apply_edit(edited, back)[0] == graph
    assert walked < 10 * count
