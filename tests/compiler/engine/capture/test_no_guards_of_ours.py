"""What hooks read of symbolic sizes becomes no guard: a guard that torch would not have made changes what is compiled."""

import linecache
import sys
from collections.abc import Callable
from contextlib import nullcontext
from pathlib import Path
from typing import Any

import pytest
import torch
from torch.fx.experimental.symbolic_shapes import ShapeEnv

import compiler.engine
from compiler.engine.capture.capture import make_capture
from compiler.model.capture.capture_spec import CaptureSpec, CompileOptions, RunOptions, TargetSpec
from tests.compiler.engine.conftest import EXAMPLES
from tests.helpers.thoroughness import some

pytestmark = pytest.mark.engine

_OURS = str(Path(compiler.engine.__file__).parent)
_TORCHS = str(Path(torch.__file__).parent)


@pytest.fixture
def made_by_us(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Lines of ours from which guards were made."""
    found: list[str] = []
    original: Callable[..., Any] = ShapeEnv._log_guard

    def noted(self: Any, prefix: str, guard: Any, *args: Any, **kwargs: Any) -> Any:
        frame = sys._getframe(1) if "suppressed" not in prefix else None
        while frame is not None and (
            frame.f_code.co_filename.startswith(_TORCHS)
            or not frame.f_code.co_filename.startswith((_OURS, str(EXAMPLES), str(Path(__file__).parents[1])))
        ):
            frame = frame.f_back  # type: ignore[assignment]
        if frame is not None and frame.f_code.co_filename.startswith(_OURS):
            line = linecache.getline(frame.f_code.co_filename, frame.f_lineno)
            if not any(call in line for call in _PASSED_ON):
                found.append(f"{frame.f_code.co_filename}:{frame.f_lineno} {guard}")
        return original(self, prefix, guard, *args, **kwargs)

    monkeypatch.setattr(ShapeEnv, "_log_guard", noted)
    return found


_PASSED_ON = (
    "original(",
    "call()",
    "stepper",
    "function(",
    "self._backend(",
    "run(",
    "program(",
    "compiled(",
)
"""How hooks and steppers hand on to torch or to the program."""


def _capture(target: str, folder: Path, training: bool) -> None:
    run = RunOptions(training=training, gradients=training)
    spec = CaptureSpec(TargetSpec(target, str(folder)), CompileOptions(dynamic=True), run)
    make_capture(spec, "capture-1", lambda text: None)


@pytest.mark.thorough
@pytest.mark.parametrize(
    "target", some(("mlp.py:MLP", "library_calls.py:Net", "transformer_layer.py:EncoderLayer"))
)
def test_reading_makes_no_guard(target: str, made_by_us: list[str]) -> None:
    folder = Path(__file__).parents[1] / "observed_programs" if target.startswith("library") else EXAMPLES
    for training in (True, False):
        _capture(target, folder, training)
    assert not made_by_us


_ONE_CALL = """
import torch
class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = torch.nn.Conv2d(3, 8, 3)
    def forward(self, images):
        return self.conv(images)
def example_inputs():
    images = torch.randn(3, 3, 8, 8)
    torch._dynamo.mark_dynamic(images, 0)
    return (images,)
"""


@pytest.mark.thorough
def test_the_check_sees_a_guard_of_ours(
    made_by_us: list[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Planted: a reader that makes a number of a size, with nothing around it that keeps it to itself."""
    (tmp_path / "one_call.py").write_text(_ONE_CALL)
    _capture("one_call.py:Net", tmp_path, training=True)
    assert not made_by_us
    monkeypatch.setattr("compiler.engine.torch_internals.registry.listening.without_guards", nullcontext)
    _capture("one_call.py:Net", tmp_path, training=True)
    assert any("library_flops" in row for row in made_by_us)
