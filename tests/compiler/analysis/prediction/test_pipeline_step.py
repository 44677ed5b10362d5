"""When the stages of a pipeline do what: against the bubble that the papers give for equal stages, and by hand for unequal ones."""

import itertools

import pytest

from compiler.analysis.prediction.pipeline_step import StageTimes, timeline
from compiler.engine.torch_internals.distributed.pipeline_order import pipeline_order
from compiler.model.prediction.simulated_step import BACKWARD, FORWARD, Action

pytestmark = pytest.mark.engine


def stages(
    schedule: str, forwards: tuple[float, ...], microbatches: int, backward: float = 2.0
) -> list[StageTimes]:
    orders = pipeline_order(schedule, len(forwards), microbatches)
    return [
        StageTimes(
            order,
            tuple(
                forward if action.phase == FORWARD else backward * forward for action in order
            ),
            0.0,
        )
        for order, forward in zip(orders, forwards, strict=True)
    ]  # fmt: skip


@pytest.mark.parametrize("schedule", ["gpipe", "1f1b"])
@pytest.mark.parametrize(("ranks", "microbatches"), [(2, 2), (4, 4), (4, 8), (3, 7)])
def test_equal_stages_have_the_bubble_of_the_papers(schedule: str, ranks: int, microbatches: int):
    """(p − 1) / (m + p − 1) of the time: Huang et al. 2019, Narayanan et al. 2021."""
    ran = timeline(stages(schedule, (1.0,) * ranks, microbatches), [0.0] * ranks)
    whole = max(row[-1].end for row in ran)
    assert whole == pytest.approx(3 * (microbatches + ranks - 1))


def test_the_slowest_stage_sets_the_pace():
    ran = timeline(stages("1f1b", (1.0, 3.0, 1.0), 12), [0.0] * 3)
    whole = max(row[-1].end for row in ran)
    assert 12 * 9 <= whole <= 12 * 9 + 2 * 3, "all others wait for it, but at begin and end"


def test_what_is_sent_takes_its_time():
    """Two stages, one microbatch: forward, there, forward, backward, back, backward."""
    ran = timeline(stages("gpipe", (1.0, 1.0), 1), [0.5, 0.0])
    assert [(slot.begin, slot.end) for slot in ran[1]] == [(1.5, 2.5), (2.5, 4.5)]
    assert (ran[0][1].begin, ran[0][1].end) == (5.0, 7.0)


def test_no_stage_begins_before_what_it_needs():
    made = timeline(stages("1f1b", (1.0, 1.5, 0.5, 2.0), 9), [0.1, 0.2, 0.3, 0.0])
    ends = [{slot.action: slot.end for slot in row} for row in made]
    for at, row in enumerate(made):
        for slot in row:
            if slot.action.phase == FORWARD and at:
                assert slot.begin >= ends[at - 1][slot.action]
            if slot.action.phase == BACKWARD:
                assert slot.begin >= ends[at][Action(FORWARD, slot.action.microbatch)]
                assert at == 3 or slot.begin >= ends[at + 1][slot.action]
        assert all(before.end <= after.begin for before, after in itertools.pairwise(row))


def test_an_order_that_cannot_be_is_reported():
    order = (Action(BACKWARD, 0), Action(FORWARD, 0))
    with pytest.raises(ValueError, match="for ever"):
        timeline([StageTimes(order, (1.0, 1.0), 0.0)], [0.0])


def test_orders_are_torchs():
    for stage, order in enumerate(pipeline_order("1f1b", 4, 6)):
        forwards = [action.phase for action in order].index(BACKWARD)
        assert forwards == 4 - stage, "as many before the first backward as stages come after it, and its own"
    assert all(
        order[:6] == tuple(Action(FORWARD, one) for one in range(6))
        for order in pipeline_order("gpipe", 2, 6)
    )
    with pytest.raises(ValueError, match="Unknown schedule"):
        pipeline_order("none such", 2, 2)
