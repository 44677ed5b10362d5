"""What a capture for an absent GPU says of the values that it assumed."""

import pytest

from compiler.engine.cross_compile.fake_capture import _says_otherwise
from compiler.model.capture.gpu_assumptions import Assumed

pytestmark = pytest.mark.engine


def test_only_what_a_line_asks_can_be_said_otherwise() -> None:
    asked = _says_otherwise(Assumed("value@m.py:3", "m.py, line 3 finds 2", found=True))
    assert "--assume value@m.py:3=…" in asked
    assert "--assume" not in _says_otherwise(Assumed("value@:0", "The backward pass finds False", found=True))
    assert _says_otherwise(Assumed("value@m.py:3", "said")).startswith("Recorded with --assume")
