"""Only what a dead client of this user left is removed."""

import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from compiler.processes.private_folder import PrivateFolder, remove_if_abandoned, sweep

_KILLED = "import os\nfrom compiler.processes.private_folder import PrivateFolder\nprint(PrivateFolder().path, flush=True)\nos.kill(os.getpid(), 9)"


def test_a_sweep_removes_what_a_killed_client_left_and_nothing_else(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    tmp_path = Path(tempfile.mkdtemp(prefix="lt", dir="/tmp"))  # short enough for sockets
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr(tempfile, "tempdir", None)
    left = Path(
        subprocess.run([sys.executable, "-c", _KILLED], capture_output=True, text=True).stdout.strip()
    )
    alive = PrivateFolder()
    strangers = tmp_path / "loupe-without-lock"
    strangers.mkdir(mode=0o700)
    assert left.parent == tmp_path
    open_to_all = tmp_path / "loupe-open"
    open_to_all.mkdir()
    open_to_all.chmod(0o755)
    (open_to_all / "owner.lock").touch()
    linked = tmp_path / "loupe-linked"
    linked.symlink_to(left)
    remove_if_abandoned(linked)
    assert left.is_dir()
    sweep()
    assert not left.exists()
    assert alive.path.is_dir()
    assert strangers.is_dir()
    assert open_to_all.is_dir()
    alive.remove()
    assert not alive.path.exists()
    shutil.rmtree(tmp_path)
