"""What a running program compiled after its graphs were edited, put beside them."""

import msgspec

from compiler.model.capture.capture import Capture
from compiler.model.edits.edits import Edit, stages_of
from compiler.model.ir.ids import StageId
from compiler.model.ir.stage import Stage


def with_later_compiles(edited: Capture, run: Capture, edits: tuple[Edit, ...]) -> Capture:
    """Everything that the run compiled so far, its edited graphs as the edits left them."""
    known = {stage.id: stage.compile_id for stage in (*run.stages, *edited.stages)}
    names = {known.get(stage, "") for edit in edits for stage in stages_of(edit)} - {""}

    def is_edited(stage: StageId) -> bool:
        return known.get(stage, "") in names

    stages: list[Stage] = []
    placed: set[str] = set()
    for stage in run.stages:
        if stage.compile_id not in names:
            stages.append(stage)
        elif stage.compile_id not in placed:
            placed.add(stage.compile_id)
            stages += [row for row in edited.stages if row.compile_id == stage.compile_id]
    return msgspec.structs.replace(
        run,
        id=edited.id,
        parent=edited.parent,
        stages=tuple(stages),
        links=(
            *(row for row in run.links if not is_edited(row.target)),
            *(row for row in edited.links if is_edited(row.target)),
        ),
        seconds=edited.seconds,
        problems=edited.problems,
        passes=(
            *(row for row in run.passes if not is_edited(row.stage)),
            *(row for row in edited.passes if is_edited(row.stage)),
        ),
        pass_starts=(
            *(row for row in run.pass_starts if not is_edited(row.stage)),
            *(row for row in edited.pass_starts if is_edited(row.stage)),
        ),
        fusions=(
            *(row for row in run.fusions if not is_edited(row.stage)),
            *(row for row in edited.fusions if is_edited(row.stage)),
        ),
        phases=edited.phases,
        run=None,
    )
