"""A graph that was made while a program ran, as it grew line by line."""

from collections.abc import Iterator, Mapping
from itertools import groupby
from pathlib import Path

from compiler.engine.file_ownership import innermost_line, is_mine
from compiler.model.ir.graph import Graph, Node
from compiler.model.ir.ids import NodeId
from compiler.model.ir.passes import LINES, PassRun, PassStart, after_run, difference
from compiler.model.ir.stage import Stage

Growth = tuple[PassStart, tuple[PassRun, ...]]
_WITHOUT_LINE = "outside of the program"


def growth(stage: Stage, when: Mapping[NodeId, int]) -> Growth:
    """The steps in which the graph of a stage grew: one for all that one line of the user's made in a row.

    `when` says at which call of the run a node was made; inputs come with the first node that uses them.
    """
    graph = stage.graph
    assert graph is not None
    calls = _calls(graph, when)
    runs: list[PassRun] = []
    now = Graph(())
    present: set[NodeId] = set()
    for number, (name, made) in enumerate(_by_line(graph, calls), 1):
        present |= made
        found = difference(now, Graph(tuple(node for node in graph.nodes if node.id in present)))
        run = PassRun(
            f"{stage.id}:{LINES}:{number}", name, LINES, stage.id, made=found.made, after=found.after
        )
        runs.append(run)
        now = after_run(now, run)
    return PassStart(stage.id, LINES, graph=Graph(())), tuple(runs)


def _calls(graph: Graph, when: Mapping[NodeId, int]) -> dict[NodeId, int]:
    """The call that each node came with: never after one that uses it."""
    last = max(when.values(), default=0)
    calls: dict[NodeId, int] = {}
    for node in reversed(graph.nodes):
        here = min(calls.get(node.id, last), when.get(node.id, last))
        calls[node.id] = here
        for used in node.inputs():
            calls[used] = min(calls.get(used, here), here)
    return calls


def _by_line(graph: Graph, calls: Mapping[NodeId, int]) -> Iterator[tuple[str, set[NodeId]]]:
    """(the line in words, the nodes it made in a row)."""
    lines: dict[int, str] = {}
    made: dict[int, list[Node]] = {}
    for node in graph.nodes:
        made.setdefault(calls[node.id], []).append(node)
    for call, nodes in made.items():
        known = next((node for node in nodes if node.stack), None)
        lines[call] = _format_node(known) if known is not None else _WITHOUT_LINE
    for line, group in groupby(sorted(made), key=lambda call: lines[call]):
        yield line, {node.id for call in group for node in made[call]}


def _format_node(node: Node) -> str:
    line = innermost_line(node.stack)
    if line is None:
        return _WITHOUT_LINE
    where = f"line {line.line}" if is_mine(line.path) else f"{Path(line.path).name}:{line.line}"
    what = f"backward of {where}" if node.lane == "backward" else where
    return f"{what}: {line.text}" if line.text else what
