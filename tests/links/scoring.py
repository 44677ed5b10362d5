"""Precision and recall of links, by pair of stages and by side, from measured programs.

Precision counts links of which the truth is known: right ones over right and wrong ones. Recall counts what is known to be
an operation's own and is linked to it.
"""

import dataclasses
from collections import defaultdict
from collections.abc import Iterable, Iterator

from compiler.model.ir.ids import line_of, place
from compiler.model.ir.links import LinkTable, Provenance
from compiler.model.ir.stage import Stage, StageKind
from tests.links.judging import Truth
from tests.links.measuring import Measured, claims

LINES = "kernel lines"
_NAMES = {
    StageKind.DYNAMO_GRAPH: "Dynamo", StageKind.PRE_GRAD_GRAPH: "pre-grad", StageKind.JOINT_GRAPH: "joint",
    StageKind.AOT_GRAPH: "AOT", StageKind.POST_GRAD_GRAPH: "post-grad", StageKind.LOOP_IR: "loop IR",
    StageKind.FUSED_LOOP_IR: "fused", StageKind.KERNELS: "kernels",
}  # fmt: skip
PAIRS = (
    ("Dynamo", "pre-grad"), ("pre-grad", "joint"), ("pre-grad", "AOT"), ("joint", "AOT"), ("AOT", "post-grad"),
    ("post-grad", "loop IR"), ("loop IR", "kernels"), ("post-grad", LINES), ("post-grad", "kernels"),
)  # fmt: skip


@dataclasses.dataclass
class Count:
    """Of one pair of stages on one side."""

    right: int = 0
    wrong: int = 0
    found: int = 0
    missed: int = 0

    @property
    def precision(self) -> float | None:
        """Right links over those that could be judged; None where there was none."""
        return self.right / (self.right + self.wrong) if self.right + self.wrong else None

    @property
    def recall(self) -> float | None:
        """Found links over those that should be there; None where there was none."""
        return self.found / (self.found + self.missed) if self.found + self.missed else None


@dataclasses.dataclass
class Scores:
    """All counts, and every single fault in words."""

    counts: dict[tuple[str, str, str], Count] = dataclasses.field(default_factory=lambda: defaultdict(Count))
    """(from, to, side) → count."""
    faults: list[str] = dataclasses.field(default_factory=list)

    def add(self, measured: Measured, name: str, certain: bool) -> None:
        """Count one program. `certain`: links marked as guesses are left out."""
        tables = [row for row in measured.capture.links if not (certain and row.proof == "guess")]
        links = Provenance(tables)
        for truth in measured.truths:
            claimed = claims(measured, links, truth.site)
            for stage, level, side, own, others in _parts(measured, truth):
                said = claimed.get(stage.id, set())
                count = self.counts["source", level, side]
                what = f"{name}:{truth.site.line} {truth.site.text[:60]!r} → {stage.id} ({side})"
                self._count(count, own, others, said, what)
            self._add_pairs(measured, links, truth, name)
        self._add_direct(measured, tables)

    def _count(self, count: Count, own: set[str], others: set[str], said: set[str], what: str) -> None:
        count.right += len(said & own)
        count.wrong += len(said & others)
        count.found += len(said & own)
        count.missed += len(own - said)
        if said & others:
            self.faults.append(f"wrong: {what}: {sorted(said & others)}")
        if own - said:
            self.faults.append(f"missed: {what}: {sorted(own - said)}")

    def _add_pairs(self, measured: Measured, links: Provenance, truth: Truth, name: str) -> None:
        """Recall from one stage to a later one: from the site's own nodes there to its own nodes here."""
        parts = list(_parts(measured, truth))
        froms = {stage.id: (stage, level) for stage, level, _, _, _ in parts if level != LINES}
        for stage, level in froms.values():
            own = {node for node in truth.own.get(stage.id, ()) if line_of(node) is None}
            for later, to, side, wanted, _ in parts:
                fits = later.part in ("", stage.part) or not stage.part
                if (level, to) not in PAIRS or not own or not fits or stage.compile_id != later.compile_id:
                    continue
                reached = links.descendants(place(stage.id, *own)).get(later.id, set())
                count = self.counts[level, to, side]
                count.found += len(wanted & reached)
                count.missed += len(wanted - reached)
                if wanted - reached:
                    self.faults.append(
                        f"missed: {name}:{truth.site.line} {stage.id} → {later.id} ({side}): {sorted(wanted - reached)}"
                    )

    def _add_direct(self, measured: Measured, tables: Iterable[LinkTable]) -> None:
        """Precision of single links: wrong if the target is certainly not of any site that the source is of."""
        owners: dict[tuple[str, str], list[Truth]] = defaultdict(list)
        about: dict[tuple[str, str], tuple[str, str]] = {}
        for truth in measured.truths:
            for stage, level, side, own, others in _parts(measured, truth):
                for node in own:
                    owners[stage.id, node].append(truth)
                for node in own | others:
                    about[stage.id, node] = level, side
        for row in tables:
            for source, target in row.pairs:
                first, second = about.get((row.source, source)), about.get((row.target, target))
                sites = owners.get((row.source, source), [])
                if first is None or second is None or not sites:
                    continue
                count = self.counts[first[0], second[0], second[1]]
                if any(target in truth.own.get(row.target, ()) for truth in sites):
                    count.right += 1
                elif all(target in truth.others.get(row.target, ()) for truth in sites):
                    count.wrong += 1
                    self.faults.append(f"wrong: {row.source}:{source} → {row.target}:{target} ({row.proof})")


