"""Only what a dead client of this user left is removed."""

import shutil
import sys
import tempfile
from pathlib import Path

import pytest

from compiler.processes import private_folder
from compiler.processes.private_folder import PrivateFolder, remove_if_abandoned, scratch_place, sweep
from compiler.processes.started import MARK
from tests.helpers.finished_process import ran

_KILLED = "import os\nfrom compiler.processes.private_folder import PrivateFolder\nprint(PrivateFolder().path, flush=True)\nos.kill(os.getpid(), 9)"


def test_a_sweep_removes_what_a_killed_client_left_and_nothing_else(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    tmp_path = Path(tempfile.mkdtemp(prefix="lt", dir="/tmp"))  # short enough for sockets
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr(tempfile, "tempdir", None)
    left = Path(ran([sys.executable, "-c", _KILLED]).stdout.strip())
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


def test_scratch_files_lie_in_the_clients_folder_and_in_a_sandbox_where_it_may_write(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    folder = tmp_path / "loupe-client"
    (folder / "loupe-gpu-box").mkdir(parents=True)
    monkeypatch.setattr(private_folder, "first_environment", lambda: {MARK: str(folder / "worker.sock")})
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    assert scratch_place() == str(folder)
    monkeypatch.setattr(tempfile, "tempdir", str(folder / "loupe-gpu-box"))
    assert scratch_place() == str(folder / "loupe-gpu-box")
    monkeypatch.setattr(private_folder, "first_environment", dict)
    assert scratch_place() is None


def test_a_folder_in_which_others_may_rename_ours_is_not_used(monkeypatch: pytest.MonkeyPatch) -> None:
    shared = Path(tempfile.mkdtemp(prefix="lt", dir="/tmp"))
    monkeypatch.setattr(tempfile, "tempdir", str(shared))
    try:
        for mode, used in ((0o777, False), (0o770, False), (0o1777, True), (0o755, True), (0o700, True)):
            shared.chmod(mode)
            folder = PrivateFolder()
            assert (folder.path.parent == shared) is used, oct(mode)
            folder.remove()
    finally:
        shutil.rmtree(shared)
