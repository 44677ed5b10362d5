"""Every value of a step: where the first NaN and infinity come from, in forward and backward, and what compiled code made."""

from pathlib import Path

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from compiler.command_line.reports.value_reports import values_report
from compiler.engine.capture.capture import make_capture
from compiler.engine.recompile.edited_program import EditedProgram
from compiler.engine.verdicts.node_values import measure_values, summary
from compiler.model.capture.capture_spec import CaptureSpec, RunOptions, TargetSpec
from compiler.model.experiments.node_values import NodeValue, ValuesMeasured
from tests.helpers.thoroughness import examples

pytestmark = pytest.mark.engine
FOLDER = Path(__file__).parents[3] / "data"


def _program(name: str, inputs: str, grows: bool = True) -> EditedProgram:
    spec = CaptureSpec(
        TargetSpec(f"nan_programs.py:{name}", str(FOLDER), inputs), run=RunOptions(grows, gradients=grows)
    )
    return EditedProgram(make_capture(spec, "capture-1", lambda text: None))


def _line(text: str) -> int:
    lines = (FOLDER / "nan_programs.py").read_text().split("\n")
    return next(number for number, line in enumerate(lines, 1) if text in line)


@pytest.fixture(scope="module")
def logarithm() -> tuple[EditedProgram, ValuesMeasured]:
    program = _program("Logarithm", "torch.linspace(-2, 2, 128).reshape(16, 8)")
    return program, measure_values(program, ())


@pytest.mark.thorough
def test_the_first_nan_and_infinity_are_named_with_their_lines(
    logarithm: tuple[EditedProgram, ValuesMeasured],
) -> None:
    program, found = logarithm
    infinite, nan = found.first(nan=False), found.first(nan=True)
    graph = program.base.capture.stage(infinite.stage).graph
    assert "log" in graph.node(infinite.node).target
    assert "mul" in graph.node(nan.node).target
    assert nan.value.nans == infinite.value.infinities > 0
    reported = values_report(found, program.base.capture, everything=False)
    assert f"The first NaN comes from {nan.node}" in reported
    assert f"nan_programs.py:{_line('held = scores')}" in reported
    assert f"nan_programs.py:{_line('torch.log')}" in reported
    assert {row.stage.split(":")[1] for row in found.rows} == {"forward", "backward"}


@pytest.mark.thorough
def test_compiled_buffers_agree_about_what_is_finite(logarithm: tuple[EditedProgram, ValuesMeasured]) -> None:
    _, found = logarithm
    compared = [row for row in found.rows if row.compiled is not None]
    assert compared
    for row in compared:
        assert row.compiled.finite == row.value.finite, row
        assert row.compiled.elements == row.value.elements


@pytest.mark.thorough
def test_a_gradient_that_is_no_number_is_found_in_the_backward() -> None:
    found = measure_values(_program("Backwards", "torch.zeros(4, requires_grad=True)"), ())
    first = found.first(nan=False) or found.first(nan=True)
    assert "backward" in first.stage
    assert all(row.value.finite for row in found.rows if "forward" in row.stage)


def test_overflow_of_half_precision_is_counted_and_finite() -> None:
    program = _program("Large", "torch.randn(4, 4)", grows=False)
    found = measure_values(program, ())
    assert found.first(nan=True) is found.first(nan=False) is None
    assert any(row.value.beyond_half == 16 for row in found.rows)
    reported = values_report(found, program.base.capture, everything=False)
    assert reported.startswith("All finite")
    assert "beyond what float16 can hold" in reported


@pytest.mark.thorough
def test_infinities_of_a_mask_are_meant() -> None:
    program = _program("Masked", "torch.tensor([[-1.0, 2.0, -3.0, 1.0]])", grows=False)
    found = measure_values(program, ())
    assert any(row.value.infinities for row in found.rows)
    assert found.first(nan=False) is None
    reported = values_report(found, program.base.capture, everything=False)
    assert reported.startswith("No NaN; infinities come from constants only")


@pytest.mark.thorough
def test_compiled_code_that_is_otherwise_is_marked(logarithm: tuple[EditedProgram, ValuesMeasured]) -> None:
    program, found = logarithm
    fine = next(row for row in found.rows if row.value.finite)
    planted = NodeValue(fine.stage, fine.node, fine.value, summary(torch.tensor([float("nan"), 1.0])))
    reported = values_report(ValuesMeasured((planted,)), program.base.capture, everything=False)
    assert "compiled: 1 NaN, 0 inf" in reported


@pytest.mark.thorough
@settings(deadline=None, max_examples=examples(60))
@given(st.lists(st.floats(width=32), max_size=20))
def test_a_summary_counts_what_is_there(values: list[float]) -> None:
    reported = summary(torch.tensor(values, dtype=torch.float32))
    finite = [value for value in values if value == value and abs(value) != float("inf")]
    assert reported.elements == len(values)
    assert reported.nans == sum(value != value for value in values)
    assert reported.infinities == sum(abs(value) == float("inf") for value in values)
    assert reported.zeros == sum(value == 0 for value in values)
    assert (reported.least, reported.most) == ((min(finite), max(finite)) if finite else (None, None))
    assert reported.subnormals == sum(0 < abs(value) < torch.finfo(torch.float32).tiny for value in finite)
    assert reported.beyond_half == sum(abs(value) > 65504 for value in finite)


_DROPS_PATHS = """
import torch

class Net(torch.nn.Module):
    def forward(self, x):
        kept = x.new_empty((x.shape[0], 1)).bernoulli_(0.5)
        return x * kept

def example_inputs():
    return (torch.ones(4, 3),)
"""


@pytest.mark.thorough
def test_memory_that_nothing_was_written_to_has_no_values(tmp_path: Path) -> None:
    """A NaN may stand in it: drop path makes its mask so."""
    (tmp_path / "drops.py").write_text(_DROPS_PATHS)
    spec = CaptureSpec(TargetSpec("drops.py:Net", str(tmp_path)))
    found = measure_values(EditedProgram(make_capture(spec, "capture-1", lambda text: None)), ())
    names = [row.node for row in found.rows]
    assert any(name.startswith("bernoulli") for name in names)
    assert not any(name.startswith(("empty", "new_empty")) for name in names)


@pytest.mark.parametrize(
    "tensor",
    [
        torch.zeros(0),
        torch.tensor([True, False]),
        torch.tensor([1 + 2j]),
        torch.tensor([1 + 2j]).conj(),
        torch.tensor([1 + 2j]).conj().imag,
        torch.eye(3).to_sparse(),
        torch.ones(3).to(torch.float8_e4m3fn),
        torch.tensor(3),
    ],
)
def test_any_tensor_can_be_summed_up(tensor: torch.Tensor) -> None:
    reported = summary(tensor)
    assert reported.finite
    assert reported.dtype == str(tensor.dtype).removeprefix("torch.")


@pytest.mark.filterwarnings("ignore:Sparse CSR:UserWarning", "ignore:torch.quantize:UserWarning")
def test_layouts_and_quantized_numbers_are_summed_up_as_dense_ones() -> None:
    assert summary(torch.eye(3).to_sparse_csr()) == summary(torch.eye(3))
    assert summary(torch.quantize_per_tensor(torch.ones(3), 0.5, 0, torch.quint8)).most == 1.0
