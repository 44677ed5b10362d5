"""Changes for the guard tester, from what a person types."""

import pytest

from compiler.analysis.guard_testing.input_overrides import guard_change
from compiler.model.capture.capture_spec import ArgumentSpec
from compiler.model.guard_testing.guard_tests import FrameInputs, GuardChange, NewValue, TensorChange

INPUTS = FrameInputs(
    "1/0",
    "forward",
    (ArgumentSpec("x", "tensor", (8,), "float32", "cpu"), ArgumentSpec("states[0]", "value", text="1")),
    ("self", "x", "states"),
)


def test_each_text_becomes_the_change_of_what_it_names() -> None:
    texts = (
        "x.shape=9, 4",
        "x.dtype=torch.float64",
        "x.requires_grad=True",
        "states[0]=3",
        "self.flag=False",
        "SCALE=2.0",
        "pkg.settings.SHIFT='a=b'",
        "training=False",
        "gradients=True",
    )
    assert guard_change(texts, INPUTS) == GuardChange(
        (TensorChange("x", (9, 4), "float64", requires_grad=True),),
        (NewValue("states[0]", "3"),),
        (NewValue("self.flag", "False"),),
        (NewValue("SCALE", "2.0"), NewValue("pkg.settings.SHIFT", "'a=b'")),
        False,
        True,
    )


@pytest.mark.parametrize("text", ["x", "x.shape=a", "training=1", "x.requires_grad=yes", "=3", "x="])
def test_what_cannot_be_read_is_named(text: str) -> None:
    with pytest.raises(ValueError, match=r"\S"):
        guard_change((text,), INPUTS)
