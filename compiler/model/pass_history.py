"""What the passes of one stage did to some nodes, in words."""

from collections.abc import Iterable, Iterator

from compiler.model.graph import Node
from compiler.model.history_events import HistoryEvent
from compiler.model.ids import NodeId, place
from compiler.model.pass_replay import Replay, ReplayStep
from compiler.model.passes import OTHER_CHANGES


def pass_events(replay: Replay, begun: Iterable[NodeId], ended: Iterable[NodeId]) -> Iterator[HistoryEvent]:
    """Everything that happened between the nodes of the first graph and those of the last, pass by pass.

    `begun` are followed onwards; of what passes made, what leads to one of `ended` (or stands for one followed) counts.
    """
    leading = _leading_to(replay, set(ended))
    here = set(begun) | leading[0]
    title = replay.stage.title
    untouched = 0

    def event(kind: str, text: str, position: int, *nodes: NodeId) -> HistoryEvent:
        spot = place(replay.stage.id, *nodes)
        step = replay.steps[position - 1]
        return HistoryEvent(kind, text, spot, by=step.name, position=position, title=title)

    for position, step in enumerate(replay.steps, 1):
        became, stands_for = dict(step.became), dict(step.stands_for)
        removed = [node for node in step.removed if node in here]
        followed = {new for old in removed for new in became.get(old, ())}
        made = [node for node in step.made if node in followed or node in leading[position]]
        changed = [node for node in step.changed if node in here]
        if not (removed or made or changed):
            untouched += bool(here)
            continue
        if untouched:
            yield event("survived", _untouched(untouched, step), position, *here)
            untouched = 0
        if step.phase == "fusion" and made:
            parts = dict(step.stands_for).get(made[0], ())
            text = f"{_and(parts)} fused into it" + (f": {step.note}" if step.note else "")
            yield event("fused", text, position, *made)
            here = (here - set(removed)) | set(made)
            continue
        name = _by(step)
        for old in removed:
            yield event(*_gone(old, became.get(old, ()), set(step.made), name), position, old)
        for new in made:
            olds = stands_for.get(new, ())
            origin = f" from {', '.join(olds)}" if olds else ""
            yield event("created", f"made{origin} by {name}", position, new)
        for node in changed:
            yield event(
                "changed", f"changed by {name}: {_difference(replay, position, node)}", position, node
            )
        here = (here - set(removed)) | followed | set(made)
    if untouched and here:
        yield event("survived", _untouched(untouched, replay.steps[-1]), len(replay.steps), *here)


def _leading_to(replay: Replay, ended: set[NodeId]) -> list[set[NodeId]]:
    """For each position the nodes that the last ones come from."""
    leading = [ended]
    for step in reversed(replay.steps):
        stands_for = dict(step.stands_for)
        made = leading[-1] & set(step.made)
        leading.append((leading[-1] - made) | {old for new in made for old in stands_for.get(new, ())})
    return leading[::-1]


def _untouched(count: int, step: ReplayStep) -> str:
    what = "step of fusion" if step.phase == "fusion" else "pass"
    plural = {"pass": "passes", "step of fusion": "steps of fusion"}[what]
    return f"untouched by {count} {what if count == 1 else plural}"


def _and(names: tuple[NodeId, ...]) -> str:
    return " and ".join((", ".join(names[:-1]), names[-1])) if len(names) > 1 else "".join(names)


def _by(step: ReplayStep) -> str:
    if step.phase == "fusion":
        return step.name
    patterns = f" ({step.note})" if step.note else ""
    between = "torch between two passes" if step.name == OTHER_CHANGES else step.name
    return f"{between}{patterns}"


def _gone(old: NodeId, news: tuple[NodeId, ...], made: set[NodeId], name: str) -> tuple[str, str]:
    if not news:
        return "removed", f"removed by {name}; nothing took its place"
    names = ", ".join(news)
    if made.issuperset(news):
        return "replaced", f"removed by {name}; replaced by {names}"
    return "merged", f"removed by {name}; its users use {names} instead"


def _difference(replay: Replay, position: int, node_id: NodeId) -> str:
    """What about a node a pass changed."""
    before, after = replay.stage_at(position - 1).graph, replay.stage_at(position).graph
    if before is None or after is None:
        return "its loops"
    old, new = before.by_id().get(node_id), after.by_id().get(node_id)
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
