"""What a capture for an absent GPU says of the values that it assumed."""

import pytest

from compiler.engine.cross_compile.fake_capture import _says_otherwise
from compiler.model.capture.gpu_assumptions import Assumed

pytestmark = pytest.mark.engine
ASKED = Assumed("value@m.py:3", "m.py, line 3 finds 2", found=True)


def test_only_what_a_line_asks_can_be_said_otherwise() -> None:
    assert "--assume value@m.py:3=…" in _says_otherwise(ASKED, without_values=False)
    backward = Assumed("value@:0", "The backward pass finds False", found=True)
    assert "--assume" not in _says_otherwise(backward, without_values=False)
    said = Assumed("value@m.py:3", "said")
    assert _says_otherwise(said, without_values=False).startswith("Recorded with --assume")


def test_without_values_the_program_was_not_run() -> None:
    assert _says_otherwise(ASKED, without_values=False).startswith("Found by running the program")
    assert _says_otherwise(ASKED, without_values=True).startswith("Computed here")
