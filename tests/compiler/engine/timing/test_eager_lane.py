"""Operations of a profiled eager step: bytes and lines of what they dispatch, matched from end to end."""

import pytest

from compiler.engine.timing.op_bytes import DispatchedOperation, dispatched_in
from compiler.engine.timing.step_profile import profiled_trace
from compiler.engine.user_program.loading import load_program
from compiler.engine.user_program.stepper import Stepper
from compiler.model.capture.capture_spec import RunOptions, TargetSpec
from compiler.model.timing.step_trace import SpanKind
from tests.compiler.engine.conftest import EXAMPLES

pytestmark = pytest.mark.engine


@pytest.mark.parametrize("target", ["mlp.py:MLP", "conv_bn_relu.py:Net"])
def test_operations_know_their_bytes_and_lines_backward_too(target):
    program = load_program(TargetSpec(target, str(EXAMPLES)))
    trace = profiled_trace(Stepper(program, RunOptions()), program.callable, True, None)
    operations = trace.of_kind(SpanKind.OPERATION)
    (forward,) = trace.of_kind(SpanKind.FORWARD)
    back = [span for span in operations if span.begin >= forward.end]
    assert sum(bool(span.line) for span in operations) >= len(operations) - 2
    assert any(span.line and span.written for span in back)
    assert all(span.path.endswith(target.partition(":")[0]) for span in operations if span.line)


def test_a_linear_layer_reads_its_weight_and_input():
    program = load_program(TargetSpec("mlp.py:MLP", str(EXAMPLES)))
    trace = profiled_trace(Stepper(program, RunOptions()), program.callable, True, None)
    first = trace.of_kind(SpanKind.OPERATION)[0]
    assert first.name == "aten::linear"
    assert (first.read, first.written) == ((128 + 32 * 64 + 64 * 128) * 4, 32 * 128 * 4)


def test_runs_that_differ_are_not_matched():
    ranges = [
        (0, 10, "aten::linear", 1),
        (1, 3, "aten::t", 2),
        (4, 9, "aten::addmm", 2),
        (11, 12, "aten::relu", 1),
    ]
    asked = [DispatchedOperation(name, 1, 1, None) for name in ("aten::t", "aten::addmm", "aten::relu")]
    assert {index: len(found) for index, found in dispatched_in(ranges, asked).items()} == {0: 2, 3: 1}
    assert dispatched_in(ranges, [*asked, DispatchedOperation("aten::mul", 1, 1, None)]) == {}
