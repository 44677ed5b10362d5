"""A program that was saved between two captures is captured as it is now, to the text of its lines."""

from pathlib import Path

import pytest

from compiler.engine.capture.capture import make_capture
from compiler.model.capture.capture_spec import CaptureSpec, RunOptions, TargetSpec

pytestmark = pytest.mark.engine

_PROGRAM = """import torch
from sizes import scale


def model(x):
    y = x * 2
    print("one")
    return y * scale()


def example_inputs():
    return (torch.ones(3),)
"""


@pytest.mark.thorough
def test_the_second_capture_reads_what_was_saved(tmp_path: Path) -> None:
    model, sizes = tmp_path / "saved_model.py", tmp_path / "sizes.py"
    spec = CaptureSpec(TargetSpec("saved_model.py:model", str(tmp_path)), run=RunOptions(gradients=False))
    reported = []
    for first, number in (("", 3), ("\n", 4)):
        model.write_text(first + _PROGRAM)
        sizes.write_text(f"def scale():\n    return {number}\n")
        capture = make_capture(spec, "capture-1", lambda text: None).capture
        (stop,) = capture.breaks
        last = capture.stage("1/0:dynamo").graph
        reported.append((stop.stack[-1].line, stop.stack[-1].text, last.nodes[1].args.items[1].text))
    assert reported == [(7, 'print("one")', "3"), (8, 'print("one")', "4")]
    assert not (tmp_path / "__pycache__").exists()
