"""The time of a step of which every figure is known."""

import msgspec
import pytest

from compiler.analysis.prediction.equal_layers import equal_layers
from compiler.analysis.prediction.moment_work import MomentWork, layer_of
from compiler.analysis.prediction.step_time import collective_seconds, predicted_time, spans
from compiler.model.prediction.machine import TF32, Machine
from compiler.model.prediction.predicted_step import COMPUTE, LAUNCH, MEMORY, NETWORK, PredictedTime
from compiler.model.prediction.simulated_step import (
    BACKWARD,
    COLLECTIVE,
    FORWARD,
    KERNEL,
    OPERATION,
    OPTIMIZER,
    Moment,
    Sent,
    SimulatedStep,
)

MACHINE = Machine("test", "Test", 100, 1e9, 1e12, 1e12, 1e12, 4, 1e8, "link", 1e7, "network", "made up")
"""1 GB/s of memory, 1 TFLOP/s, 100 MB/s within a host of 4, 10 MB/s between hosts; nothing else takes time."""
SECOND_OF_MEMORY, SECOND_OF_COMPUTE = 10**9, 10**12


def kernel(stream: int = 0, *after: int) -> Moment:
    return Moment(KERNEL, 0, "k", FORWARD, stream=stream, after=after)


def sending(stream: int, *after: int) -> Moment:
    sent = Sent("all_gather", 50_000_000, 100_000_000, 2, "dp")
    return Moment(COLLECTIVE, 0, "c", FORWARD, stream=stream, after=after, sent=sent)


def _predicted(step: SimulatedStep, works: tuple[MomentWork, ...], machine: Machine) -> PredictedTime:
    return predicted_time(step, works, spans(step, works, machine), machine)


def test_the_nearest_ceiling_counts():
    step = SimulatedStep((kernel(), kernel()))
    works = (MomentWork("a", SECOND_OF_MEMORY, 0), MomentWork("b", 1, 2 * SECOND_OF_COMPUTE))
    reported = _predicted(step, works, MACHINE)
    assert reported.seconds == pytest.approx(3.0)
    assert [row.bound for row in reported.layers] == [MEMORY, COMPUTE]


def test_what_is_sent_beside_computing_is_hidden():
    """0.5 s of sending begins at once; the third kernel waits for it, and it is over by then."""
    step = SimulatedStep((sending(1), kernel(), kernel(0, 0)))
    works = (MomentWork("a"), MomentWork("a", SECOND_OF_MEMORY, 0), MomentWork("a", SECOND_OF_MEMORY, 0))
    reported = _predicted(step, works, MACHINE)
    assert reported.seconds == pytest.approx(2.0)
    assert reported.sending == pytest.approx(0.5)
    assert reported.exposed == pytest.approx(0.0)


