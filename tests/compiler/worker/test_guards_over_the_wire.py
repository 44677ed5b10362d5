"""The guard tester and the costs of guards, asked of a real worker."""

import pytest

from compiler.command_line.worker_client import CommandFailedError, WorkerClient
from compiler.model.capture.capture_spec import CaptureSpec, CompileOptions, TargetSpec
from compiler.model.capture.guards import MeasuredGuards
from compiler.model.guard_testing.guard_tests import GuardChange, GuardTestResult, NewValue, TensorChange
from compiler.model.protocol.messages import MeasureGuards, TestGuards
from tests.compiler.engine.conftest import EXAMPLES
from tests.helpers.worker_capture import capture_by

pytestmark = [pytest.mark.engine, pytest.mark.worker]


@pytest.mark.thorough
def test_testing_and_measuring(worker: WorkerClient) -> None:
    spec = CaptureSpec(
        TargetSpec("lost_branch.py:Branch", str(EXAMPLES)), CompileOptions(backend="aot_eager")
    )
    capture = capture_by(worker, spec)
    assert capture.guards
    same = worker.ask(TestGuards("capture-1", GuardChange()), GuardTestResult)
    assert same.hit == "0/0"
    change = GuardChange((TensorChange("x", (4, 32)),), attributes=(NewValue("self.use_relu", "False"),))
    other = worker.ask(TestGuards("capture-1", change), GuardTestResult)
    assert other.hit == ""
    reasons = [item.reason for item in other.entries[0].failed]
    assert "x: size of dimension 0: expected 16, got 4" in reasons
    assert "L['self'].use_relu == True, but now False" in reasons
    costs = worker.ask(MeasureGuards("capture-1", "0/0"), MeasuredGuards)
    assert costs.total > 0
    with pytest.raises(CommandFailedError, match="no argument"):
        worker.ask(TestGuards("capture-1", GuardChange((TensorChange("nothing", (1,)),))))
