"""When a process may load a program: only the same one, unchanged, that changed nothing."""

import sys
from pathlib import Path
from types import ModuleType

import pytest

from compiler.engine.errors import EngineError
from compiler.engine.user_program import loading
from compiler.engine.user_program.loaded_program import LoadedProgram
from compiler.model.capture.capture_spec import TargetSpec
from compiler.model.ir.diagnostics import Problem

_TEXT = "import torch\nimport beside_this\ndef f(x):\n    return x\ndef example_inputs():\n    return (torch.ones(2),)\n"


@pytest.fixture
def loaded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[LoadedProgram, TargetSpec]:
    """A process that loaded a program of two files."""
    here = LoadedProgram()
    monkeypatch.setattr(loading, "THIS_PROCESS", here)
    (tmp_path / "one.py").write_text(_TEXT)
    (tmp_path / "beside_this.py").write_text("a = 1\n")
    target = TargetSpec("one.py:f", str(tmp_path))
    assert here.why_not(target, {}) == ""
    loading.load_program(target)
    return here, target


def test_the_same_unchanged_program_may_be_loaded_again(loaded: tuple[LoadedProgram, TargetSpec]) -> None:
    here, target = loaded
    assert here.why_not(target, {}) == ""
    here.note_changed(Problem("It set a default."))
    assert here.why_not(target, {}) == "it changed the process"
    here.forget()
    assert here.why_not(target, {}) == ""


def test_a_module_that_is_imported_when_it_is_asked_for_something_is_not_asked(
    loaded: tuple[LoadedProgram, TargetSpec], monkeypatch: pytest.MonkeyPatch
) -> None:
    """speechbrain has such, of packages that are not there: they fail when they are imported."""

    class Lazy(ModuleType):
        def __getattr__(self, name: str) -> object:
            raise ImportError(f"{self.__name__} is not there: {name}")

    monkeypatch.setitem(sys.modules, "lazy_integration", Lazy("lazy_integration"))
    here, target = loaded
    loading.load_program(target)
    assert here.why_not(target, {}) == ""


def test_another_program_may_not(loaded: tuple[LoadedProgram, TargetSpec], tmp_path: Path) -> None:
    here, _ = loaded
    assert here.why_not(TargetSpec("one.py:g", str(tmp_path)), {}) == "one.py:f ran here"
    assert here.why_not(TargetSpec("one.py:f", str(tmp_path / "x")), {}) == "one.py:f ran here"


@pytest.mark.parametrize("name", ["one.py", "beside_this.py"])
def test_nor_one_of_which_any_file_is_another_now(
    loaded: tuple[LoadedProgram, TargetSpec], tmp_path: Path, name: str
) -> None:
    here, target = loaded
    path = tmp_path / name
    before = path.read_text()
    assert here.why_not(target, {str(path): before + "# tried\n"}) == f"{name} is another now"
    path.write_text(before + "# saved\n")
    assert here.why_not(target, {}) == f"{name} is another now"
    path.write_text(before)
    assert here.why_not(target, {}) == ""


def test_what_failed_to_load_was_loaded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    here = LoadedProgram()
    monkeypatch.setattr(loading, "THIS_PROCESS", here)
    (tmp_path / "bad.py").write_text("1 / 0\n")
    target = TargetSpec("bad.py:f", str(tmp_path))
    with pytest.raises(EngineError):
        loading.load_program(target)
    assert here.why_not(TargetSpec("other.py:f", str(tmp_path)), {}) == "bad.py:f ran here"
    (tmp_path / "bad.py").write_text("2 / 1\n")
    assert here.why_not(target, {}) == "bad.py is another now"


def test_a_folder_without_init_below_a_package_is_found_again(tmp_path: Path) -> None:
    (tmp_path / "own_pack" / "nets").mkdir(parents=True)
    (tmp_path / "own_pack" / "__init__.py").touch()
    part = tmp_path / "own_pack" / "nets" / "small.py"
    target = TargetSpec("own_main.py:net", str(tmp_path))
    example = "\ndef net(x):\n    return x + {}\n\ndef example_inputs():\n    return (1,)\n"
    (tmp_path / "own_main.py").write_text("from own_pack.nets.small import example_inputs, net\n")
    for step in (1, 2):
        part.write_text(example.format(step))
        assert loading.load_program(target).callable(1) == 1 + step


@pytest.mark.parametrize(
    ("root", "reported"),
    [
        (
            "raise RuntimeError('built for another CUDA')",
            "It came of RuntimeError: built for another CUDA",
        ),
        ("import no_such_package", "Install 'no_such_package' into"),
    ],
)
def test_a_package_that_hides_why_it_cannot_be_imported_is_reported_with_why(
    tmp_path: Path, root: str, reported: str
) -> None:
    """transformers raises a ModuleNotFoundError without a name for whatever happens inside of it."""
    (tmp_path / "hides.py").write_text(
        f"try:\n    {root}\nexcept Exception as error:\n    raise ModuleNotFoundError('Could not import part') from error\n"
    )
    (tmp_path / "uses.py").write_text("import hides\n")
    with pytest.raises(EngineError) as failed:
        loading.load_program(TargetSpec("uses.py:f", str(tmp_path)))
    message = failed.value.problem.message()
    assert reported in message
    assert "Could not import part" in message
    assert "None" not in message


@pytest.mark.parametrize(
    ("name", "advice"),
    [
        ("Needy", "Give its arguments defaults"),
        ("Lazy", "Install 'no_such_package'"),
        ("Wrong", "Correct it and"),
    ],
)
def test_what_cannot_be_made_is_reported_with_what_helps(tmp_path: Path, name: str, advice: str) -> None:
    (tmp_path / "made.py").write_text(
        "from torch import nn\n"
        "class Needy(nn.Module):\n    def __init__(self, size):\n        super().__init__()\n"
        "class Lazy(nn.Module):\n    def __init__(self):\n        import no_such_package\n"
        "class Wrong(nn.Module):\n    def __init__(self):\n        len(3)\n"
    )
    with pytest.raises(EngineError) as raised:
        loading.load_program(TargetSpec(f"made.py:{name}", str(tmp_path)))
    assert raised.value.problem.remedy.startswith(advice)
