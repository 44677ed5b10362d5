"""A build that ends half way leaves nothing that could be taken for a kernel."""

import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest
from torch._inductor import cpp_builder

from compiler.engine.records.recorder import Recorder
from compiler.engine.torch_internals.inductor_kernels import whole_builds

pytestmark = pytest.mark.engine

_COMPILER = """#!/bin/sh
# writes half of its output, then waits, as a linker that is interrupted
while [ "$1" != "-o" ]; do shift; done
printf half > "$2"
{then}
printf whole > "$2"
"""


def _compiler(folder: Path, then: str) -> Path:
    path = folder / "compiler.sh"
    path.write_text(_COMPILER.format(then=then))
    path.chmod(0o755)
    return path


def test_what_is_built_is_whole(tmp_path: Path) -> None:
    wanted = tmp_path / "kernel.main.so"
    with whole_builds.listen(Recorder()):
        cpp_builder.run_compile_cmd(f"{_compiler(tmp_path, 'true')} -shared -o {wanted}", str(tmp_path))
    assert wanted.read_text() == "whole"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["compiler.sh", wanted.name]


def test_a_build_that_fails_leaves_nothing(tmp_path: Path) -> None:
    wanted = tmp_path / "kernel.main.so"
    with whole_builds.listen(Recorder()), pytest.raises(Exception, match=r"compiler\.sh"):
        cpp_builder.run_compile_cmd(f"{_compiler(tmp_path, 'exit 1')} -shared -o {wanted}", str(tmp_path))
    assert [path.name for path in tmp_path.iterdir()] == ["compiler.sh"]


def test_the_compilers_own_files_are_where_they_are_removed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And a failure still says torch's own command, which can be tried by hand."""
    monkeypatch.setattr(whole_builds, "scratch_place", lambda: str(tmp_path / "scratch"))
    wanted = tmp_path / "kernel.main.so"
    command = f"{_compiler(tmp_path, 'echo $TMPDIR; exit 1')} -shared -o {wanted}"
    with whole_builds.listen(Recorder()), pytest.raises(Exception, match=r"compiler\.sh") as failed:
        cpp_builder.run_compile_cmd(command, str(tmp_path))
    assert str(failed.value).split()[-1] == str(tmp_path / "scratch")
    assert command in str(failed.value)


@pytest.mark.skipif(
    shutil.which("ld.gold") is None, reason="only gold writes the name of its output into a library"
)
def test_code_lies_where_it_would_lie_without_us(tmp_path: Path) -> None:
    """Else a kernel that is built again takes another time, by where its loops begin."""
    source = tmp_path / "kernel.cpp"
    source.write_text('extern "C" long kernel(long x) { return x ^ 0x1122334455667788; }')
    wanted = tmp_path / f"{'k' * 52}.main.so"
    versions = tmp_path / "versions"  # as those of libgomp in every kernel: with them the name is written
    versions.write_text("LOUPE_1 { global: kernel; };")
    command = f"g++ {source} -shared -fPIC -O2 -fuse-ld=gold -Wl,--version-script={versions} -o {wanted}"
    cpp_builder.run_compile_cmd(command, str(tmp_path))
    plain = wanted.read_bytes()
    with whole_builds.listen(Recorder()):
        cpp_builder.run_compile_cmd(command, str(tmp_path))
    ours, constant = wanted.read_bytes(), (0x1122334455667788).to_bytes(8, "little")
    assert ours != plain, "the name is not written"
    assert ours.index(constant) == plain.index(constant)


@pytest.mark.thorough
def test_a_killed_process_leaves_no_kernel(tmp_path: Path) -> None:
    wanted = tmp_path / "kernel.main.so"
    program = f"""
from torch._inductor import cpp_builder
from compiler.engine.records.recorder import Recorder
from compiler.engine.torch_internals.inductor_kernels import whole_builds
with whole_builds.listen(Recorder()):
    cpp_builder.run_compile_cmd("{_compiler(tmp_path, "exec sleep 60")} -shared -o {wanted}", "{tmp_path}")
"""
    process = subprocess.Popen([sys.executable, "-c", program], start_new_session=True)
    while not list(tmp_path.glob("*unfinished*")):
        assert process.poll() is None
        time.sleep(0.05)
    os.killpg(process.pid, 9)
    process.wait()
    assert not wanted.exists()
