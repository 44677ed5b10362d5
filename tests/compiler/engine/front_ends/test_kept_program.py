"""The process of a front end captures a program once, however often it is edited."""

from pathlib import Path

import pytest

from compiler.engine.verbs.isolated_jobs import _kept, _live
from compiler.model.capture.capture_spec import CaptureSpec, TargetSpec

pytestmark = pytest.mark.engine


def test_a_program_is_not_captured_again_for_each_edit(tmp_path: Path) -> None:
    """Where it runs was written into what was compared, and it was."""
    (tmp_path / "net.py").write_text(
        "import torch\n\n\nclass Net(torch.nn.Module):\n    def forward(self, x):\n        return x * 2\n"
    )
    spec = CaptureSpec(TargetSpec("net.py:Net", str(tmp_path), "torch.ones(3)"), front_end="fx")
    try:
        first = _live(spec, lambda text: None)
        assert first.spec.run_on
        assert _live(spec, lambda text: None) is first
        assert _live(first.spec, lambda text: None) is first
        assert _live(spec, lambda text: None, again=True) is not first
    finally:
        _kept.clear()
