"""Everything the page shows of one capture, as plain data."""

import msgspec

from compiler.analysis.session_file.session_data import SessionData
from compiler.analysis.share.measured_facts import Facts, break_rows, timing_facts, verdict_facts
from compiler.analysis.share.shown_names import ShownNames
from compiler.analysis.share.stage_tables import Numbers, StageTable, stage_table
from compiler.analysis.text_format.result_line import result_parts
from compiler.analysis.text_format.visible_text import visible_line
from compiler.model.capture.capture import Capture
from compiler.model.diff.capture_diff import figures_of
from compiler.model.ir.diagnostics import Severity
from compiler.model.ir.ids import NodeId, Place, StageId, line_id
from compiler.model.ir.stage import SourceStage


class LinkRow(msgspec.Struct, frozen=True, array_like=True):
    """One table of links, between stages by their place in the list."""

    source: int
    target: int
    ends: bool
    equal_locations: bool
    kind: str
    proof: str
    pairs: tuple[int, ...]
    """source, target, source, target, …"""


class BreakRow(msgspec.Struct, frozen=True):
    """One graph break, and the line it is on where the page has that."""

    title: str
    where: str
    why: str
    stage: int | None
    node: int | None
    line: int | None


class PageData(msgspec.Struct, frozen=True):
    """One page."""

    title: str
    made_with: tuple[str, ...]
    result: tuple[tuple[str, str], ...]
    """(part of the result line, what it is about)."""
    texts: tuple[str, ...]
    """Lines of all stages and words of all boxes, each once."""
    stages: tuple[StageTable, ...]
    links: tuple[LinkRow, ...]
    breaks: tuple[BreakRow, ...]
    timings: Facts | None
    verdict: Facts | None
    problems: tuple[str, ...]
    hidden: bool


class StageIndex:
    """Where a stage stands on the page, and the number of each of its nodes."""

    def __init__(self, stages: dict[StageId, int], nodes: list[dict[NodeId, int]]) -> None:
        self.stages = stages
        self.nodes = nodes

    def find(self, location: Place) -> tuple[int, int] | None:
        """(stage, node) of the first node of a place that the page has."""
        stage = self.stages.get(location.stage)
        if stage is None:
            return None
        found = (self.nodes[stage].get(node) for node in location.nodes)
        return next(((stage, node) for node in found if node is not None), None)


def page_data(data: SessionData, hide_code: bool = False) -> PageData:
    """The page of the session's last capture, with what was measured of that one and of no other."""
    capture = data.captures[-1]
    names = ShownNames(capture, hide_code)
    report = next((row for row in reversed(data.timings) if row.capture == capture.id), None)
    verdict = next((row for made, row in reversed(data.verdicts) if made == capture.id), None)
    texts = Numbers()
    tables, index = _stages(capture, names, texts)
    return PageData(
        names.program(capture),
        _made_with(capture),
        tuple((part.text, part.about) for part in result_parts(figures_of(capture), report, capture.spec)),
        tuple(texts.of),
        tables,
        _links(capture, index),
        tuple(_break_rows(capture, names, index)),
        timing_facts(report, names, index.find) if report is not None else None,
        verdict_facts(verdict, names) if verdict is not None else None,
        _problems(capture, names),
        hide_code,
    )


def _stages(capture: Capture, names: ShownNames, texts: Numbers) -> tuple[tuple[StageTable, ...], StageIndex]:
    titles = {stage.id: names.stage_title(stage) for stage in capture.stages}
    tables, nodes = [], []
    for stage in capture.stages:
        numbers = Numbers()
        tables.append(stage_table(stage, names, numbers, texts, titles))
        nodes.append(numbers.of)
    return tuple(tables), StageIndex({stage.id: place for place, stage in enumerate(capture.stages)}, nodes)


def _links(capture: Capture, index: StageIndex) -> tuple[LinkRow, ...]:
    rows = []
    for table in capture.links:
        source, target = index.stages.get(table.source), index.stages.get(table.target)
        if source is None or target is None:
            continue
        above, below = index.nodes[source], index.nodes[target]
        pairs: list[int] = []
        for first, second in table.pairs:  # a link may lead on through a node that no line and no box shows
            pairs += (above.setdefault(first, len(above)), below.setdefault(second, len(below)))
        rows.append(
            LinkRow(source, target, table.ends, table.equal_locations, table.kind, table.proof, tuple(pairs))
        )
    return tuple(rows)


def _break_rows(capture: Capture, names: ShownNames, index: StageIndex) -> list[BreakRow]:
    sources = {
        stage.content.file.path: stage.id
        for stage in capture.stages
        if isinstance(stage.content, SourceStage)
    }
    rows = []
    for facts in break_rows(capture, names):
        line = facts.line
        found = None
        if line is not None and line.path in sources:
            found = index.find(Place(sources[line.path], (line_id(line.line),)))
        stage, node = found if found is not None else (None, None)
        rows.append(
            BreakRow(facts.title, names.place(line), facts.why, stage, node, line.line if line else None)
        )
    return rows


def _made_with(capture: Capture) -> tuple[str, ...]:
    made = capture.environment
    parts = (f"torch {made.torch}", f"Python {made.python}", made.platform, made.processor, *made.devices)
    return tuple(visible_line(part) for part in dict.fromkeys(parts) if part.strip())


def _problems(capture: Capture, names: ShownNames) -> tuple[str, ...]:
    reported = [problem for problem in capture.problems if problem.severity is not Severity.NOTE]
    return tuple(
        names.own(problem.message(), "A problem, the words of which are hidden") for problem in reported
    )
