"""Two compiles of one frame beside each other: guards, symbols, the graph and the kernels, where they differ."""

from app.session.comparison.rows import MOST_ROWS, Difference, Group, graph_rows, kernel_rows
from app.translation.texts import tr
from compiler.model.capture.capture import Capture
from compiler.model.capture.compile_ids import of_same_frame
from compiler.model.capture.guards import (
    GuardDifference,
    GuardTree,
    compare_symbols,
    compare_trees,
    without_same_start,
)
from compiler.model.diff.graph_diff import compare_graphs
from compiler.model.diff.kernel_diff import compare_kernels
from compiler.model.ir.graph import Graph
from compiler.model.ir.stage import FxStage, Stage, StageKind


def differences(capture: Capture, before: str, after: str) -> tuple[Group, ...]:
    """What differs between two compile ids, group by group; groups without a difference say so in their title."""
    trees = {tree.compile_id: tree for tree in capture.guards}
    old, new = trees.get(before, GuardTree(before)), trees.get(after, GuardTree(after))
    guards, symbols = compare_trees(old, new), compare_symbols(old, new)
    return (
        Group(
            tr("Guards: {differ} of {count}").format(differ=_differ(len(guards)), count=new.count),
            _rows(guards),
        ),
        Group(
            tr("Symbolic shapes: {differ}").format(differ=_differ(len(symbols))),
            _rows(symbols),
        ),
        _graph_group(capture, before, after),
        _kernel_group(capture, before, after),
    )


def earlier_compiles(capture: Capture, compile_id: str) -> tuple[str, ...]:
    """All compile ids of the same frame, oldest first."""
    return of_same_frame((tree.compile_id for tree in capture.guards), compile_id)


def _differ(number: int) -> str:
    return tr("%n differ(s)", None, number) if number else tr("none differ")


def _rows(found: tuple[GuardDifference, ...]) -> tuple[Difference, ...]:
    return tuple(
        Difference(item.id, *without_same_start(item.before, item.after)) for item in found[:MOST_ROWS]
    )


def _stages(capture: Capture, compile_id: str, kind: StageKind) -> list[Stage]:
    return [stage for stage in capture.of_kind(kind) if stage.compile_id == compile_id]


def _graph_group(capture: Capture, before: str, after: str) -> Group:
    """Node by node; a compile without a graph counts as one with an empty graph."""
    old, new = (
        next(iter(_stages(capture, name, StageKind.DYNAMO_GRAPH)), _no_graph(name))
        for name in (before, after)
    )
    diff = compare_graphs(old.graph or Graph(()), new.graph or Graph(()))
    counts = ((tr("changed"), diff.changed), (tr("gone"), diff.removed), (tr("new"), diff.added))
    parts = [f"{len(nodes)} {word}" for word, nodes in counts if nodes]
    size = tr("%n node(s)", None, new.node_count)
    title = tr("Dynamo graph: {value} of {size}").format(
        value=", ".join(parts) or tr("none differ"), size=size
    )
    return Group(title, graph_rows(old, new, diff, old_is_shown=True))


def _no_graph(compile_id: str) -> Stage:
    return Stage("", StageKind.DYNAMO_GRAPH, "", FxStage(Graph(())), compile_id)


def _kernel_group(capture: Capture, before: str, after: str) -> Group:
    """Of all parts; a kernel's counterpart stands in the same part."""
    old, new = (_stages(capture, name, StageKind.KERNELS) for name in (before, after))
    by_part = {stage.part: stage.id for stage in new}
    part_of = {stage.id: stage.part for stage in old}
    diff = compare_kernels(old, new, lambda stage: by_part.get(part_of[stage], ""))
    rows = kernel_rows(capture, capture, diff, old_is_shown=True)
    return Group(tr("Kernels: {differ}").format(differ=_differ(len(rows))), rows)
