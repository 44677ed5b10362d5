"""An argument is found by the name that the program's frame has for it, also in what ``*args`` and ``**kwargs`` take."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from compiler.engine.errors import EngineError
from compiler.engine.front_ends.export.exported import capture_dynamic
from compiler.engine.front_ends.interface.editable_graphs import GraphHolder
from compiler.engine.front_ends.torchscript.traced import example_of
from compiler.engine.user_program.input_overrides import argument_at, frame_arguments, with_argument
from compiler.engine.user_program.input_resizing import resized
from compiler.engine.user_program.loading import argument_names, arguments_by_parameter, leaf_names
from compiler.engine.user_program.program import Program
from compiler.model.capture.capture_spec import CaptureSpec, TargetSpec

pytestmark = pytest.mark.engine


class Net(torch.nn.Module):
    """Takes what it is given under three kinds of name."""

    def forward(self, first: torch.Tensor, *rest: Any, **more: Any) -> torch.Tensor:
        """Their sum."""
        return first + sum(part["x"] if isinstance(part, dict) else part for part in rest) + more["scale"]


class Parts(torch.nn.Module):
    """Takes whatever it is given."""

    def forward(self, *parts: torch.Tensor) -> torch.Tensor:
        """Their sum."""
        return torch.relu(parts[0]) + parts[-1]


def _program(function: Callable[..., Any], *args: Any, **kwargs: Any) -> Program:
    return Program("module", function, args, kwargs, __file__)


def _net() -> Program:
    return _program(Net(), torch.ones(4, 2), torch.ones(4, 2), {"x": torch.zeros(4, 2)}, scale=torch.ones(2))


def test_names_are_those_of_the_frame() -> None:
    """So what the guards pane proposes for the frame's `rest[1]['x']` is found."""
    program = _net()
    assert argument_names(program) == ["first", "rest[0]", "rest[1]"]
    assert leaf_names(program) == ["first", "rest[0]", "rest[1]['x']", "scale"]
    frame = arguments_by_parameter(program, program.args, program.kwargs)
    for item in frame_arguments(frame):
        assert list(argument_at(program, item.name).shape) == list(item.shape)
    assert argument_at(program, "more['scale']") is argument_at(program, "scale") is program.kwargs["scale"]


@pytest.mark.parametrize("name", ["rest", "rest[2]", "rest['x']", "more['y']", "nothing", "first.x", "3"])
def test_what_is_not_there_is_not_found(name: str) -> None:
    with pytest.raises(LookupError):
        argument_at(_net(), name)


def test_one_argument_is_resized_and_no_other() -> None:
    args, kwargs = resized(_net(), "rest[1]['x']", 0, 7)
    assert [tuple(value.shape) for value in (args[0], args[1], args[2]["x"])] == [(4, 2), (4, 2), (7, 2)]
    args, kwargs = resized(_net(), "more['scale']", 0, 5)
    assert tuple(kwargs["scale"].shape) == (5,)
    with pytest.raises(EngineError, match="has no dimension 0"):
        resized(_net(), "rest[5]", 0, 7)


def test_positions_name_what_has_no_parameters() -> None:
    program = _program(torch.add, torch.ones(3), torch.ones(3))
    assert argument_names(program) == ["0", "1"]
    args, _ = resized(program, "1", 0, 1)
    assert [tuple(value.shape) for value in args] == [(3,), (1,)]


@given(st.integers(0, 3), st.lists(st.sampled_from(["u", "v", "w"]), unique=True))
def test_what_is_put_there_is_found_there(count: int, keys: list[str]) -> None:
    program = _program(Net(), *range(1 + count), **{key: [key, key] for key in keys})
    for name in [*argument_names(program), *keys, *(f"more[{key!r}]" for key in keys)]:
        args, kwargs = with_argument(program, name, "new")
        other = _program(Net(), *args, **kwargs)
        assert argument_at(other, name) == "new"
        before, after = [*program.args, *program.kwargs.values()], [*args, *kwargs.values()]
        assert sum(one != two for one, two in zip(before, after, strict=True)) == 1


def test_export_takes_sizes_of_any_number_of_arguments(tmp_path: Path) -> None:
    """torch refused what we gave it, and the program was told not to be one that torch.export takes."""
    program = _program(Parts(), torch.ones(4, 2), torch.ones(4, 2))
    spec = CaptureSpec(TargetSpec("parts.py:Parts", str(tmp_path)))
    result = capture_dynamic(program, spec, GraphHolder())
    assert result.call(torch.ones(6, 3), torch.ones(6, 3)).shape == (6, 3)


def test_what_cannot_be_given_to_a_trace_is_said_so() -> None:
    """It was told as a NameError of a parameter that the program has."""
    with pytest.raises(EngineError, match=r"by position or by name.*\*rest has no names"):
        example_of(_net())
    assert example_of(_program(Parts(), 1, 2)) == {"example_inputs": (1, 2)}
