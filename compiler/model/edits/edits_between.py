"""The edits that lead from one graph to another: what a changed program text, or a transform, comes to."""

from compiler.model.edits.edits import BypassNode, Edit, EditGroup, InsertNode, ReplaceTarget
from compiler.model.edits.node_edits import ReorderNodes, SetArguments
from compiler.model.ir.arguments import SequenceArgument
from compiler.model.ir.graph import Graph, Node
from compiler.model.ir.ids import NodeId, StageId

_NOTHING = SequenceArgument("tuple", ())


def edits_between(stage: StageId, before: Graph, after: Graph, label: str) -> EditGroup | None:
    """One group of edits that makes `after` of `before`; None where they are the same.

    Inputs must be the same in both. Each edit of the group fits the graph that the ones before it made. Facts of nodes
    that an edit cannot set (where they came from) are left alone.
    """
    old, new = before.by_id(), after.by_id()
    changed = [node for node in after.nodes if node.id in old and node.calls_otherwise(old[node.id])]
    gone = [node for node in before.nodes if node.id not in new]
    wanted = [node.id for node in after.nodes if node.id in old]
    given = [node.id for node in before.nodes if node.id in new]
    parts: list[Edit] = []
    if wanted != given:  # until all are in place, nodes that change use nothing, so that no order is wrong
        parts += [SetArguments(stage, node.id, _NOTHING) for node in changed]
        parts += [BypassNode(stage, node.id, None) for node in reversed(gone)]
        parts.append(_reordered(stage, given, wanted))
        gone = []
    parts += _insertions(stage, before, after, gone)
    parts += [_change(stage, old[node.id], node) for node in changed]
    parts += [BypassNode(stage, node.id, None) for node in reversed(gone)]
    return EditGroup(label, tuple(parts)) if parts else None


def _change(stage: StageId, old: Node, new: Node) -> Edit:
    if (old.op, old.target) == (new.op, new.target):
        return SetArguments(stage, new.id, new.args, new.kwargs)
    return ReplaceTarget(stage, new.id, new.op, new.target, new.args, new.kwargs)


def _reordered(stage: StageId, given: list[NodeId], wanted: list[NodeId]) -> ReorderNodes:
    first = next(index for index, pair in enumerate(zip(given, wanted, strict=True)) if pair[0] != pair[1])
    rest = list(zip(reversed(given), reversed(wanted), strict=True))
    last = len(given) - next(index for index, pair in enumerate(rest) if pair[0] != pair[1])
    return ReorderNodes(stage, tuple(wanted[first:last]))


def _insertions(stage: StageId, before: Graph, after: Graph, still_there: list[Node]) -> list[Edit]:
    """New nodes, each right behind the one it stands behind in the end."""
    known = before.by_id()
    extra = {node.id for node in still_there}
    order = [node.id for node in after.nodes if node.id in known]
    if extra:
        order = [node.id for node in before.nodes if node.id in extra or node.id in order]
    parts: list[Edit] = []
    behind: NodeId | None = None
    for node in after.nodes:
        if node.id not in known:
            index = order.index(behind) + 1 if behind is not None else 0
            order.insert(index, node.id)
            parts.append(InsertNode(stage, node, index, ()))
        behind = node.id
    return parts
