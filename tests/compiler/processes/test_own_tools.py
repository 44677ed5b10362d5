"""A tool that the engine starts is the one that was installed when it began, whatever a program did to the environment since."""

import ast
import os
import stat
from collections.abc import Iterator
from pathlib import Path

import pytest

from compiler.processes import first_environment, own_tools
from compiler.processes.own_tools import find_tool, run_tool
from tests.helpers.finished_process import ran
from tests.helpers.our_sources import ROOT, trees

_MAY_START = {
    "remote/bridge.py",  # the person's own ssh, as he said it
    "remote/there.py",  # the worker itself, before any program runs
    "command_line/commands/recorded/passed_signals.py",  # Python itself, isolated, before the person's program
    "command_line/commands/recorded/run_command.py",  # the person's program as it is, and the window beside it
    "command_line/commands/batches/run_job.py",  # loupe itself for one job, from the person's shell
    "command_line/commands/batches/interpreters.py",  # the Pythons that the person named
    "recorder/collector.py",  # Python itself, in the program's own environment, which is the person's
    "api/window.py",  # the window, from a person's own script
    "worker/failure_trials.py",  # Python itself with the first environment: what fails in it must not take the worker along
    "processes/fork_server.py",  # before any program runs
    "processes/own_tools.py",
    "processes/spare_time.py",  # with the first environment
}
_PLANTED = "#!/bin/sh\necho planted >> {reported}\necho planted\n"


@pytest.fixture
def reported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A program put its own tools first on the PATH, and named them as compilers; the file says which of them were run."""
    monkeypatch.setattr(first_environment, "_first", dict(os.environ))
    noted, folder = tmp_path / "told", tmp_path / "planted"
    folder.mkdir()
    for name in ("g++", "gcc", "clang++", "c++", "objdump", "as", "ld", "env"):
        path = folder / name
        path.write_text(_PLANTED.format(reported=noted))
        path.chmod(path.stat().st_mode | stat.S_IXUSR)
    monkeypatch.setenv("PATH", f"{folder}:{os.environ['PATH']}")
    monkeypatch.setenv("CXX", str(folder / "g++"))
    monkeypatch.setenv("LOUPE_PLANTED", "yes")
    assert ran(["env"], check=True).stdout == "planted\n"
    noted.unlink()
    return noted


def test_a_tool_is_not_the_programs(reported: Path) -> None:
    found = find_tool("no-such-tool", "env")
    assert found is not None
    assert "planted" not in found
    assert find_tool("no-such-tool") is None
    for command in ([found], ["env"]):
        assert "LOUPE_PLANTED" not in run_tool(command).stdout
    assert not reported.exists()


def test_a_tool_makes_its_temporary_files_where_they_are_removed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(own_tools, "scratch_place", lambda: str(tmp_path))
    assert run_tool(["mktemp", "-u"]).stdout.startswith(f"{tmp_path}/")


@pytest.mark.engine
def test_no_tool_of_the_engine_is_the_programs(reported: Path, tmp_path: Path) -> None:
    from compiler.engine.front_ends.torchscript import cpp_runner
    from compiler.engine.torch_internals.inductor_kernels import lighter_linking
    from compiler.engine.user_program import environment

    assert "planted" not in environment._cpp_compiler.__wrapped__()
    folder = lighter_linking._empty_libraries.__wrapped__("g++", ("loupe_none",), str(tmp_path))
    assert Path(folder, "libloupe_none.so").stat().st_size
    source = tmp_path / "a.cpp"
    source.write_text("not C++")
    with pytest.raises(Exception, match=r"C\+\+ program"):
        cpp_runner._build("g++", tmp_path, source, tmp_path / "a")
    assert not reported.exists()


@pytest.mark.engine
@pytest.mark.skipif(find_tool("objdump") is None, reason="no binutils")
def test_assembly_is_not_the_programs(reported: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from compiler.engine.kernel_code import disassembly

    words = ["g++", "-c", "-x", "c++", "-g2"]
    monkeypatch.setattr(
        disassembly, "object_command", lambda source, made, _folder: [*words, source, "-o", made]
    )
    made = disassembly.assemble('extern "C" int kernel(int x) { return x + 1; }')
    assert any("kernel" in row.text for row in made.instructions)
    assert not reported.exists()


def test_everything_of_ours_that_starts_a_process_is_known() -> None:
    """A tool started elsewhere gets the environment of the program."""
    found = {
        path.relative_to(ROOT / "compiler").as_posix()
        for path, tree in trees(("compiler",), "subprocess", "shutil")
        if any(_starts(tree))
    }
    assert found == _MAY_START


def _starts(tree: ast.Module) -> Iterator[ast.AST]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            called = f"{node.value.id}.{node.attr}"
            if called in ("subprocess.run", "subprocess.Popen", "subprocess.check_output", "shutil.which"):
                yield node
