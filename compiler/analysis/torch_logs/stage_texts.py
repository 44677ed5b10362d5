"""Which text of a log is which stage: the last attempt of a compile counts; its Inductor graphs are distinguished by their inputs."""

from collections.abc import Iterator
from dataclasses import dataclass, field

from compiler.analysis.torch_logs.printed.printed_graphs import PrintedGraph, read_graph
from compiler.analysis.torch_logs.records.process_log import (
    AOT,
    CODE,
    DYNAMO,
    JOINT,
    MAPPINGS,
    POST_GRAD,
    PRE_GRAD,
    RUNTIME_WRAPPER_PARTS,
    RUNTIME_WRAPPERS,
    STACKS,
    STAGES,
    CompileLog,
    Entry,
)

_UNIT = {POST_GRAD: "post_grad", CODE: "code", MAPPINGS: "mappings", STACKS: "stacks"}


_OLDER = {"after_post_grad_graph": POST_GRAD, "inductor_pre_grad_graph": PRE_GRAD}
"""How torch 2.6 to 2.8 called the same."""


class GraphReader:
    """Reads each text once, whoever asks."""

    def __init__(self, most_nodes: int) -> None:
        self._read: dict[str, PrintedGraph | None] = {}
        self._left = most_nodes
        self.refused = 0
        """Texts that were kept as texts, since there are too many nodes."""

    def read(self, entry: Entry | None) -> PrintedGraph | None:
        """The graph of a text; None where there is none."""
        if entry is None or entry.text is None:
            return None
        key = entry.digest
        if key not in self._read:
            # a line is a node at most, and about every second one is a comment
            if self._left <= 0 or entry.text.count("\n") > 2 * self._left:
                self.refused += 1
                return None
            found = read_graph(entry.text)
            self._read[key] = found
            if found is not None:
                self._left -= len(found.graph.nodes) + sum(len(body.nodes) for _, body in found.bodies)
        return self._read[key]


@dataclass
class Unit:
    """What AOTAutograd or Inductor made of one graph: forward, backward or inference."""

    part: str
    aot: Entry | None = None
    post_grad: Entry | None = None
    code: Entry | None = None
    mappings: Entry | None = None
    stacks: Entry | None = None


@dataclass
class StageTexts:
    """One compile."""

    dynamo: Entry | None = None
    pre_grad: Entry | None = None
    joint: Entry | None = None
    units: list[Unit] = field(default_factory=list)
    runtime_wrappers: list[Entry] = field(default_factory=list)
    """One of all functions (more where the backward was compiled later), or one each of torch 2.12 to 2.14."""
    others: list[Entry] = field(default_factory=list)
    """Texts that are no stage of a live capture, and those of attempts that were begun again."""


def sorted_texts(log: CompileLog, graphs: GraphReader, held: frozenset[int] = frozenset()) -> StageTexts:
    """The texts of a compile without those that a stage holds already (by ``id``)."""
    begin = max((entry.line for entry in log.entries if entry.name == DYNAMO), default=0)
    current = [entry for entry in log.entries if entry.line >= begin or not _is_stage(entry)]
    found = StageTexts(others=[entry for entry in log.entries if entry.line < begin and _is_stage(entry)])
    rows: list[Unit] = []
    older = {old for old, new in _OLDER.items() if any(entry.name == new for entry in current)}
    for entry in current:
        if id(entry) in held:
            continue
        name = _OLDER.get(entry.name, entry.name) if entry.name not in older else entry.name
        if name == DYNAMO:
            found.dynamo = entry
        elif name == PRE_GRAD and found.pre_grad is None:
            found.pre_grad = entry
        elif name == JOINT and found.joint is None:
            found.joint = entry
        elif name in AOT:
            found.units.append(Unit(AOT[name], entry))
        elif name == RUNTIME_WRAPPERS or name in RUNTIME_WRAPPER_PARTS:
            found.runtime_wrappers.append(entry)
        elif name in _UNIT:
            _add_to_unit(rows, entry, _UNIT[name])
        else:
            found.others.append(entry)
    for row in rows:
        _join(found.units, row, graphs)
    _number(found.units)
    return found


def _is_stage(entry: Entry) -> bool:
    return entry.name in STAGES


def _add_to_unit(rows: list[Unit], entry: Entry, field_name: str) -> None:
    if not rows or getattr(rows[-1], field_name) is not None:
        rows.append(Unit(""))
    setattr(rows[-1], field_name, entry)


def _join(units: list[Unit], row: Unit, graphs: GraphReader) -> None:
    """Put what Inductor made beside the AOT graph with the same inputs; else it is a unit of its own."""
    free = [unit for unit in units if unit.post_grad is None and unit.code is None]
    wanted = _inputs(graphs.read(row.post_grad))
    same = [unit for unit in free if wanted and _inputs(graphs.read(unit.aot)) == wanted]
    chosen = same[0] if same else free[0] if len(free) == 1 else None
    if chosen is None and free:
        tangents = any(name.startswith("tangents") for name in wanted)
        chosen = next((unit for unit in free if (unit.part == "backward") == tangents), None)
    if chosen is None:
        row.part = "backward" if any(name.startswith("tangents") for name in wanted) else "inference"
        units.append(row)
        return
    chosen.post_grad, chosen.code = row.post_grad, row.code
    chosen.mappings, chosen.stacks = row.mappings, row.stacks


def _inputs(graph: PrintedGraph | None) -> tuple[str, ...]:
    return tuple(node.id for node in graph.graph.nodes if node.op == "placeholder") if graph else ()


def _number(units: list[Unit]) -> None:
    seen: dict[str, int] = {}
    for unit in units:
        count = seen[unit.part] = seen.get(unit.part, 0) + 1
        if count > 1:
            unit.part = f"{unit.part}_{count}"


def used(texts: StageTexts) -> Iterator[Entry]:
    """Entries that are stages of their own."""
    for entry in (texts.dynamo, texts.pre_grad, texts.joint):
        if entry is not None:
            yield entry
    yield from texts.runtime_wrappers
    for unit in texts.units:
        yield from (entry for entry in (unit.aot, unit.post_grad, unit.code) if entry is not None)
