"""Caches lie where nobody else can have put anything."""

import os
import subprocess
import sys
import time
from pathlib import Path

import msgspec
import pytest

from compiler.processes.damaged_files import damaged_files
from compiler.processes.own_cache import cache_folder, clear_old_headers, kept_file, private


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


@pytest.mark.thorough
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


def test_headers_that_nothing_uses_go(tmp_path: Path) -> None:
    clear_old_headers(tmp_path / "not there yet")
    now = time.time()
    days = [*range(14), 31]
    for day in days:
        for ending in ("", ".gch"):
            path = tmp_path / f"header-{day}.h{ending}"
            path.write_bytes(b"text")
            os.utime(path, (now - day * 86400, now - 40 * 86400))  # used then, made long ago
    for name, age in (("killed", 2 * 3600), ("in-the-making", 60)):
        unfinished = tmp_path / f"{name}.h.unfinished"
        unfinished.mkdir()
        (unfinished / "header.h.gch").write_bytes(b"half")
        os.utime(unfinished, (now - age, now - age))
    clear_old_headers(tmp_path)
    kept = {path.name for path in tmp_path.iterdir()}
    assert {name for name in kept if name.endswith(".gch")} == {f"header-{day}.h.gch" for day in range(12)}
    assert {f"header-{day}.h" for day in days} <= kept, "a worker may still include them"
    assert {name for name in kept if name.endswith(".unfinished")} == {"in-the-making.h.unfinished"}
    old = tmp_path / "header-0.h.gch"
    os.utime(old, (now - 31 * 86400, now - 31 * 86400))
    clear_old_headers(tmp_path)
    assert not old.exists()


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
