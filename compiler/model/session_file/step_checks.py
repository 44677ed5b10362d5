"""Whether a step on fakes holds together: moments wait for earlier ones, memory is of a known kind and within the step."""

from compiler.model.prediction.simulated_step import KINDS, SimulatedStep


def step_fault(step: SimulatedStep) -> str:
    """What contradicts itself, in words; empty where nothing does."""
    before = 0
    for index, moment in enumerate(step.moments):
        if not all(0 <= earlier < index for earlier in moment.after):
            return f"moment {index} of the step on fakes waits for one that is not before it"
        if not before < moment.at < max(step.length, 1):
            return f"moment {index} of the step on fakes is at no place of it"
        before = moment.at
    for held in step.memory:
        if held.kind not in KINDS or held.bytes < 0:
            return f"memory of the step on fakes is of an unknown kind ({held.kind[:40]!r})"
        if not -1 <= held.begin <= held.end <= step.length:
            return "memory of the step on fakes is released before it is allocated"
    pipeline = step.pipeline
    if pipeline is not None:
        if not 0 <= pipeline.stage < len(pipeline.orders):
            return "the step on fakes is of a stage that there is not"
        if len(pipeline.begins) != len(pipeline.orders[pipeline.stage]) or any(
            not 0 <= begin <= len(step.moments) for begin in pipeline.begins
        ):
            return "the stage's schedule does not fit the step on fakes"
    return ""
