"""Caches lie where nobody else can have put anything."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from compiler.processes.own_cache import private


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
