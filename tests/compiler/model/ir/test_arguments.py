"""Typed constants, and arguments by path."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from compiler.model.ir.arguments import (
    NONE,
    ConstantArgument,
    NodeArgument,
    SequenceArgument,
    SliceArgument,
    at,
    constant_from_text,
    replace_at,
    text_of,
)


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
    changed = replace_at(nested, ("1", "stop"), NodeArgument("s"))
    assert text_of(changed) == "[x, slice(None, s, None)]"
    with pytest.raises(KeyError):
        replace_at(nested, ("5",), NONE)
