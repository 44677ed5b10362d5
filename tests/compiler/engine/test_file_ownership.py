"""Which files are the user's, also in an environment that is linked to."""

import importlib
import importlib.util
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import networkx  # noqa: F401  a library that is loaded
import pytest
import torch
from torch._inductor import codecache

from compiler.engine import file_ownership
from compiler.engine.file_ownership import (
    choose_mine,
    file_of,
    forget_owners,
    innermost,
    owner_of,
    package_of,
    within_program,
)
from compiler.engine.user_program.source_overrides import use_texts
from compiler.model.ir.programs import FileOwner
from tests.helpers.finished_process import ran
from tests.helpers.module_from_file import module_from

pytestmark = pytest.mark.engine

SCRIPT = """
import sys, json, os
sys.path.insert(0, {root!r})
from compiler.engine.file_ownership import is_linked, is_mine
import networkx  # noqa: F401  a library that is loaded
import torch
paths = [torch.__file__, os.path.realpath(torch.__file__), json.__file__, {root!r} + "/compiler/engine/errors.py"]
print([is_mine(path) for path in (*paths, {root!r} + "/resources/examples/mlp.py", "<string>")])
"""


@pytest.mark.thorough
def test_libraries_are_known_by_either_name(tmp_path: Path):
    (tmp_path / "env").symlink_to(sys.prefix, target_is_directory=True)
    python = tmp_path / "env" / "bin" / Path(sys.executable).name
    root = str(Path(__file__).parents[3])
    done = ran([python, "-c", SCRIPT.format(root=root)], timeout=120)
    assert done.stdout.strip() == "[False, False, False, False, True, False]", done.stderr


@pytest.fixture(autouse=True)
def _as_given():
    yield
    choose_mine(())


def test_what_is_installed_is_a_librarys_wherever_it_is_installed():
    path = "/home/me/project/.venv/lib/python3.12/site-packages/thing/layers/norm.py"
    assert owner_of(path) is FileOwner.LIBRARY
    assert package_of(path) == "thing"
    assert package_of("/env/site-packages/single.py") == "single"
    assert package_of("/home/me/model.py") == ""


