"""The module that each node of a graph is shown in, where that is not the one torch recorded.

* What several layers use, and no layer has a part in, such as a mask that torch made once: torch records the first layer that
  asked for it. It belongs to the module that holds all of them.
* A sum of gradients has no module. It is made when its last part is there, so it belongs to the innermost module that holds
  that part and something else around the sum.
* An operation that lost its module otherwise (decompositions do that) belongs to the innermost one that holds all that it is
  made from and all that it goes into.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import TypeAlias

from compiler.model.ir.graph import Graph
from compiler.model.ir.identity_cache import identity_cached
from compiler.model.ir.ids import NodeId

Path: TypeAlias = tuple[str, ...]
"""A module from the outside in."""

SUMS = ("aten.add.Tensor",)
"""What AOTAutograd adds gradients up with."""

_LEAVES = ("placeholder", "get_attr", "output")


def homes(
    paths: Mapping[NodeId, Path],
    inputs: Mapping[NodeId, Sequence[NodeId]],
    lost: Collection[NodeId],
    sums: Collection[NodeId],
    fixed: Collection[NodeId] = (),
    own: Collection[NodeId] = (),
) -> dict[NodeId, Path]:
    """The path of each node. `paths` are those recorded, in the order of the graph; `inputs` may name others, which do not
    count. `lost`: operations without a path, in order; `sums` are those of them that add. `fixed`: what the graph takes and
    gives, and what else is to stay where it is. `own`: what uses a parameter.
    """
    found = dict(paths)
    movable = _movable(paths, inputs, {*lost, *own}, set(fixed))
    if not movable and not lost:
        return found
    users: dict[NodeId, list[NodeId]] = {node: [] for node in (*movable, *lost)}
    for node, used in inputs.items():
        for other in used:
            if (uses := users.get(other)) is not None:
                uses.append(node)
    used_in = _shared_paths(tuple(lost)[::-1], users, found)
    shared = _lift_shared(found, users, movable, used_in)
    for node in lost:
        if all(used in shared for used in inputs.get(node, ()) if used in found):
            shared.add(node)  # a constant says nothing of where it is used
    above = _shared_paths(lost, inputs, found, shared)
    below = _shared_paths(tuple(lost)[::-1], users, found)
    adding = set(sums)
    place = {node: at for at, node in enumerate(paths)}
    for node in lost:
        home = below[node] if node in shared else common_start((above[node], below[node]))
        if node in adding:
            home = max(_of_sum(node, inputs, users, found, below.keys(), place), home, key=len)
        found[node] = home
    return found


@identity_cached
def homes_of(graph: Graph) -> dict[NodeId, Path]:
    """The same of every node of an FX graph."""
    paths = {node.id: node.modules for node in graph.nodes}
    fixed = {node.id for node in graph.nodes if node.op in _LEAVES}
    lost = [node.id for node in graph.nodes if not node.module_path and node.op not in _LEAVES]
    sums = [name for name in lost if graph.node(name).target in SUMS]
    # inputs of the graph bear the module that uses them first
    paths.update(dict.fromkeys(fixed, ()))
    inputs = {node.id: node.inputs() for node in graph.nodes}
    parameters = {node.id for node in graph.nodes if node.role == "parameter" or node.op == "get_attr"}
    own = {name for name, used in inputs.items() if not parameters.isdisjoint(used)}
    return homes(paths, inputs, lost, sums, fixed, own)


def _movable(
    paths: Mapping[NodeId, Path],
    inputs: Mapping[NodeId, Sequence[NodeId]],
    own: Collection[NodeId],
    fixed: Collection[NodeId],
) -> list[NodeId]:
    """What stands in a layer, but nothing that is of one layer goes into it, in order."""
    numbered = {path: any(map(str.isdigit, path)) for path in set(paths.values())}
    free: set[NodeId] = set()
    for node, path in paths.items():
        if node in own:
            continue
        if node not in fixed and numbered[path]:
            for used in inputs.get(node, ()):
                if used not in free and used in paths:
                    break
            else:
                free.add(node)
        else:
            free.add(node)
    return [node for node in paths if node in free and node not in fixed and numbered[paths[node]]]


def _lift_shared(
    paths: dict[NodeId, Path],
    users: Mapping[NodeId, Sequence[NodeId]],
    movable: Sequence[NodeId],
    used_in: Mapping[NodeId, Path],
) -> set[NodeId]:
    """Move what layers far from each other use to the module that holds them. Gives what was moved."""
    lifted: set[NodeId] = set()
    for node in reversed(movable):
        path = paths[node]
        found = (used_in.get(user, paths[user]) for user in users[node])
        around = [other for other in found if other]
        if any(_is_far(path, other) for other in around) or not lifted.isdisjoint(users[node]):
            paths[node] = common_start((path, *around))
            lifted.add(node)
    return lifted


def _is_far(path: Path, other: Path) -> bool:
    """Whether two places are in layers that are not next to each other."""
    at = next((at for at, (one, two) in enumerate(zip(path, other, strict=False)) if one != two), None)
    if at is None or not (path[at].isdigit() and other[at].isdigit()):
        return False
    return abs(int(path[at]) - int(other[at])) > 1


def _of_sum(
    node: NodeId,
    inputs: Mapping[NodeId, Sequence[NodeId]],
    users: Mapping[NodeId, Sequence[NodeId]],
    paths: Mapping[NodeId, Path],
    lost: Collection[NodeId],
    place: Mapping[NodeId, int],
) -> Path:
    """The innermost module that holds the last part of a sum and something else around it."""
    parts = sorted((used for used in inputs.get(node, ()) if used in paths), key=place.__getitem__)
    if not parts:
        return ()
    last = parts.pop()
    around = [paths[part] for part in parts]
    for user in users[node]:
        # of a sum that is not placed yet, what else goes into it and where it goes
        beyond = (user,) if user not in lost else (*inputs[user], *users[user])
        around += [paths[other] for other in beyond if other in paths and other != node]
    return max((common_start((paths[last], other)) for other in around), key=len, default=())


def _shared_paths(
    lost: Iterable[NodeId],
    neighbours: Mapping[NodeId, Sequence[NodeId]],
    paths: Mapping[NodeId, Path],
    silent: Collection[NodeId] = (),
) -> dict[NodeId, Path]:
    """For each node that lost its module the innermost one that holds all neighbours on one side. A neighbour that
    lost its own as well, and so comes earlier among `lost`, stands for its own neighbours; those of `silent` do not count.
    """
    shared: dict[NodeId, Path] = {}
    for node in lost:
        around = [
            shared.get(other, paths[other])
            for other in neighbours.get(node, ())
            if other in paths and other not in silent
        ]
        shared[node] = common_start(around)
    return shared


def common_start(paths: Sequence[Path]) -> Path:
    """The longest path that all of them begin with; that of all modules where there are none."""
    if not paths:
        return ()
    first, last = min(paths), max(paths)
    length = next((at for at, name in enumerate(first) if last[at : at + 1] != (name,)), len(first))
    return first[:length]
