"""What is printed can be typed, and what cannot be an argument is refused in words."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from compiler.analysis.text_format.argument_parser import ArgumentTextError, Names, argument_from_text
from compiler.model.ir.arguments import (
    NONE,
    ConstantArgument,
    MappingArgument,
    NodeArgument,
    SequenceArgument,
    SliceArgument,
    text_of,
)

NAMES = Names({"x", "relu_1"}, {"s27", "<object at 0x1>", "-s3 + 4"})

leaves = st.one_of(
    st.sampled_from([NodeArgument("x"), NodeArgument("relu_1"), NONE, ConstantArgument("ellipsis", "...")]),
    st.integers().map(lambda value: ConstantArgument("int", repr(value))),
    st.floats(allow_nan=False).map(lambda value: ConstantArgument("float", repr(value))),
    st.complex_numbers(allow_nan=False, allow_infinity=False)
    .filter(lambda value: value.real > 0 and value.imag > 0)
    .map(lambda value: ConstantArgument("complex", repr(value))),
    st.booleans().map(lambda value: ConstantArgument("bool", repr(value))),
    st.text().map(lambda value: ConstantArgument("str", repr(value))),
    st.sampled_from(
        [
            ConstantArgument("dtype", "torch.bfloat16"),
            ConstantArgument("memory_format", "torch.channels_last"),
            ConstantArgument("layout", "torch.strided"),
            ConstantArgument("device", "device('cuda:0')"),
            ConstantArgument("opaque", "s27"),
            ConstantArgument("opaque", "<object at 0x1>"),
            ConstantArgument("opaque", "-s3 + 4"),
            ConstantArgument("float", "-inf"),
        ]
    ),
)
arguments = st.recursive(
    leaves,
    lambda inner: st.one_of(
        st.builds(
            SequenceArgument, st.sampled_from(["list", "tuple"]), st.lists(inner, max_size=3).map(tuple)
        ),
        st.dictionaries(st.text(max_size=4), inner, max_size=2).map(
            lambda items: MappingArgument(tuple(items.items()))
        ),
        st.builds(SliceArgument, inner, inner, inner),
    ),
    max_leaves=6,
)


@given(arguments)
def test_what_is_printed_can_be_typed(argument) -> None:
    assert argument_from_text(text_of(argument), NAMES) == argument


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "nothing is typed"),
        ("nope", "no node nope"),
        ("torch.relu", "no dtype"),
        ("print(1)", "is a call"),
        ("x + 1", "no argument"),
        ("[1,", "no Python"),
        ("{1: 2}", "keys"),
        ("lambda: 1", "no argument"),
        ("b'1'", "bytes"),
    ],
)
def test_what_is_no_argument_is_refused(text: str, words: str) -> None:
    with pytest.raises(ArgumentTextError, match=words):
        argument_from_text(text, NAMES)


def test_shorthands() -> None:
    two = ConstantArgument("int", "2")
    assert argument_from_text("slice(2)", NAMES) == SliceArgument(NONE, two, NONE)
    assert argument_from_text("torch.device('cpu')", NAMES) == ConstantArgument("device", "device('cpu')")
