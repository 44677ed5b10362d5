"""What a program changes of the environment is nothing for the processes that its worker starts for the next one."""

from pathlib import Path

import pytest

from compiler.command_line.trust_gate import TrustGate
from compiler.command_line.worker_client import WorkerClient
from compiler.model.capture.capture_spec import CaptureSpec, TargetSpec
from tests.helpers.worker_capture import capture_by

pytestmark = [pytest.mark.engine, pytest.mark.worker]

_PROGRAM = """
import os
import torch
with open("met", "a") as stream:
    print(os.environ.get("LEFT_BEHIND"), "LANG_OF_TEST" in os.environ, file=stream)
{own}
def f(x):
    return torch.relu(x) + 1
def example_inputs():
    return (torch.ones(8),)
"""
_CHANGES = "os.environ['LEFT_BEHIND'] = 'yes'; del os.environ['LANG_OF_TEST']"


def _capture(worker: WorkerClient, folder: Path, name: str, front_end: str) -> list[str]:
    """What the program met, from its processes in turn."""
    met = folder / "met"
    met.unlink(missing_ok=True)
    capture_by(worker, CaptureSpec(TargetSpec(name, str(folder)), front_end=front_end))
    return met.read_text().splitlines()


@pytest.mark.thorough
def test_children_begin_with_what_the_worker_was_started_with(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LANG_OF_TEST", "C")
    (tmp_path / "plain.py").write_text(
        _PROGRAM.format(own=f"MET = {str(tmp_path)!r}").replace('"met"', f'"{tmp_path}/met"')
    )
    (tmp_path / "changing.py").write_text(_PROGRAM.format(own=_CHANGES).replace('"met"', f'"{tmp_path}/met"'))
    with WorkerClient(lambda _event: None, timeout=120, gate=TrustGate()) as worker:
        assert _capture(worker, tmp_path, "changing.py:f", "dynamo") == ["None True"]
        for front_end in ("fx", "jit.trace", "make_fx"):
            assert set(_capture(worker, tmp_path, "plain.py:f", front_end)) == {"None True"}, front_end
        # a program that changes it changes it in its own child too, once
        assert set(_capture(worker, tmp_path, "changing.py:f", "fx")) == {"None True"}
