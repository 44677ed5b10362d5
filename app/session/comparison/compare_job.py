"""The work of a comparison: matching, one diagram of both, and their programs line by line. Runs in any thread."""

import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property

import msgspec

from app.graph_layout.equal_stretches import Shortened, shorten
from app.graph_layout.running_order import in_running_order
from app.session.comparison.rows_grouped import figure_text
from app.translation.texts import tr, tr_noop
from compiler.analysis.diff.diff_summary import summary
from compiler.analysis.diff.graph_matching import KEPT, GraphMatch, describe
from compiler.analysis.diff.merged_diagram import MergedDiagram, merge
from compiler.analysis.diff.stage_matching import match_stages, origins_between
from compiler.analysis.diff.text_alignment import TextRow, align_texts
from compiler.analysis.text_format.printer import CodeText, program
from compiler.model.capture.capture import Capture
from compiler.model.diagrams.diagrams import diagram
from compiler.model.diff.capture_diff import compare_captures
from compiler.model.ir.ids import NodeId
from compiler.model.ir.stage import Stage


class ComparingCancelledError(Exception):
    """A newer comparison made this one unnecessary."""


class CancelToken:
    """What a comparison is at, and whether anybody still wants it. The one thing that its thread and the window share."""

    def __init__(self) -> None:
        self._cancelled = threading.Event()
        self.step = ""

    def cancel(self) -> None:
        """Nobody wants the comparison any more."""
        self._cancelled.set()

    def go_on(self, step: str) -> None:
        """The next step, in words. Raises ComparingCancelledError where nobody wants it."""
        if self._cancelled.is_set():
            raise ComparingCancelledError
        self.step = step


@dataclass(frozen=True)
class ComparisonRequest:
    """What is to be compared."""

    before: Stage
    after: Stage
    names_stay: bool = False
    dynamo: tuple[Stage | None, Stage | None] = (None, None)
    captures: tuple[Capture, Capture] | None = None
    """Where the two are of different captures."""
    recorded: Callable[[], Mapping[NodeId, NodeId]] = dict
    """Asks what was recorded of which node became which."""


@dataclass(frozen=True)
class Compared:
    """Two stages compared."""

    before: Stage
    after: Stage
    match: GraphMatch | None
    """None where one of them is text."""
    merged: MergedDiagram | None
    texts: tuple[CodeText, CodeText]
    rows: tuple[TextRow, ...]
    words: str
    """What differs, in a line of counts."""
    around: str = ""
    """What differs between the two captures as a whole: breaks, graphs, kernels, times."""
    shortened: Shortened | None = None
    """The merged diagram with all stretches folded."""

    @cached_property
    def differing(self) -> frozenset[NodeId]:
        """Nodes of the merged diagram that are not equal."""
        nodes = self.merged.nodes if self.merged is not None else ()
        return frozenset(node.id for node in nodes if node.state != KEPT)

    @cached_property
    def names(self) -> Mapping[NodeId, NodeId]:
        """Nodes before → the same nodes after."""
        return {pair.before: pair.after for pair in self.match.pairs} if self.match is not None else {}


def compare(request: ComparisonRequest, cancel_token: CancelToken) -> Compared:
    """Compare. Raises ComparingCancelledError soon after the course is cancelled."""
    before, after = request.before, request.after
    cancel_token.go_on(tr("matching Dynamo's nodes"))
    origins = None if request.names_stay else origins_between(*request.dynamo)
    cancel_token.go_on(
        tr("matching {node_count:,} with {node_count2:,} nodes").format(
            node_count=before.node_count, node_count2=after.node_count
        )
    )
    match = match_stages(before, after, request.names_stay, origins, request.recorded())
    cancel_token.go_on(tr("putting both graphs together"))
    old, new = diagram(before), diagram(after)
    merged = merge(old, new, match) if match is not None and old is not None and new is not None else None
    if merged is not None:
        running = in_running_order(merged.diagram) or merged.diagram
        merged = msgspec.structs.replace(merged, diagram=running)
    cancel_token.go_on(tr("aligning the programs"))
    texts = program(before), program(after)
    rows = align_texts(*texts, match)
    cancel_token.go_on(tr("comparing the captures"))
    around = ""
    if request.captures is not None:
        diff = compare_captures(*request.captures)
        around = " · ".join((summary(diff), *map(figure_text, diff.figures)))
    words = describe(match) if match is not None else _format_lines(rows)
    result = Compared(before, after, match, merged, texts, rows, words, around)
    if merged is None:
        return result
    cancel_token.go_on(tr("folding what is equal"))
    return replace(result, shortened=shorten(merged.diagram, result.differing))


_LINES = {
    "added": tr_noop("%n line(s) added", None, 1),
    "removed": tr_noop("%n line(s) removed", None, 1),
    "changed": tr_noop("%n line(s) changed", None, 1),
    "moved": tr_noop("%n line(s) moved", None, 1),
}


def _format_lines(rows: tuple[TextRow, ...]) -> str:
    reported = [
        tr(words, None, count)
        for state, words in _LINES.items()
        if (count := sum(row.state == state for row in rows))
    ]
    equal = sum(row.state == KEPT for row in rows)
    return (
        tr("{names} · {equal:,} equal").format(names=", ".join(reported), equal=equal)
        if reported
        else tr("No difference: %n equal line(s)", None, equal)
    )
