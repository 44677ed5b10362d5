"""A precompiled header with templates instantiated: used only where kernels have the same machine code with it."""

import shlex
import shutil
import subprocess
import sys
import threading
import uuid
from pathlib import Path

import pytest
import torch
from torch._inductor import codecache
from torch._inductor.codecache import CppPythonBindingsCodeCache
from torch._inductor.cpp_builder import is_gcc

from compiler.engine.records.recorder import Recorder
from compiler.engine.torch_internals.inductor_kernels import instantiated_headers
from compiler.engine.torch_internals.inductor_kernels.instantiated_headers import BuiltKernel
from tests.compiler.engine.torch_internals.inductor_kernels.test_lighter_linking import KERNEL
from tests.helpers.quick_builds import headers_in

pytestmark = pytest.mark.skipif(sys.platform != "linux" or not is_gcc(), reason="a plug-in of GCC makes them")
Headers = tuple[Path, BuiltKernel]


def build(folder: Path, monkeypatch: pytest.MonkeyPatch, source: str = KERNEL) -> list[BuiltKernel]:
    """A kernel that was never built before, with headers in a folder: what is to be tried with one of them."""
    found: instantiated_headers.Builds = {}
    started = threading.active_count()
    recorder = Recorder()
    with headers_in(folder), monkeypatch.context() as patch:
        patch.setattr(instantiated_headers, "_instantiate_all", found.update)
        with instantiated_headers.listen(recorder):
            kernel = CppPythonBindingsCodeCache.load_pybinding(
                ["const float*", "float*"], f"{source}// {uuid.uuid4()}\n"
            )
    assert recorder.faults == []
    assert threading.active_count() <= started + 1
    x, y = torch.linspace(-1, 1, 64), torch.empty(64)
    kernel(x, y)
    torch.testing.assert_close(y, x.exp())
    return [kernel for kernels in found.values() for kernel in kernels]


@pytest.fixture(scope="module")
def plain(tmp_path_factory: pytest.TempPathFactory) -> Headers:
    """A header as torch makes it, and the command of a kernel that includes it."""
    with pytest.MonkeyPatch.context() as patch:
        (kernel,) = build(tmp_path_factory.mktemp("headers"), patch)
    return Path(kernel.words[kernel.words.index("-include") + 1]), kernel


@pytest.fixture
def header(plain: Headers, tmp_path: Path) -> Headers:
    """The same in a folder of the test; the kernel's source is gone, as with a cache that was emptied."""
    source, kernel = plain
    ours = tmp_path / source.name
    for ending in ("", ".gch"):
        shutil.copy2(f"{source}{ending}", f"{ours}{ending}")
    Path(next(word for word in kernel.words if word.endswith(".main.cpp"))).unlink(missing_ok=True)
    return ours, kernel


def note(header: Path) -> str:
    return Path(f"{header}.templates").read_text(encoding="utf-8").splitlines()[1]


@pytest.mark.thorough
def test_takes_the_place_of_torchs_and_kernels_are_built_with_it(
    header: Headers, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, kernel = header
    before = Path(f"{path}.gch").stat().st_size
    assert not instantiated_headers.is_settled(path)
    instantiated_headers.settle(path, [kernel])
    assert note(path) == "instantiated"
    assert instantiated_headers.is_settled(path)
    assert Path(f"{path}.gch").stat().st_size > 1.05 * before  # it holds what was instantiated
    assert sorted(other.name for other in path.parent.iterdir() if "unfinished" in other.name) == []
    # torch finds it under the name of its own, and there is nothing left to do
    assert build(path.parent, monkeypatch) == []


@pytest.mark.thorough
def test_what_each_kernel_includes_for_its_binding_is_in_it(header: Headers, tmp_path: Path) -> None:
    path, kernel = header
    source = tmp_path / "asks.cpp"
    source.write_text("static_assert(PY_VERSION_HEX == " + hex(sys.hexversion) + ");\n")
    compiler, *options = instantiated_headers._options(kernel.words)
    command = (compiler, str(source), *options, "-include", str(path), "-Winvalid-pch", "-fsyntax-only")
    assert subprocess.run(command, check=False, capture_output=True).returncode  # torch's has no Python
    instantiated_headers.settle(path, [kernel])
    assert subprocess.run(command, check=False, capture_output=True).returncode == 0


@pytest.mark.thorough
def test_a_header_of_another_python_is_made_again(header: Headers, monkeypatch: pytest.MonkeyPatch) -> None:
    path, _ = header
    Path(f"{path}.templates").write_text(f"{instantiated_headers._identity(path)}\ninstantiated\n")
    assert instantiated_headers.is_settled(path)
    monkeypatch.setattr(sys, "hexversion", sys.hexversion + 1)
    assert not instantiated_headers.is_settled(path)


@pytest.mark.thorough
def test_other_machine_code_is_found_and_torchs_header_stays(
    header: Headers, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, kernel = header
    before = Path(f"{path}.gch").read_bytes()
    monkeypatch.setattr(instantiated_headers, "_SOURCE", instantiated_headers._SOURCE + "#define exp sqrt\n")
    instantiated_headers.settle(path, [kernel])
    assert note(path) == "as torch makes it: other machine code of kernel"
    assert Path(f"{path}.gch").read_bytes() == before
    assert instantiated_headers.is_settled(path)  # it isn't tried each time


@pytest.mark.thorough
def test_a_compiler_that_takes_no_such_plugin_keeps_torchs_header(
    header: Headers, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, kernel = header
    before = Path(f"{path}.gch").stat()
    plugin = instantiated_headers._PLUGIN.replace("instantiate_pending_templates", "no_such_function")
    monkeypatch.setattr(instantiated_headers, "_PLUGIN", plugin)
    instantiated_headers.settle(path, [kernel])
    assert "as torch makes it: " in note(path) and "plugin" in note(path)  # noqa: PT018
    assert Path(f"{path}.gch").stat().st_mtime_ns == before.st_mtime_ns


@pytest.mark.thorough
def test_a_header_that_torch_makes_again_is_made_again(header: Headers) -> None:
    path, _ = header
    Path(f"{path}.templates").write_text(f"{instantiated_headers._identity(path)}\ninstantiated\n")
    assert instantiated_headers.is_settled(path)
    Path(f"{path}.gch").write_bytes(b"made by another compiler")
    assert not instantiated_headers.is_settled(path)


@pytest.mark.parametrize("ours", [True, False])
def test_headers_of_torchs_own_place_are_left_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, ours: bool
) -> None:
    header, source = tmp_path / "a.h", tmp_path / "a.main.cpp"
    Path(f"{header}.gch").write_bytes(b"precompiled")
    source.write_text(KERNEL)
    monkeypatch.setattr(codecache, "_HEADER_DIR", str(tmp_path if ours else tmp_path / "other"))
    builds: instantiated_headers.Builds = {}
    command = ("g++", str(source), "-include", str(header), "-shared")
    instantiated_headers._note(shlex.join(command), builds)
    assert builds == ({header: [BuiltKernel(command, KERNEL)]} if ours else {})