def test_what_was_installed_into_a_folder_of_its_own_is_a_librarys(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    """As ``pip install --target`` does; a script beside it stays the user's own."""
    package, record = tmp_path / "some" / "deep.py", tmp_path / "some-1.0.dist-info" / "RECORD"
    for file in (package, record, tmp_path / "train.py"):
        file.parent.mkdir(exist_ok=True)
        file.write_text("")
    record.write_text("some/deep.py,sha256=x,12\nalone.py,sha256=y,3\nsome-1.0.dist-info/RECORD,,\n")
    assert owner_of(str(package)) is FileOwner.MINE  # nothing is imported from there
    forget_owners()
    monkeypatch.syspath_prepend(str(tmp_path))
    assert owner_of(str(package)) is FileOwner.LIBRARY
    assert owner_of(str(tmp_path / "alone.py")) is FileOwner.LIBRARY
    assert owner_of(str(tmp_path / "train.py")) is FileOwner.MINE
    assert package_of(str(package)) == "some"
    forget_owners()


def test_the_longest_folder_decides(tmp_path: Path):
    inside = tmp_path / ".venv" / "lib" / "site-packages" / "thing"
    inside.mkdir(parents=True)
    choose_mine([str(tmp_path)])
    assert owner_of(f"{inside}/norm.py") is FileOwner.LIBRARY
    assert owner_of(f"{tmp_path}/model.py") is FileOwner.MINE
    choose_mine([str(inside)])
    assert owner_of(f"{inside}/norm.py") is FileOwner.MINE
    choose_mine(["thing"], str(inside.parent))
    assert owner_of(f"{inside}/norm.py") is FileOwner.MINE


def test_torch_is_only_the_users_where_that_is_said():
    path = torch.nn.functional.__file__
    assert owner_of(path) is FileOwner.TORCH
    choose_mine(["torch.nn"])
    assert owner_of(path) is FileOwner.MINE
    assert owner_of(torch.serialization.__file__) is FileOwner.TORCH


def test_own_lines_are_reported_before_a_librarys():
    stack = ["/home/me/a.py", "/env/site-packages/thing/b.py", torch.__file__]
    assert innermost(stack, str) == stack[0]
    assert innermost(stack[1:], str) == stack[1]
    assert innermost(stack[2:], str) is None


def test_who_called_us_is_no_part_of_the_program():
    ours = str(Path(__file__).parents[3] / "compiler" / "engine" / "running.py")
    assert within_program(["/env/site-packages/pytest.py", "/t.py", ours, "/a.py", torch.__file__], str) == [
        "/a.py"
    ]


@pytest.fixture
def generated(tmp_path: Path) -> Iterator[Callable[[str], Path]]:
    """Writes a module into a folder for temporary files and loads it under a name, as libraries that generate code do."""
    loaded: list[str] = []

    def load(name: str) -> Path:
        path = tmp_path / f"{name}_0x1f.py"
        path.write_text("def propagate(x):\n    return x + 1\n")
        module_from(path, name)
        loaded.append(name)
        return path

    yield load
    for name in loaded:
        sys.modules.pop(name, None)
    forget_owners()


@pytest.mark.thorough
def test_what_a_library_generates_is_the_librarys_and_stays_loaded(
    generated: Callable[[str], Path], tmp_path: Path
) -> None:
    use_texts({})
    of_library = generated("networkx.convolution_propagate")
    assert owner_of(str(of_library)) is FileOwner.LIBRARY
    (tmp_path / "mypackage").mkdir()
    (tmp_path / "mypackage" / "__init__.py").write_text("")
    sys.path.insert(0, str(tmp_path))
    try:
        importlib.import_module("mypackage")
        of_user, alone = generated("mypackage.part"), generated("settings")
        assert {owner_of(str(path)) for path in (of_user, alone)} == {FileOwner.MINE}
        use_texts({})  # the next program
        kept = {"networkx.convolution_propagate", "mypackage.part", "settings"} & sys.modules.keys()
        assert kept == {"networkx.convolution_propagate"}
    finally:
        sys.path.remove(str(tmp_path))
        sys.modules.pop("mypackage", None)


def test_modules_are_looked_through_once_for_all_files(
    generated: Callable[[str], Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    looked_at: list[object] = []
    monkeypatch.setattr(file_ownership, "file_of", lambda module: looked_at.append(module) or file_of(module))
    forget_owners()
    for number in range(100):
        assert owner_of(str(tmp_path / f"layer_{number}.py")) is FileOwner.MINE
    assert len(looked_at) < 2 * len(sys.modules)
    first = generated("networkx.first_propagate")
    assert owner_of(str(first)) is FileOwner.LIBRARY
    del sys.modules["networkx.first_propagate"]
    assert owner_of(str(generated("networkx.second_propagate"))) is FileOwner.LIBRARY  # as many as before


def test_what_stands_in_for_the_standard_library_is_nobodys_program() -> None:
    """torch decorates functions with it: a line of it is not where a program asks for something."""
    import typing_extensions

    assert owner_of(typing_extensions.__file__) is FileOwner.TORCH


def test_what_inductor_writes_is_torchs_wherever_its_cache_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Ours is not below /tmp, so an error in a wrapper, or a cancel while its kernels are built, named that file as the program's."""
    monkeypatch.setenv("TORCHINDUCTOR_CACHE_DIR", str(tmp_path / "kept"))
    for ending in ("py", "main.cpp"):
        _, _, path = codecache.get_path(codecache.code_hash("text"), ending)
        assert path.startswith(str(tmp_path))
        assert owner_of(path) is FileOwner.TORCH
    for of_the_user in ("kept/ab/cab.py", "my_torchinductor_model.py"):
        assert owner_of(str(tmp_path / of_the_user)) is FileOwner.MINE


def test_a_script_that_another_runs_by_a_relative_path_is_the_users(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its lines were folded away as torch's, and breaks were told of the line that runs it."""
    (tmp_path / "train_by_path.py").write_text("")
    monkeypatch.chdir(tmp_path)
    assert owner_of("train_by_path.py") is FileOwner.MINE
    assert owner_of("not_there.py") is FileOwner.TORCH
