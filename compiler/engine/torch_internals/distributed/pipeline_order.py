"""The order of forwards and backwards in a pipeline, by torch's own schedule classes, without a process group.

GIVES: schedules of pipelines.
NEEDS: ``torch.distributed.pipelining.schedules.get_schedule_class``, ``pipeline_order`` of its classes.
"""

import importlib
import types
from typing import Any

from compiler.model.prediction.simulated_step import BACKWARD, FORWARD, Action

GIVES = "schedules of pipelines"
NEEDS = ("torch.distributed.pipelining.schedules:get_schedule_class",)
_PHASES = {"FORWARD": FORWARD, "FULL_BACKWARD": BACKWARD}


def pipeline_order(schedule: str, stages: int, microbatches: int) -> tuple[tuple[Action, ...], ...]:
    """Of every stage. Raises ValueError where torch knows no such schedule, or has no order of it."""
    schedules: Any = importlib.import_module("torch.distributed.pipelining.schedules")
    stage = types.SimpleNamespace(num_stages=stages, group_size=stages, group_rank=0)
    made = schedules.get_schedule_class(schedule)(stage, microbatches)
    order = made.pipeline_order
    if not order or len(order) != stages:
        raise ValueError(f"torch has no order of {schedule} for {stages} stages")
    return tuple(_numbered(order[one], microbatches) for one in range(stages))


def _numbered(actions: list[Any], microbatches: int) -> tuple[Action, ...]:
    """Microbatches by their order: torch numbers the last stage's forwards of 1F1B from 1, in what it prints only."""
    counts = dict.fromkeys(_PHASES.values(), 0)
    found = []
    for action in actions:
        phase = _PHASES.get(action.computation_type.name) if action is not None else None
        if phase is not None:
            found.append(Action(phase, counts[phase]))
            counts[phase] += 1
    if set(counts.values()) != {microbatches}:
        raise ValueError("torch's schedule does not take every microbatch forward and backward")
    return tuple(found)
