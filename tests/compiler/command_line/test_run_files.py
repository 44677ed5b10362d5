"""The session files of a run, whatever its program says of itself."""

import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from compiler.analysis.running.lanes import Lane
from compiler.command_line.main import main
from compiler.command_line.run_files import RunFiles
from compiler.command_line.trust_gate import TrustGate
from compiler.model.protocol.run_events import RunBegan
from tests.helpers import sample_capture


@pytest.mark.parametrize("rank", ["../../elsewhere", "7" * 5000, "²", "1\n2"])
def test_a_rank_that_is_no_number_names_no_file(
    rank: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """RANK is whatever the program put there; its recording was lost, and the command ended."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    folder = tmp_path / "runs"
    folder.mkdir()
    lanes = [
        Lane(
            RunBegan(pid, 1, ("python",), "/", "2.13", rank, "2", 0.0, (), False),
            capture=sample_capture.capture(),
        )
        for pid in (11, 12)
    ]
    written = RunFiles(folder / "run.loupe", TrustGate()).write(lanes)
    assert sorted(folder.iterdir()) == sorted(written)
    assert {path.name for path in written} == {"run.loupe", "run.12.loupe"}


def test_what_a_killed_run_left_is_removed_by_the_next(monkeypatch: pytest.MonkeyPatch) -> None:
    place = Path(tempfile.mkdtemp(prefix="lt", dir="/tmp"))
    try:
        monkeypatch.setenv("TMPDIR", str(place))
        monkeypatch.setattr(tempfile, "tempdir", None)
        made = "import os, compiler.processes.private_folder as p; p.PrivateFolder(); os.kill(os.getpid(), 9)"
        subprocess.run([sys.executable, "-c", made], check=False)
        assert list(place.glob("loupe-*"))
        main(["run", "--no-window", "--quiet", sys.executable, "-c", "pass"])
        assert not list(place.glob("loupe-*"))
    finally:
        shutil.rmtree(place)
