"""Programs in files, in a worker; and the window on a capture."""

import subprocess
import sys
from pathlib import Path

import pytest

import torch_loupe
from compiler.api.runners import InWorker
from tests.helpers.sample_capture import capture as sample_capture

pytestmark = pytest.mark.worker

EXAMPLE = Path(__file__).resolve().parents[3] / "resources" / "examples" / "mlp.py"


@pytest.mark.thorough
def test_a_file_is_captured_saved_opened_and_edited_there(tmp_path: Path) -> None:
    said: list[str] = []
    cap = torch_loupe.capture(f"{EXAMPLE}:MLP", inputs="torch.randn(4, 64)", grad=False, progress=said.append)
    assert any("Loading" in text for text in said)
    opened = torch_loupe.open(cap.save(tmp_path / "mlp.loupe"))
    new, _ = opened.edit(opened["dynamo"].replace("relu", "torch.tanh")).recompile(judge=False)
    assert "torch.tanh" in new["dynamo"].text
    assert torch_loupe.open(new.save(tmp_path / "edited.loupe")).edits == new.edits
    with pytest.raises(torch_loupe.LoupeError, match="no file"):
        torch_loupe.capture(f"{tmp_path}/nothing.py:Net")


def test_nothing_slow_is_imported_before_it_is_needed() -> None:
    code = (
        "import sys, torch_loupe\n"
        "assert not [name for name in sys.modules if name.startswith('compiler')]\n"
        "torch_loupe.capture\n"
        "assert 'torch' not in sys.modules and 'PySide6' not in sys.modules\n"
        "assert 'capture' in dir(torch_loupe)\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True, timeout=120, cwd=EXAMPLE.parents[2])


@pytest.mark.thorough
def test_the_window_opens_on_a_capture(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    cap = torch_loupe.Capture(sample_capture(), InWorker(lambda text: None))
    for name in ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM"):
        monkeypatch.delenv(name, raising=False)
    with pytest.raises(torch_loupe.LoupeError, match="no display"):
        torch_loupe.show(cap)
    monkeypatch.setenv("QT_QPA_PLATFORM", "offscreen")
    window = torch_loupe.show(cap)
    try:
        with pytest.raises(subprocess.TimeoutExpired):  # it stays
            window.wait(timeout=4)
    finally:
        window.terminate()
        window.wait(timeout=20)


def test_a_strangers_file_runs_nothing_without_trust(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = torch_loupe.Capture(sample_capture(), InWorker(lambda text: None)).save(
        tmp_path / "stranger.loupe"
    )
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "elsewhere"))  # a computer on which it was not written
    cap = torch_loupe.open(path)
    with pytest.raises(torch_loupe.LoupeError, match=r"trust=True"):
        cap.edit().recompile()
