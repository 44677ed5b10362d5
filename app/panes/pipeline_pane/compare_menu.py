"""The menu of a stage: what it can be laid beside."""

from PySide6.QtWidgets import QMenu

from app.session.comparison.sides import Side
from app.session.facade.session import Session
from app.translation.texts import tr
from compiler.model.capture.capture import Capture
from compiler.model.ir.ids import StageId
from compiler.model.ir.stage import Stage

_MOST = 8


def fill_menu(menu: QMenu, session: Session, stage_id: StageId) -> None:
    """Of a stage of the capture shown."""
    comparison, capture = session.comparison, session.capture
    menu.addAction(tr("Show")).triggered.connect(lambda: session.show_stage(stage_id))
    menu.addAction(tr("Compare with…")).triggered.connect(lambda: comparison.show_stage(stage_id))
    if capture is None:
        return
    after = Side(capture.id, stage_id)
    others = menu.addMenu(tr("Compare with"))
    for title, before in _others(session, capture, after):
        others.addAction(title).triggered.connect(
            lambda _checked=False, before=before: comparison.show(before, after)
        )
    others.menuAction().setVisible(not others.isEmpty())


def _others(session: Session, capture: Capture, after: Side) -> list[tuple[str, Side]]:
    """What it was made from, other compiles of it, and the same stage of other captures."""
    choices = session.comparison.choices
    by_id = {stage.id: stage for stage in capture.stages}
    stage = by_id[after.stage]
    found = [
        (tr("{title}, which it was made from").format(title=by_id[name].title), Side(capture.id, name))
        for name in stage.made_from
        if name in by_id
    ]
    if choices.replay(after) is not None:
        found.append((tr("Itself before its first pass"), Side(capture.id, stage.id, 0)))
    same_kind = [other for other in capture.stages if _is_same_kind(other, stage)]
    found += [
        (f"{other.compile_id} {other.title}", Side(capture.id, other.id)) for other in same_kind[:_MOST]
    ]
    for source in choices.sources():
        side = Side(source.id, stage.id)
        if source.id != capture.id and choices.stage(side) is not None:
            found.append((source.title, side))
    return found


def _is_same_kind(other: Stage, stage: Stage) -> bool:
    """The same stage of another compile."""
    return (
        other.id != stage.id
        and bool(stage.compile_id)
        and (other.kind, other.part) == (stage.kind, stage.part)
    )
