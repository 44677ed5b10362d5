"""A function that makes a module is no program by itself: the module is."""

from pathlib import Path

import pytest
import torch

from compiler.engine.errors import EngineError
from compiler.engine.user_program.loading import load_program
from compiler.model.capture.capture_spec import TargetSpec

_TEXT = """\
import torch

def annotated(width: int = 2) -> torch.nn.Linear:
    return torch.nn.Linear(width, width)

def plain():
    return torch.nn.ReLU()

def number():
    return 3

def calls_back(x=None):
    return torch.nn.ReLU() if x is None else x.sin()

def failing(*, strict=True):
    raise ValueError("nothing here")

def lacking():
    import a_package_that_is_not_here

def example_inputs():
    return (torch.ones(2),)
"""


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("annotated", "module function"),
        ("plain", "module function"),
        ("number", "function"),
        ("calls_back", "function"),
        ("failing", "function"),
    ],
)
def test_what_it_makes_is_the_program(tmp_path: Path, name: str, kind: str) -> None:
    (tmp_path / "makers.py").write_text(_TEXT)
    program = load_program(TargetSpec(f"makers.py:{name}", str(tmp_path)))
    assert program.kind == kind
    assert isinstance(program.callable, torch.nn.Module) is (kind == "module function")


def test_why_it_makes_none_is_reported(tmp_path: Path) -> None:
    """Not that it takes no arguments: an import in it that failed was lost."""
    (tmp_path / "makers.py").write_text(_TEXT)
    with pytest.raises(EngineError, match=r"Could not make lacking\(\): .*a_package_that_is_not_here"):
        load_program(TargetSpec("makers.py:lacking", str(tmp_path)))


def test_of_a_package_with_inputs_that_are_written(tmp_path: Path) -> None:
    (tmp_path / "makers.py").write_text(_TEXT)
    program = load_program(TargetSpec("makers:annotated", str(tmp_path), inputs="torch.ones(1, 2)"))
    assert program.module is not None
    assert program.callable(*program.args).shape == (1, 2)


@pytest.mark.parametrize(
    ("target", "remedy"),
    [
        ("makers.py:anotated", "Did you mean annotated?"),
        ("makers.py:Net", "The file has annotated, plain, number, calls_back, failing, lacking."),
        ("gathered:anotated", "Did you mean annotated?"),
        ("gathered:Net", "It defines nothing itself that can be called; it takes in 2 names that can."),
    ],
)
def test_a_name_that_is_not_there_is_reported_with_what_may_be_meant(
    tmp_path: Path, target: str, remedy: str
) -> None:
    """A package that takes in what its files define, as torchvision.models does, was told to have nothing."""
    (tmp_path / "makers.py").write_text(_TEXT)
    (tmp_path / "gathered.py").write_text("from makers import annotated, plain\n")
    with pytest.raises(EngineError) as raised:
        load_program(TargetSpec(target, str(tmp_path), inputs="torch.ones(1, 2)"))
    assert raised.value.problem.remedy == remedy
