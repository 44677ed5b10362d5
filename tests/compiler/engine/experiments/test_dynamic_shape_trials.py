"""When torch compiles again as sizes change, with the real torch.compile."""

from pathlib import Path

import pytest
from torch._dynamo import register_backend

from compiler.engine.errors import EngineError
from compiler.engine.verbs.engine import Engine
from compiler.model.capture.capture_spec import CaptureSpec, CompileOptions, RunOptions, TargetSpec
from compiler.model.experiments.dynamic_shape_trial import StancesMeasured, format_call, parse_sizes
from compiler.model.experiments.trials import DimensionTrial

pytestmark = pytest.mark.engine

PROGRAM = """import torch


def f(x):
    return torch.relu(x) * 2


def noisy(x):
    return x + torch.rand_like(x)


class Net(torch.nn.Module):
    def forward(self, x):
        return x * 2


def fixed(x):
    return x.view(4, 4) + 1


def example_inputs():
    return (torch.ones(4, 4),)
"""


def measured(folder: Path, sizes: str, name: str = "f", backend: str = "eager") -> StancesMeasured:
    path = folder / "sized.py"
    path.write_text(PROGRAM)
    spec = CaptureSpec(
        TargetSpec(f"{path}:{name}"), CompileOptions(backend=backend), RunOptions(gradients=False)
    )
    return Engine().measure_stances(spec, parse_sizes(sizes), lambda _text: None)


@pytest.mark.thorough
def test_each_stance_compiles_as_torch_documents(tmp_path: Path):
    result = measured(tmp_path, "x:0=3,4,5")
    happened = {row.way: "".join(call.happened[0] for call in row.calls) for row in result.rows}
    assert happened == {
        'set_stance("default")': "ccr",
        'set_stance("force_eager")': "eee",
        'set_stance("eager_on_recompile") after one call': "cee",
        'set_stance("fail_on_recompile") after one call': "cff",
        'set_stance("eager_then_compile")': "ecr",
        'set_stance("aot_eager_then_compile")': "crr",
        "dynamic=True": "crr",
        "dynamic=False": "ccc",
        "mark_dynamic(x, 0)": "crr",
        "dynamic=False, recompile_limit=2": "cce",
    }
    assert {row.way: row.compiles for row in result.rows}["dynamic=False"] == 3
    failed = next(row for row in result.rows if "fail_on_recompile" in row.way).calls[1]
    assert "Detected recompile" in failed.problem
    assert not any(call.differs for row in result.rows for call in row.calls)


@pytest.mark.thorough
def test_calls_that_compiled_code_gets_wrong_are_reported(tmp_path: Path):
    @register_backend(name="off_by_one")
    def off_by_one(module, inputs):  # type: ignore[no-untyped-def]
        return lambda *args: tuple(value + 1 for value in module(*args))

    rows = {row.way: row for row in measured(tmp_path, "x:0=3,4", backend="off_by_one").rows}
    assert [format_call(call) for call in rows["dynamic=False"].calls] == ["compiled, WRONG"] * 2
    assert rows["dynamic=False"].calls[0].differs == "3, 3, 3, eager gives 2, 2, 2"
    assert [format_call(call) for call in rows['set_stance("force_eager")'].calls] == ["eager"] * 2


def test_what_torch_notes_on_a_module_is_no_difference(tmp_path: Path):
    assert not any(call.differs for row in measured(tmp_path, "x:0=3,4", "Net").rows for call in row.calls)


@pytest.mark.thorough
def test_random_numbers_are_drawn_as_eager_draws_them_and_that_is_said(tmp_path: Path):
    result = measured(tmp_path, "x:0=3,4", "noisy", "inductor")
    assert not any(call.differs for row in result.rows for call in row.calls)
    (note,) = result.notes
    assert "fallback_random=True" in note


@pytest.mark.thorough
def test_without_sizes_the_first_dimension_of_the_first_tensor_is_taken(tmp_path: Path):
    assert measured(tmp_path, "").dimension == DimensionTrial("x", 0, (4, 5, 6, 7))


def test_a_program_of_one_size_says_so(tmp_path: Path):
    with pytest.raises(EngineError, match="cannot be called with other sizes"):
        measured(tmp_path, "x:0=4,5,6", "fixed")


@pytest.mark.parametrize("text", ["x", "x:0", "x=3", ":0=3", "x:0=a,b", "x:y=3"])
def test_what_is_no_series_of_sizes_is_reported(text: str):
    with pytest.raises(ValueError, match="no series of sizes"):
        parse_sizes(text)
