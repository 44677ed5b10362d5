"""A text is a number only where `int` takes it."""

import pytest

from compiler.model.graph_breaks.registry_ids import release
from compiler.model.ir.ids import is_number, line_of

NO_NUMBERS = ("", "²", "٣x", "-1", " 1", "9" * 5000, "1_0")


@pytest.mark.parametrize("text", NO_NUMBERS)
def test_what_a_file_says_may_be_none(text: str) -> None:
    assert not is_number(text)
    assert is_number("7")
    assert release(f"{text}.{text}") == (0, 0)
    assert line_of(f"L{text}") is None
