"""What the sentence of a verdict blames."""

import pytest

from compiler.engine.verdicts.verdict_text import sentence
from compiler.model.timing.verdicts import Comparison, Difference

OFF = (Difference("grad of w.2", 5.65, 1.24),)


@pytest.mark.parametrize("agrees", [True, False])
def test_what_was_wrong_before_the_edit_is_reported(agrees: bool) -> None:
    before = Comparison("unedited", "float64", OFF, agrees=False)
    edited = Comparison("edited", "edited graph, float64", OFF, agrees=agrees)
    reported = sentence([before, edited], True, None, None, None)
    assert reported.endswith("; the code before the edit gave wrong results: grad of w.2 is off by 1.2e+00.")
    assert "before the edit" not in sentence([before], False, None, None, None)
