"""Two compiles of one frame beside each other: guards, symbols, the graph and the kernels, where they differ."""

import difflib
from dataclasses import dataclass

from compiler.model.capture import Capture
from compiler.model.guards import (
    GuardDifference,
    GuardTree,
    compare_symbols,
    compare_trees,
    without_same_start,
)
from compiler.model.printing import program
from compiler.model.stage import KernelStage, Stage, StageKind

_MOST_ROWS = 2000


@dataclass(frozen=True)
class Difference:
    """One row: what it is, and how it reads in either compile; empty where it is not there."""

    what: str
    before: str
    after: str


@dataclass(frozen=True)
class Group:
    """Differences of one kind."""

    title: str
    rows: tuple[Difference, ...]


def differences(capture: Capture, before: str, after: str) -> tuple[Group, ...]:
    """What differs between two compile ids, group by group; groups without a difference say so in their title."""
    trees = {tree.compile_id: tree for tree in capture.guards}
    old, new = trees.get(before, GuardTree(before)), trees.get(after, GuardTree(after))
    guards = _rows(compare_trees(old, new))
    symbols = _rows(compare_symbols(old, new))
    graph = _lines(_graph_text(capture, before), _graph_text(capture, after))
    kernels = _kernels(capture, before, after)
    return (
        Group(f"Guards: {_count(guards, 'differs', 'differ')} of {new.count}", guards),
        Group(f"Symbolic shapes: {_count(symbols, 'differs', 'differ')}", symbols),
        Group(f"Dynamo graph: {_count(graph, 'line differs', 'lines differ')}", graph),
        Group(f"Kernels: {_count(kernels, 'differs', 'differ')}", kernels),
    )


def earlier_compiles(capture: Capture, compile_id: str) -> tuple[str, ...]:
    """All compile ids of the same frame, oldest first."""
    frame = compile_id.partition("/")[0]
    found = [tree.compile_id for tree in capture.guards if tree.compile_id.partition("/")[0] == frame]
    return tuple(found)


def _count(rows: tuple[Difference, ...], one: str, many: str) -> str:
    return f"1 {one}" if len(rows) == 1 else f"{len(rows) or 'none'} {many}"


def _rows(found: tuple[GuardDifference, ...]) -> tuple[Difference, ...]:
    return tuple(Difference(item.id, *without_same_start(item.before, item.after)) for item in found)


def _stages(capture: Capture, compile_id: str, kind: StageKind) -> list[Stage]:
    return [stage for stage in capture.of_kind(kind) if stage.compile_id == compile_id]


def _graph_text(capture: Capture, compile_id: str) -> list[str]:
    """The graph's program without its heading, which holds times."""
    stages = _stages(capture, compile_id, StageKind.DYNAMO_GRAPH)
    return program(stages[0]).text.split("\n")[1:] if stages else []


def _lines(old: list[str], new: list[str]) -> tuple[Difference, ...]:
    rows: list[Difference] = []
    for tag, a, b, c, d in difflib.SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if tag == "equal":
            continue
        for offset in range(max(b - a, d - c)):
            left, right = a + offset, c + offset
            rows.append(
                Difference(
                    f"line {(right if right < d else left) + 1}",
                    old[left].strip() if left < b else "",
                    new[right].strip() if right < d else "",
                )
            )
    return tuple(rows[:_MOST_ROWS])


def _kernels(capture: Capture, before: str, after: str) -> tuple[Difference, ...]:
    """Kernels by the part and the order they are called in: name, and whether the source is the same."""
    old, new = _kernel_list(capture, before), _kernel_list(capture, after)
    rows = []
    for key in dict.fromkeys((*old, *new)):
        mine, its = old.get(key, ("", "")), new.get(key, ("", ""))
        if mine != its:
            same_name = mine[0] == its[0]
            rows.append(
                Difference(
                    key,
                    f"{mine[0]} ({_length(mine[1])})" if same_name else mine[0],
                    f"{its[0]} ({_length(its[1])})" if same_name else its[0],
                )
            )
    return tuple(rows)


def _kernel_list(capture: Capture, compile_id: str) -> dict[str, tuple[str, str]]:
    found = {}
    for stage in _stages(capture, compile_id, StageKind.KERNELS):
        if isinstance(stage.content, KernelStage):
            for number, kernel in enumerate(stage.content.kernels.kernels, 1):
                found[f"{stage.part} {number}"] = (kernel.name, kernel.source)
    return found


def _length(source: str) -> str:
    return f"{source.count(chr(10)) + 1} lines, another text" if source else "no source"
