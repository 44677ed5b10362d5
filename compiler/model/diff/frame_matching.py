"""Which compiled frame of one capture is which of another, though compile ids and lines have shifted."""

from collections import Counter, defaultdict
from collections.abc import Iterable

from compiler.model.capture.capture import Capture
from compiler.model.capture.compile_ids import part_in, whole_of
from compiler.model.capture.frames import Frame
from compiler.model.diff.graph_diff import fingerprint
from compiler.model.diff.node_diff import function_name
from compiler.model.ir.graph import Graph
from compiler.model.ir.stage import StageKind

_MOST_COMPARED = 4_000
"""Pairs of graphs of one function up to which the best fitting are looked for; beyond, the order decides."""

FunctionKey = tuple[str, str]
"""(name of the file, name of the function); resume functions count to the function that they resume."""


def function_key(frame: Frame) -> FunctionKey:
    """The user's function that a frame belongs to, wherever the folder with its file lies."""
    return frame.path.rpartition("/")[2], function_name(frame.name)


def dynamo_graphs(capture: Capture) -> dict[str, Graph]:
    """Dynamo's graph by compile id."""
    return {
        stage.compile_id: stage.graph
        for stage in capture.of_kind(StageKind.DYNAMO_GRAPH)
        if stage.graph is not None
    }


def pair_frames(before: Capture, after: Capture) -> dict[str, str]:
    """Compile id before → after: of one function, equal graphs first, then the most alike, then by their order.

    Where a function begins and where it resumes after a break are distinguished: a graph that is whole again without its
    break is the one that the function began with, and what followed the break is gone.
    """
    graphs_old, graphs_new = dynamo_graphs(before), dynamo_graphs(after)
    groups_old, groups_new = _groups(before), _groups(after)
    pairs: dict[str, str] = {}
    for key, old in groups_old.items():
        new = groups_new.get(key, [])
        _pair_equal(pairs, old, new, graphs_old, graphs_new)
        _pair_alike(pairs, *_left(pairs, old, new), graphs_old, graphs_new)
        rest_old, rest_new = _left(pairs, old, new)
        for has_graph in (True, False):
            pairs.update(
                zip(
                    [name for name in rest_old if (name in graphs_old) is has_graph],
                    [name for name in rest_new if (name in graphs_new) is has_graph],
                    strict=False,
                )
            )
    there = {stage.compile_id for stage in after.of_kind(StageKind.GRAPH_PART)}
    for stage in before.of_kind(StageKind.GRAPH_PART):
        whole = pairs.get(whole_of(stage.compile_id))
        if whole is not None and (part := part_in(stage.compile_id, whole)) in there:
            pairs[stage.compile_id] = part
    return pairs


def _groups(capture: Capture) -> dict[tuple[FunctionKey, bool], list[str]]:
    groups: defaultdict[tuple[FunctionKey, bool], list[str]] = defaultdict(list)
    for frame in capture.frames:
        groups[function_key(frame), function_name(frame.name) != frame.name].append(frame.id)
    return groups


def _left(pairs: dict[str, str], old: list[str], new: list[str]) -> tuple[list[str], list[str]]:
    taken = set(pairs.values())
    return [name for name in old if name not in pairs], [name for name in new if name not in taken]


def _pair_equal(
    pairs: dict[str, str],
    old: Iterable[str],
    new: Iterable[str],
    graphs_old: dict[str, Graph],
    graphs_new: dict[str, Graph],
) -> None:
    waiting: defaultdict[int, list[str]] = defaultdict(list)
    for name in new:
        if name in graphs_new:
            waiting[fingerprint(graphs_new[name])].append(name)
    for name in old:
        same = waiting.get(fingerprint(graphs_old[name]), []) if name in graphs_old else []
        if same:
            pairs[name] = same.pop(same.index(name) if name in same else 0)


def _pair_alike(
    pairs: dict[str, str],
    old: list[str],
    new: list[str],
    graphs_old: dict[str, Graph],
    graphs_new: dict[str, Graph],
) -> None:
    old = [name for name in old if name in graphs_old]
    new = [name for name in new if name in graphs_new]
    if not old or not new or len(old) * len(new) > _MOST_COMPARED:
        return
    words_old = [_calls_of(graphs_old[name]) for name in old]
    words_new = [_calls_of(graphs_new[name]) for name in new]
    scores = sorted(
        (-(words_old[a] & words_new[b]).total(), abs(a - b), a, b)
        for a in range(len(old))
        for b in range(len(new))
    )
    taken: set[str] = set()
    for score, _, a, b in scores:
        if score < 0 and old[a] not in pairs and new[b] not in taken:
            pairs[old[a]] = new[b]
            taken.add(new[b])


def _calls_of(graph: Graph) -> Counter[tuple[str, str]]:
    return Counter((node.target, node.stack[-1].text if node.stack else "") for node in graph.nodes)
