"""The step of a whole pipeline, from the captures of all its stages: each action takes what its moments take on the machine, and
waits for the stage before or after it and for what that sends.
"""

import statistics
from collections.abc import Sequence

import msgspec

from compiler.analysis.prediction.predict import MachineRun, predict_run, run_on, step_of
from compiler.analysis.prediction.step_time import collective_seconds
from compiler.model.capture.capture import Capture
from compiler.model.prediction.machine import Machine
from compiler.model.prediction.parallel_plan import PIPELINE, ParallelPlan
from compiler.model.prediction.predicted_pipeline import PredictedPipeline, PredictedStage, Slot
from compiler.model.prediction.simulated_step import (
    BACKWARD,
    FORWARD,
    Action,
    Sent,
    SimulatedStep,
    StageSchedule,
)


class StageTimes(msgspec.Struct, frozen=True):
    """What is known of a stage by itself."""

    order: tuple[Action, ...]
    seconds: tuple[float, ...]
    """Of each action."""
    optimizer: float


def predict_pipeline(captures: Sequence[Capture], machine: Machine) -> PredictedPipeline:
    """Captures of every stage of one plan, in order. Raises ValueError where they are not that, or have no schedule."""
    steps = [step_of(capture) for capture in captures]
    schedules = [_schedule_of(step) for step in steps]
    plan = captures[0].spec.parallel
    if plan is None or [one.stage for one in schedules] != list(range(len(schedules[0].orders))):
        raise ValueError("A pipeline is predicted from captures of all its stages, in their order")
    runs = [run_on(machine, capture, step) for capture, step in zip(captures, steps, strict=True)]
    stages = [_stage(run, one) for run, one in zip(runs, schedules, strict=True)]
    sent = [one.received for one in schedules[1:]] + [0]
    sending = [_sending(size, plan, machine) for size in sent]
    slots = timeline(stages, sending)
    ends = [row[-1].end + stage.optimizer for row, stage in zip(slots, stages, strict=True)]
    rows = []
    for at, (capture, run, stage, row) in enumerate(zip(captures, runs, stages, slots, strict=True)):
        reported = predict_run(capture, run, machine)
        rows.append(
            PredictedStage(
                at,
                _median(stage, FORWARD),
                _median(stage, BACKWARD),
                stage.optimizer,
                sum(stage.seconds) + stage.optimizer,
                sent[at],
                sending[at],
                schedules[at].in_flight[at],
                reported.memory.peak.total,
                reported.fits,
                row,
            )
        )
    return PredictedPipeline(
        schedules[0].schedule,
        sum(action.phase == FORWARD for action in stages[0].order),
        max(ends),
        tuple(rows),
        machine.host_link_name if _is_inside(plan, machine) else machine.network_link_name,
    )


def _schedule_of(step: SimulatedStep) -> StageSchedule:
    if step.pipeline is None:
        raise ValueError("This stage was captured without a schedule: add --schedule 1f1b --microbatches 8")
    return step.pipeline


def _stage(run: MachineRun, schedule: StageSchedule) -> StageTimes:
    step, ran = run.step, run.spans
    order = schedule.orders[schedule.stage]
    last = next(
        (at for at, moment in enumerate(step.moments) if moment.phase not in (FORWARD, BACKWARD)), len(ran)
    )
    ends, end = [], 0.0
    for begin, after in zip(schedule.begins, (*schedule.begins[1:], last), strict=True):
        end = max([end, *(span.end for span in ran[begin:after])])
        ends.append(end)
    seconds = tuple(now - before for before, now in zip((0.0, *ends), ends, strict=False))
    whole = max((span.end for span in ran), default=0.0)
    return StageTimes(order, seconds, max(whole - end, 0.0))


def timeline(stages: Sequence[StageTimes], sending: Sequence[float]) -> list[tuple[Slot, ...]]:
    """Every stage does its actions in its order, each when what it needs has arrived. Raises ValueError where they wait for each
    other for ever.
    """
    done: dict[tuple[int, Action], float] = {}
    slots: list[list[Slot]] = [[] for _ in stages]
    left = sum(len(stage.order) for stage in stages)
    while left:
        before = left
        for at, stage in enumerate(stages):
            while len(slots[at]) < len(stage.order):
                action = stage.order[len(slots[at])]
                arrived = _arrival(at, action, len(stages), done, sending)
                if arrived is None:
                    break
                begin = max(arrived, slots[at][-1].end if slots[at] else 0.0)
                end = begin + stage.seconds[len(slots[at])]
                slots[at].append(Slot(action, begin, end))
                done[at, action] = end
                left -= 1
        if left == before:
            raise ValueError("The stages of this schedule wait for each other for ever")
    return [tuple(row) for row in slots]


def _arrival(
    at: int, action: Action, stages: int, done: dict[tuple[int, Action], float], sending: Sequence[float]
) -> float | None:
    """When what an action needs is there; None: not yet known."""
    source = at - 1 if action.phase == FORWARD else at + 1
    if not 0 <= source < stages:
        return 0.0 if action.phase == FORWARD else done.get((at, Action(FORWARD, action.microbatch)))
    end = done.get((source, action))
    return end + sending[min(at, source)] if end is not None else None


def _sending(size: int, plan: ParallelPlan, machine: Machine) -> float:
    sent = Sent("send", size, size, 2, PIPELINE, plan.stride(PIPELINE))
    return collective_seconds(sent, machine) if size else 0.0


def _is_inside(plan: ParallelPlan, machine: Machine) -> bool:
    """Whether neighbouring stages are within a host, as `collective_seconds` has it."""
    return 2 * plan.stride(PIPELINE) <= machine.gpus_per_host


def _median(stage: StageTimes, phase: str) -> float:
    return statistics.median(
        seconds for action, seconds in zip(stage.order, stage.seconds, strict=True) if action.phase == phase
    )
