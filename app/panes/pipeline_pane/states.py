"""What became of each stage: captured, changed since the capture before, edited, out of date after an edit, compiled again, or failed."""

from collections.abc import Callable, Collection

from app.translation.texts import tr_noop
from compiler.model.capture.capture import Capture
from compiler.model.ir.diagnostics import Problem, Severity
from compiler.model.ir.ids import StageId
from compiler.model.ir.stage import Stage

CAPTURED = tr_noop("captured")
CHANGED = tr_noop("changed")
EDITED = tr_noop("edited")
STALE = tr_noop("stale")
RECOMPILED = tr_noop("recompiled")
FAILED = tr_noop("failed")
BUILDING = tr_noop("building")
CLEARED = tr_noop("right")
SUSPECTED = tr_noop("suspected")
WRONG = tr_noop("wrong")

SIGN = {
    CAPTURED: "",
    CHANGED: "•",
    EDITED: "●",
    STALE: "○",
    RECOMPILED: "↻",
    FAILED: "✗",
    BUILDING: "…",
    CLEARED: "✓",
    SUSPECTED: "?",
    WRONG: "✗",
}
"""A state in one letter, for a narrow dock."""

MEANING = {
    CAPTURED: tr_noop("As torch.compile made it."),
    CHANGED: tr_noop("New, or not as in the capture before."),
    EDITED: tr_noop("Changed by edits that are not compiled yet."),
    STALE: tr_noop("Made from a stage that has uncompiled edits: recompile to bring it up to date."),
    RECOMPILED: tr_noop("Differs from the capture before: made again from the edited graph."),
    FAILED: tr_noop("Something went wrong here; the problems and the graph breaks say what."),
    CLEARED: tr_noop("Proven right: run op by op from here, the program gives right results."),
    SUSPECTED: tr_noop("The results are wrong, and what makes them so is not excluded here."),
    WRONG: tr_noop("The first stage that is wrong: see the pane Cause."),
    BUILDING: tr_noop("Generated; the compiler builds its kernels now. Nothing of it has run yet."),
}


def stage_states(
    capture: Capture,
    parent: Capture | None,
    is_edited: Callable[[Stage], bool],
    problems: tuple[Problem, ...],
    is_changed: Callable[[StageId], bool] = lambda _stage: False,
    is_building: Callable[[StageId], bool] = lambda _stage: False,
) -> dict[StageId, str]:
    """The state of every stage; the worst news wins. `is_edited`: it has edits that are not compiled yet;
    `is_changed`: it was another one in the capture before; `is_building`: its kernels are being built now.
    """
    failed = {
        problem.place.stage
        for problem in problems
        if problem.severity is Severity.ERROR and problem.place is not None
    }
    failed |= {frame.original for frame in capture.frames if frame.error}
    before = {stage.id: stage for stage in parent.stages} if parent is not None else {}
    states: dict[StageId, str] = {}
    changed: set[StageId] = set()
    """Stages that are not as they were compiled, and all that was made from them."""
    for stage in capture.stages:
        edited = is_edited(stage)
        if edited or not changed.isdisjoint(stage.made_from):
            changed.add(stage.id)
        if stage.id in failed:
            states[stage.id] = FAILED
        elif is_building(stage.id):
            states[stage.id] = BUILDING
        elif stage.id in changed:
            states[stage.id] = EDITED if edited else STALE
        elif parent is not None and before.get(stage.id) != stage:
            states[stage.id] = RECOMPILED
        else:
            states[stage.id] = CHANGED if is_changed(stage.id) else CAPTURED
    return states


def cause_states(
    states: dict[StageId, str], innocent: Collection[StageId], wrong: StageId, searching: bool
) -> dict[StageId, str]:
    """The states while what makes results wrong is looked for, and once it is found: what is proven right, and what is left."""
    if not innocent and not wrong:
        return states
    graphs = {stage.partition(":")[0] for stage in innocent}

    def state(stage: StageId) -> str:
        if stage == wrong:
            return WRONG
        if stage in innocent:
            return CLEARED
        return SUSPECTED if searching and stage.partition(":")[0] in graphs else states[stage]

    return {stage: state(stage) for stage in states}
