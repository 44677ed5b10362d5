"""What the passes of one stage did to some nodes, in words."""

from collections.abc import Iterable, Iterator

from compiler.analysis.passes.events import HistoryEvent
from compiler.model.capture.counted import first_of
from compiler.model.ir.graph import Node
from compiler.model.ir.ids import NodeId, place
from compiler.model.ir.passes import LINES, OTHER_CHANGES
from compiler.model.passes.pass_replay import Replay, ReplayStep

_MOST_NAMED = 4


def pass_events(replay: Replay, nodes: Iterable[NodeId], at: int) -> Iterator[HistoryEvent]:
    """What passes did to nodes that stand there after `at` of them: before that, what led to them and no brothers of
    it; after that, what became of them.
    """
    leading = _leading_to(replay, set(nodes), at)
    here = leading[0]
    untouched = 0
    for position, step in enumerate(replay.steps, 1):
        became = dict(step.became)
        removed = [node for node in step.removed if node in here]
        followed = {new for old in removed for new in became.get(old, ())}
        if position <= at:
            followed &= leading[position]
        lead = leading[position] if position <= at else followed
        made = [node for node in step.made if node in lead]
        touched = bool(removed or made or not here.isdisjoint(step.changed))
        if untouched and (touched or position == at + 1):
            yield _event(replay, position - 1, "survived", _untouched(untouched, step), *here)
            untouched = 0
        if touched:
            changed = [node for node in step.changed if node in here]
            yield from _done(replay, position, removed, made, changed)
            here = (here - set(removed)) | followed | set(made)
        else:
            untouched += bool(here)
    if untouched:
        yield _event(replay, len(replay.steps), "survived", _untouched(untouched, replay.steps[-1]), *here)


def _done(
    replay: Replay, position: int, removed: list[NodeId], made: list[NodeId], changed: list[NodeId]
) -> Iterator[HistoryEvent]:
    """What one pass did to nodes that are followed."""
    step = replay.steps[position - 1]
    became, stands_for = dict(step.became), dict(step.stands_for)
    if step.phase == "fusion" and made:
        text = f"{_and(stands_for.get(made[0], ()))} fused into it" + (f": {step.note}" if step.note else "")
        yield _event(replay, position, "fused", text, *made)
        return
    name = _by(step)
    for old in removed:
        yield _event(replay, position, *_gone(became.get(old, ()), set(step.made), name), old)
    for new in made:
        olds = stands_for.get(new, ())
        origin = f" from {', '.join(olds)}" if olds else ""
        yield _event(replay, position, "created", f"made{origin} by {name}", new)
    for node in changed:
        text = f"changed by {name}: {_difference(replay, position, node)}"
        yield _event(replay, position, "changed", text, node)


def _event(replay: Replay, position: int, kind: str, text: str, *nodes: NodeId) -> HistoryEvent:
    by = replay.steps[position - 1].name if kind != "survived" else ""
    location = place(replay.stage.id, *nodes)
    return HistoryEvent(kind, text, location, by=by, position=position, title=replay.stage.title)


def _leading_to(replay: Replay, nodes: set[NodeId], at: int) -> list[set[NodeId]]:
    """For each position up to `at` the nodes that these come from."""
    leading = [nodes]
    for step in reversed(replay.steps[:at]):
        stands_for = dict(step.stands_for)
        made = leading[-1] & set(step.made)
        leading.append((leading[-1] - made) | {old for new in made for old in stands_for.get(new, ())})
    return leading[::-1]


def _untouched(count: int, step: ReplayStep) -> str:
    kinds = {"fusion": ("step of fusion", "steps of fusion"), LINES: ("line", "lines")}
    what, plural = kinds.get(step.phase, ("pass", "passes"))
    return f"untouched by {count} {what if count == 1 else plural}"


def _and(names: tuple[NodeId, ...]) -> str:
    return " and ".join((", ".join(names[:-1]), names[-1])) if len(names) > 1 else "".join(names)


def _by(step: ReplayStep) -> str:
    if step.phase == "fusion":
        return step.name
    patterns = f" ({step.note})" if step.note else ""
    between = "torch between two passes" if step.name == OTHER_CHANGES else step.name
    return f"{between}{patterns}"


def _gone(news: tuple[NodeId, ...], made: set[NodeId], name: str) -> tuple[str, str]:
    if not news:
        return "removed", f"removed by {name}; nothing took its place"
    names = first_of(news, _MOST_NAMED)
    if made.issuperset(news):
        return "replaced", f"removed by {name}; replaced by {names}"
    return "merged", f"removed by {name}; its users use {names} instead"


def _difference(replay: Replay, position: int, node_id: NodeId) -> str:
    """What about a node a pass changed."""
    if replay.stage.graph is None:
        return "its loops"
    old, new = replay.node_at(position - 1, node_id), replay.node_at(position, node_id)
    if old is None or new is None:
        return "the node"
    return ", ".join(_parts(old, new)) or "what is noted of it"


def _parts(old: Node, new: Node) -> Iterator[str]:
    if old.target != new.target:
        yield f"{old.target} → {new.target}"
    if (old.args, old.kwargs) != (new.args, new.kwargs):
        gone = [used for used in old.inputs() if used not in new.inputs()]
        come = [used for used in new.inputs() if used not in old.inputs()]
        yield f"reads {', '.join(come)} instead of {', '.join(gone)}" if gone and come else "arguments"
    if old.value != new.value:
        yield "result type" if old.value is not None else "result type, known now"
