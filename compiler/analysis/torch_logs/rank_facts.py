"""What one rank did that other ranks must do too: compiles, answers of caches, collectives, tensors, the order of graphs."""

import hashlib
import re
from collections import Counter
from collections.abc import Iterator

import msgspec

from compiler.model.capture.capture import Capture
from compiler.model.capture.log_facts import LogArtifact
from compiler.model.ir.diagnostics import UNREADABLE
from compiler.model.ir.stage import Stage, TextStage, WrapperStage

SCHEDULE, RUNTIMES, EXECUTION = (
    "inductor_collective_schedule",
    "inductor_runtime_and_tensor_meta",
    "graph_execution",
)
NO_COMPILE = "-/-"
"""Stands for the compile id of records outside of any compile; some ranks happen to have none."""
_CALL = re.compile(r"torch\s*\.\s*ops\s*\.\s*_?c10d_functional\s*\.\s*(\w+)\s*\.\s*default\s*\(")
_COMMENT = re.compile(r"#.*$|//.*$", re.MULTILINE)
_COLLECTIVES = ("all_reduce", "reduce_scatter", "all_gather", "broadcast", "all_to_all")
_ANSWERS = {"hit": "✅", "miss": "❌", "bypass": "❓"}
_STRONGEST = ("miss", "hit", "bypass")


class GraphFacts(msgspec.Struct, frozen=True, array_like=True):
    """One generated graph."""

    graph: str
    """Attempt of a compile: ``0/0``, ``0/0_1``."""
    collectives: tuple[str, ...] = ()
    """In the order of Inductor's schedule."""
    tensors: str = ""
    """Stands for shapes, types and strides of all that it computes; empty where torch did not log them."""
    nanoseconds: float | None = None
    """Torch's own estimate of how long it runs."""
    offset: int = 0
    """Collectives of the schedule that the code does not call, and those it calls beside them."""
    missing_waits: int = 0
    """Collectives in the code that nothing waits for."""
    cache: str = ""
    """``miss`` where any cache missed; else ``hit``, ``bypass`` or nothing."""


class RankFacts(msgspec.Struct, frozen=True):
    """One rank."""

    rank: str
    attempts: tuple[str, ...]
    cache_order: str
    """One sign for each answer of a cache: found, not found, passed by."""
    graphs: tuple[GraphFacts, ...]
    executed: tuple[str, ...] | None = None
    """Graphs in the order in which they ran, where the program had that recorded."""


def rank_facts(capture: Capture) -> RankFacts:
    """Of a capture that was read from a log."""
    facts = capture.log
    assert facts is not None
    stages = {stage.id: stage for stage in capture.stages}
    rows = [row for row in facts.artifacts if not row.other_rank]
    by_graph: dict[str, list[LogArtifact]] = {}
    for row in rows:
        by_graph.setdefault(attempt_id(row.compile_id, row.attempt), []).append(row)
    executed = None
    for row in rows:
        if row.name == EXECUTION:
            executed = _executed(_json(stages.get(row.stage)))
    attempts = tuple(attempt_id(row.compile_id, row.attempt) for row in facts.attempts)
    order = "".join(_ANSWERS[answer] for row in rows if (answer := _answer(row)))
    graphs = tuple(_graph(name, members, stages) for name, members in by_graph.items())
    return RankFacts(facts.rank, attempts, order, graphs, executed)


def attempt_id(compile_id: str, attempt: int) -> str:
    """``0/0``, ``0/0_1``; of what belongs to no compile ``-/-``."""
    name = compile_id or NO_COMPILE
    return f"{name}_{attempt}" if attempt else name


def _answer(row: LogArtifact) -> str:
    if row.kind != "artifact":
        return ""
    return next((word for word in _STRONGEST if f"cache_{word}" in row.name), "")


def _graph(name: str, rows: list[LogArtifact], stages: dict[str, Stage]) -> GraphFacts:
    schedule = _first(rows, SCHEDULE, stages)
    collectives = tuple(str(item)[:200] for item in schedule) if isinstance(schedule, list) else ()
    runtimes = _first(rows, RUNTIMES, stages)
    code = next((row for row in rows if row.kind == "inductor_output_code"), None)
    offset, missing = (0, 0)
    if schedule is not None and code is not None:
        offset, missing = _parity(collectives, stages.get(code.stage))
    answers = {_answer(row) for row in rows}
    cache = next((word for word in _STRONGEST if word in answers), "")
    return GraphFacts(
        name, collectives, _fingerprint(runtimes), _nanoseconds(runtimes), offset, missing, cache
    )


def _first(rows: list[LogArtifact], name: str, stages: dict[str, Stage]) -> object:
    row = next((row for row in rows if row.name == name), None)
    return _json(stages.get(row.stage)) if row is not None else None


def _json(stage: Stage | None) -> object:
    if stage is None or not isinstance(stage.content, TextStage):
        return None
    try:
        return msgspec.json.decode(stage.content.text)
    except UNREADABLE:
        return None


def _fingerprint(value: object) -> str:
    if value is None:
        return ""
    return hashlib.sha256(msgspec.json.encode(value, order="sorted")).hexdigest()[:16]


def _nanoseconds(value: object) -> float | None:
    operations = value.get("ops") if isinstance(value, dict) else None
    if not isinstance(operations, list) or not operations:
        return None
    found = [row.get("estimated_runtime_ns") for row in operations if isinstance(row, dict)]
    return sum(float(item) for item in found if isinstance(item, int | float))


def _executed(value: object) -> tuple[str, ...] | None:
    rows = value.get("graph_execution_order") if isinstance(value, dict) else None
    return tuple(_ran(rows)) if isinstance(rows, list) else None


def _ran(rows: list[object]) -> Iterator[str]:
    for row in rows[:100_000]:
        name = row.get("compile_id") if isinstance(row, dict) else row
        if isinstance(name, str):
            yield name


def _parity(schedule: tuple[str, ...], stage: Stage | None) -> tuple[int, int]:
    """(offset, missing waits): the schedule beside the calls in the generated code."""
    if stage is None or not isinstance(stage.content, WrapperStage):
        return 0, 0
    planned = Counter(filter(None, map(_plain, schedule)))
    called: Counter[str] = Counter()
    waits = 0
    for found in _CALL.finditer(_COMMENT.sub("", stage.content.code.text)):
        if found[1] == "wait_tensor":
            waits += 1
        elif name := _plain(found[1]):
            called[name] += 1
    offset = sum(abs(planned[name] - called[name]) for name in {*planned, *called})
    return offset, max(called.total() - waits, 0)


def _plain(operation: str) -> str:
    found = next((name for name in _COLLECTIVES if name in operation), "")
    return found or ("reduce" if "reduce" in operation else "")
