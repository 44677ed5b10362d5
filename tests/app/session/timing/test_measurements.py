"""What nodes cost, by the links of the kernels they became; states timed interleaved."""

import pytest

from app.session.facade.session import Session
from compiler.analysis.edits.history_tree import ROOT
from compiler.model.ir.ids import place
from compiler.model.protocol.messages import MeasureMachine, RunTimings, StopTimings, TimeStates
from compiler.model.timing.state_timing import StateTimes
from compiler.model.timing.timings import (
    TimedKernel,
    TimingBatch,
    TimingSettings,
    TimingStarted,
    TimingSummary,
)
from tests.app.session.facade.test_session import REMOVE_Z, TO_GELU
from tests.helpers import sample_capture
from tests.helpers.fake_engine import FakeEngine

EXTERN = TimedKernel(
    "extern_kernels.mm", place(sample_capture.KERNELS, "extern_kernels.mm"), "forward", "extern"
)
FUSED = TimedKernel(
    "cpp_fused_mul_relu_0", place(sample_capture.KERNELS, "cpp_fused_mul_relu_0"), "forward", "cpp"
)


def feed(session: Session, engine: FakeEngine) -> None:
    engine.event_arrived.emit(TimingStarted(session.capture.id, (EXTERN, FUSED), 2))
    engine.event_arrived.emit(TimingBatch(session.capture.id, ((3000, 8000),) * 3, (100_000,) * 3))


def test_a_kernel_of_several_nodes_is_shared_out_and_said_to_be_a_guess(
    open_session: Session, engine: FakeEngine
) -> None:
    costs = open_session.measured.costs
    assert costs.of_stage(sample_capture.KERNELS) == {}
    feed(open_session, engine)
    kernels = costs.of_stage(sample_capture.KERNELS)
    assert kernels["extern_kernels.mm"].nanoseconds == 3000
    assert not kernels["extern_kernels.mm"].guess
    loops = costs.of_stage(sample_capture.LOOPS)
    assert loops["op0"].nanoseconds == 3000
    assert not loops["op0"].guess
    assert (loops["op1"].nanoseconds, loops["op2"].nanoseconds) == (4000, 4000)
    assert loops["op1"].guess
    assert loops["op1"].kernels == (FUSED.place,)
    fused = costs.of_stage(sample_capture.FUSED)
    assert fused["op1_op2"].nanoseconds == 8000
    assert not fused["op1_op2"].guess


def test_costs_of_the_stage_in_front_add_up_to_the_kernels(open_session: Session, engine: FakeEngine) -> None:
    feed(open_session, engine)
    front = open_session.measured.costs.of_stage(sample_capture.POST_GRAD)
    assert front
    assert sum(cost.nanoseconds for cost in front.values()) == pytest.approx(11_000)


def test_costs_tell_when_they_change_but_not_with_every_batch(
    open_session: Session, engine: FakeEngine
) -> None:
    reported: list[None] = []
    open_session.measured.costs.changed.connect(lambda: reported.append(None))
    feed(open_session, engine)
    for _ in range(20):
        engine.event_arrived.emit(TimingBatch("capture-1", ((3000, 8000),), (100_000,)))
    assert 1 <= len(reported) <= 2


def test_the_canvas_is_coloured_by_what_was_timed(open_session: Session, engine: FakeEngine) -> None:
    reported: list[None] = []
    open_session.views.changed.connect(lambda: reported.append(None))
    feed(open_session, engine)
    assert not reported, "nothing is coloured by time"
    assert open_session.views.seconds(sample_capture.LOOPS)["op1"] == pytest.approx(4e-6)
    open_session.views.set_coloring("time")
    reported.clear()
    open_session.timings.clear()
    assert reported


def test_two_states_are_timed_by_turns_and_kept(open_session: Session, engine: FakeEngine) -> None:
    measured, states = open_session.measured, open_session.states
    open_session.make_edit(TO_GELU)
    first = states.tree.current
    states.go_to(ROOT)
    open_session.make_edit(REMOVE_Z)
    second = states.tree.current
    measured.time_states(first, second)
    body = engine.last(TimeStates).body
    assert (body.first, body.second) == ((TO_GELU,), (REMOVE_Z,))
    assert measured.asking == "states"
    summary = TimingSummary(1000.0, 900.0, 1100.0, 50)
    engine.last(TimeStates).reply(StateTimes(summary, summary, summary, None))
    assert measured.asking == ""
    assert measured.state_times(first, second) is not None
    assert measured.state_times(second, first) is None


def test_what_cannot_be_measured_becomes_a_problem(open_session: Session, engine: FakeEngine) -> None:
    open_session.measured.measure_machine()
    engine.last(MeasureMachine).fail("It went wrong.")
    assert open_session.measured.asking == ""
    assert open_session.measured.ceilings is None
    assert open_session.problems[-1].what == "It went wrong."


def test_measuring_the_machine_makes_the_timing_run_wait(open_session: Session, engine: FakeEngine) -> None:
    open_session.timings.start(TimingSettings())
    assert engine.count(RunTimings) == 1
    open_session.measured.measure_machine()
    assert engine.count(StopTimings) == 1