def test_what_waits_for_a_collective_is_bound_by_the_network():
    step = SimulatedStep((sending(1), kernel(0, 0)))
    works = (MomentWork("a"), MomentWork("a", SECOND_OF_MEMORY // 10, 0))
    reported = _predicted(step, works, MACHINE)
    assert reported.seconds == pytest.approx(0.6)
    assert reported.exposed == pytest.approx(0.5)
    assert reported.layers[0].bound == NETWORK


def test_a_host_that_cannot_keep_up_is_reported():
    slow = msgspec.structs.replace(MACHINE, launch_seconds=1.0)
    step = SimulatedStep((kernel(), kernel()))
    reported = _predicted(step, (MomentWork("a", 1, 0), MomentWork("a", 1, 0)), slow)
    assert reported.seconds == pytest.approx(2.0, abs=1e-6)
    assert reported.idle == pytest.approx(2.0, abs=1e-6)
    assert reported.layers[0].bound == LAUNCH


def test_how_long_a_step_takes_where_the_host_is_slow_is_reported_with_it():
    machine = msgspec.structs.replace(MACHINE, launch_seconds=1.0, graph_seconds=0.5, host_slower=3.0)
    step = SimulatedStep((msgspec.structs.replace(kernel(), wrapper="w"), kernel()))
    works = (MomentWork("a", 1, 0), MomentWork("a", 1, 0))
    reported = _predicted(step, works, machine)
    assert (reported.seconds, reported.slower, reported.slowest) == pytest.approx((2.5, 3.0, 7.5), abs=1e-6)
    assert reported.depends_on_host
    busy = _predicted(step, (MomentWork("a", 10**11, 0),) * 2, machine)
    assert busy.seconds > 100
    assert not busy.depends_on_host, "the GPU is what a step waits for"
    assert _predicted(step, works, MACHINE).slowest == _predicted(step, works, MACHINE).seconds


def test_what_is_launched_takes_the_host_its_own_time():
    host = msgspec.structs.replace(
        MACHINE,
        launch_seconds=1.0,
        backward_launch_seconds=2.0,
        operation_seconds=4.0,
        dtensor_seconds=8.0,
        tensor_seconds=16.0,
        collective_seconds=32.0,
        sharded_seconds=64.0,
        parameter_seconds=128.0,
    )
    sent = Sent("all_gather", 1, 2, 2, "dp")
    moments = (
        (Moment(KERNEL, 0, "k", FORWARD), 1),
        (Moment(KERNEL, 0, "k", BACKWARD), 2),
        (Moment(OPERATION, 0, "aten.mul_", OPTIMIZER, tensors=3), 4),
        (Moment(OPERATION, 0, "aten.mul_", OPTIMIZER, tensors=3, distributed=True), 8 + 2 * 16),
        (Moment(COLLECTIVE, 0, "_c10d_functional.all_gather_into_tensor", FORWARD, sent=sent), 32),
        (Moment(COLLECTIVE, 0, "c10d._allgather_base_", FORWARD, sent=sent), 4),
        (Moment(OPERATION, 0, "fsdp.split_with_sizes_copy", FORWARD, tensors=2), 4 + 64 + 2 * 128),
        (Moment(OPERATION, 0, "fsdp.chunk_cat", BACKWARD, tensors=1), 4 + 64 + 128),
    )
    for moment, seconds in moments:
        (span,) = spans(SimulatedStep((moment,)), (MomentWork("a"),), host)
        assert span.issued == seconds, moment.name
    (plain,) = spans(SimulatedStep((moments[1][0],)), (MomentWork("a"),), msgspec.structs.replace(host, backward_launch_seconds=0.0))  # fmt: skip
    assert plain.issued == 1.0, "a machine of which less is known"


def test_a_ring_takes_what_its_slowest_link_allows():
    def gather(ranks: int, stride: int) -> Sent:
        return Sent("all_gather", 10**6, 10**6 * ranks, ranks, "g", stride)

    assert collective_seconds(gather(4, 1), MACHINE) == pytest.approx(3 * 10**6 / 1e8)
    assert collective_seconds(gather(4, 4), MACHINE) == pytest.approx(3 * 10**6 / 1e7), "over four hosts"
    reduce = Sent("all_reduce", 4 * 10**6, 4 * 10**6, 4, "g")
    assert collective_seconds(reduce, MACHINE) == pytest.approx(2 * 3 * 10**6 / 1e8)
    assert collective_seconds(Sent("all_reduce", 1, 1, 1, "g"), MACHINE) == 0.0


def test_a_moment_never_begins_before_what_it_waits_for():
    step = SimulatedStep((kernel(), sending(1, 0), kernel(0, 1)))
    rows = spans(step, (MomentWork("a", SECOND_OF_MEMORY, 0),) * 3, MACHINE)
    assert rows[1].begin == pytest.approx(rows[0].end)
    assert rows[2].begin == pytest.approx(rows[1].end)


def test_the_host_waits_for_a_value():
    """It launches in half a second; a value takes one, and what comes after is launched when it is there."""
    host = msgspec.structs.replace(MACHINE, operation_seconds=0.5)
    asks = Moment(OPERATION, 0, "aten._local_scalar_dense", FORWARD, waits=True)
    after = Moment(OPERATION, 0, "aten.add.Tensor", FORWARD)
    works = (MomentWork("a", SECOND_OF_MEMORY, 0), MomentWork("a", SECOND_OF_MEMORY, 0))
    rows = spans(SimulatedStep((asks, after)), works, host)
    assert [row.end for row in rows] == pytest.approx([1.5, 3.0])
    assert [row.issued for row in rows] == pytest.approx([0.5, 2.0])
    ahead = spans(SimulatedStep((msgspec.structs.replace(asks, waits=False), after)), works, host)
    assert [row.end for row in ahead] == pytest.approx([1.5, 2.5])


def test_float32_that_may_be_computed_in_tf32_is():
    machine = msgspec.structs.replace(MACHINE, flops_tf32=4e12)
    reported = _predicted(SimulatedStep((kernel(),)), (MomentWork("a", 1, SECOND_OF_COMPUTE, TF32),), machine)
    assert reported.seconds == pytest.approx(0.25)


def test_layers_by_their_paths():
    assert layer_of("model.layers.3.mlp.up_proj") == "model.layers.3"
    assert layer_of("3.linear") == "3"
    assert layer_of("lm_head") == "lm_head"


def test_equal_layers_are_one_row():
    step = SimulatedStep(tuple(kernel() for _ in range(5)))
    works = tuple(MomentWork(f"layers.{index}", SECOND_OF_MEMORY, 0) for index in range(4))
    reported = _predicted(step, (*works, MomentWork("layers.4", 2 * SECOND_OF_MEMORY, 0)), MACHINE)
    rows = equal_layers(reported.layers)
    assert [(name, count) for name, _, count in rows] == [("layers.0–3 ×4", 4), ("layers.4", 1)]
