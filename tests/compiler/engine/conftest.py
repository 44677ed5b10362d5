"""Captures of shipped examples, each made once for all engine tests."""

from collections.abc import Callable
from pathlib import Path

import pytest

from compiler.engine.capture.capture import LiveCapture, make_capture
from compiler.engine.recompile.edited_program import EditedProgram
from compiler.model.capture.capture_spec import CaptureSpec, CompileOptions, RunOptions, TargetSpec

EXAMPLES = Path(__file__).resolve().parents[3] / "resources" / "examples"


def spec(name: str, training: bool = True, **options: object) -> CaptureSpec:
    """An example, trained or not."""
    run = RunOptions(training=training, gradients=training)
    return CaptureSpec(TargetSpec(name, str(EXAMPLES)), CompileOptions(**options), run)


def capture(name: str, training: bool = True, **options: object) -> LiveCapture:
    """A fresh capture of an example."""
    return make_capture(spec(name, training, **options), "capture-1", lambda text: None)


@pytest.fixture(scope="module")
def breaky() -> LiveCapture:
    """The example with dropout, a print and a data-dependent if, in training."""
    return capture("breaky.py:Breaky")


@pytest.fixture(scope="module")
def transformer() -> LiveCapture:
    """The transformer layer, in training."""
    return capture("transformer_layer.py:EncoderLayer")


@pytest.fixture
def program() -> Callable[[str], EditedProgram]:
    """Makes programs that may be edited; each is captured afresh, since torch's compiled code is global."""
    return lambda name: EditedProgram(capture(name))
