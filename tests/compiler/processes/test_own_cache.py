"""Caches lie where nobody else can have put anything."""

import os
import subprocess
import sys
from pathlib import Path

import msgspec
import pytest

from compiler.processes.damaged_files import damaged_files
from compiler.processes.own_cache import cache_folder, kept_file, private


def test_a_folder_of_ours_is_made_private(tmp_path: Path) -> None:
    made = private(tmp_path / "a" / "cache")
    assert made.stat().st_mode & 0o777 == 0o700
    made.chmod(0o755)
    assert private(made).stat().st_mode & 0o777 == 0o700


def test_a_folder_that_others_can_write_is_refused(tmp_path: Path) -> None:
    folder = tmp_path / "cache"
    folder.mkdir()
    folder.chmod(0o777)
    with pytest.raises(PermissionError, match="others may write"):
        private(folder)
    (tmp_path / "link").symlink_to(tmp_path)
    with pytest.raises(PermissionError, match="not a folder"):
        private(tmp_path / "link")


@pytest.mark.engine
def test_torch_keeps_headers_and_kernels_there(tmp_path: Path) -> None:
    program = (
        "from compiler.processes.own_cache import use_own_caches\n"
        "use_own_caches(None)\n"
        "from compiler.engine.torch_internals.inductor_kernels import header_place\n"
        "header_place.install()\n"
        "from torch._inductor import codecache\n"
        "print(codecache._HEADER_DIR, codecache._HEADER_LOCK_DIR, codecache.cache_dir(), sep='\\n')\n"
    )
    folder = tmp_path / "cache"
    environment = {**os.environ, "LOUPE_CACHE_DIR": str(folder)}
    for name in ("TORCHINDUCTOR_CACHE_DIR", "TRITON_CACHE_DIR"):
        environment.pop(name, None)
    root = Path(__file__).parents[3]
    done = subprocess.run(
        [sys.executable, "-c", program],
        cwd=root,
        env=environment,
        check=True,
        timeout=300,
        capture_output=True,
    )
    assert all(line.startswith(f"{folder}/") for line in done.stdout.decode().split())
    assert len(done.stdout.split()) == 3


def test_what_others_could_have_put_there_is_not_used(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LOUPE_CACHE_DIR", str(tmp_path / "cache"))
    runner = cache_folder() / "script-runner"
    runner.write_bytes(b"program")
    assert kept_file("script-runner") == runner
    runner.chmod(0o777)
    assert kept_file("script-runner") is None
    runner.unlink()
    runner.symlink_to("/bin/true")
    assert kept_file("script-runner") is None
    (tmp_path / "cache").chmod(0o777)
    assert kept_file("script-runner") is None


@pytest.mark.skipif(sys.platform != "linux", reason="libraries are ELF files on Linux")
def test_libraries_that_are_cut_short_are_found(tmp_path: Path) -> None:
    whole = Path(str(msgspec._core.__file__))
    content = whole.read_bytes()
    files = {
        "a.so": content,
        "b.so": b"",
        "c.so": content[:5000],
        "d.so": b"x" * 9000,
        "e.py": b"",
        "f.json": b"",
    }
    for name, data in files.items():
        (tmp_path / name).write_bytes(data)
        os.utime(tmp_path / name, (1, 1))
    (tmp_path / "in_the_making.so").write_bytes(b"")
    assert sorted(path.name for path in damaged_files(tmp_path)) == ["b.so", "c.so", "d.so", "e.py"]