def _parts(measured: Measured, truth: Truth) -> Iterator[tuple[Stage, str, str, set[str], set[str]]]:
    """(stage, its name in the table, side, own nodes, others' nodes) for all that was judged of a site."""
    for stage in measured.capture.stages:
        if stage.kind not in _NAMES or stage.id not in {*truth.own, *truth.others}:
            continue
        own, others = truth.own.get(stage.id, set()), truth.others.get(stage.id, set())
        name = _NAMES[stage.kind]
        if stage.kind is StageKind.KERNELS:
            for level, lines in ((name, False), (LINES, True)):
                mine, theirs = (
                    {n for n in nodes if (line_of(n) is not None) == lines} for nodes in (own, others)
                )
                yield stage, level, _side(stage), mine, theirs
        elif stage.kind is StageKind.JOINT_GRAPH:
            assert stage.graph is not None
            for side in ("forward", "backward"):
                nodes = {node.id for node in stage.graph.nodes if node.lane == side}
                yield stage, name, side, own & nodes, others & nodes
        else:
            yield stage, name, _side(stage), own, others


def _side(stage: Stage) -> str:
    return "backward" if stage.part == "backward" else "forward"


def table(scores: Scores) -> str:
    """The counts as a table for people."""
    head = f"{'from → to':<24}" + "".join(
        f"{side + ' ' + what:>30}" for side in ("forward", "backward") for what in ("precision", "recall")
    )
    rows = [head, "-" * len(head)]
    levels = [*_NAMES.values(), LINES]
    for pair in [*(("source", level) for level in levels), *PAIRS]:
        cells = []
        for side in ("forward", "backward"):
            count = scores.counts.get((*pair, side), Count())
            cells.append(_cell(count.precision, count.right, count.wrong))
            cells.append(_cell(count.recall, count.found, count.missed))
        if any(cell != "–" for cell in cells):
            rows.append(f"{pair[0] + ' → ' + pair[1]:<24}" + "".join(f"{cell:>30}" for cell in cells))
    return "\n".join(rows)


def _cell(value: float | None, good: int, bad: int) -> str:
    return "–" if value is None else f"{value:.4f} ({good} of {good + bad})"
