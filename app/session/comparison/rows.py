"""Differences of graphs and kernels as rows with two sides, for every pane that lays two things beside each other."""

import difflib
from dataclasses import dataclass

from app.translation.texts import tr
from compiler.analysis.text_format.printer import statement
from compiler.model.capture.capture import Capture
from compiler.model.diff.graph_diff import GraphDiff
from compiler.model.diff.kernel_diff import KernelDiff, KernelRef, kernel_at, plain_text
from compiler.model.ir.graph import SourceLine
from compiler.model.ir.ids import NOWHERE, Place, StageId, place
from compiler.model.ir.loop_ir import Kernel
from compiler.model.ir.stage import Stage

MOST_ROWS = 2000
"""More of one kind are not shown; the count in a title is of all."""


@dataclass(frozen=True)
class Difference:
    """What it is and how it reads on either side; empty where it is not there."""

    what: str
    before: str
    after: str
    location: Place = NOWHERE
    """What a click selects."""
    line: SourceLine | None = None
    """Where it comes from, for an editor."""
    parts: tuple["Difference", ...] = ()
    tooltip: str = ""


@dataclass(frozen=True)
class Group:
    """Differences of one kind."""

    title: str
    rows: tuple[Difference, ...]
    open: bool = True


def graph_rows(old: Stage, new: Stage, diff: GraphDiff, old_is_shown: bool) -> tuple[Difference, ...]:
    """Changed, gone and new nodes in the order of the program; nodes that are gone can be selected if `old_is_shown`."""
    if old.graph is None or new.graph is None:
        return ()
    before, after = old.graph.by_id(), new.graph.by_id()
    changed = {change.after: change for change in diff.changed}
    added = set(diff.added)
    rows = []
    for name, node in after.items():
        line = node.stack[-1] if node.stack else None
        location = place(new.id, name)
        if name in added:
            rows.append(Difference(f"+ {name}", "", statement(node), location, line, tooltip=tr("new")))
        elif name in changed:
            change = changed[name]
            was = before[change.before]
            words = "\n".join(change.what)
            rows.append(
                Difference(f"~ {name}", statement(was), statement(node), location, line, tooltip=words)
            )
    for name in diff.removed:
        node = before[name]
        line = node.stack[-1] if node.stack else None
        location = place(old.id, name) if old_is_shown else NOWHERE
        rows.append(Difference(f"− {name}", statement(node), "", location, line, tooltip=tr("gone")))
    return tuple(rows[:MOST_ROWS])


def kernel_rows(
    before: Capture, after: Capture, diff: KernelDiff, old_is_shown: bool
) -> tuple[Difference, ...]:
    """Kernels with another text, each with the lines that differ; then those gone and new."""
    rows = []
    for change in diff.changed:
        old, new = kernel_at(before, change.before), kernel_at(after, change.after)
        parts = _line_rows(old, new, change.after.stage)
        rows.append(
            Difference(
                f"~ {new.name}",
                old.name,
                tr("{name}: %n line(s) differ", None, len(parts)).format(name=new.name),
                _location(change.after),
                parts=parts,
            )
        )
    for ref in diff.gone:
        location = _location(ref) if old_is_shown else NOWHERE
        rows.append(
            Difference(f"− {kernel_at(before, ref).name}", _called(ref), "", location, tooltip=tr("gone"))
        )
    rows += [
        Difference(f"+ {kernel_at(after, ref).name}", "", _called(ref), _location(ref), tooltip=tr("new"))
        for ref in diff.new
    ]
    return tuple(rows[:MOST_ROWS])


def _line_rows(old: Kernel, new: Kernel, stage: StageId) -> tuple[Difference, ...]:
    left, right = plain_text(old).splitlines(), plain_text(new).splitlines()
    rows = []
    for tag, a, b, c, d in difflib.SequenceMatcher(None, left, right, autojunk=False).get_opcodes():
        if tag == "equal":
            continue
        for offset in range(max(b - a, d - c)):
            was, now = a + offset, c + offset
            location = place(stage, f"{new.id}:L{now + 1}") if now < d else place(stage, new.id)
            rows.append(
                Difference(
                    tr("line {value}").format(value=(now if now < d else was) + 1),
                    left[was].strip() if was < b else "",
                    right[now].strip() if now < d else "",
                    location,
                )
            )
    return tuple(rows[:MOST_ROWS])


def _called(ref: KernelRef) -> str:
    return tr("called in {stage}").format(stage=ref.stage)


def _location(ref: KernelRef) -> Place:
    return place(ref.stage, ref.kernel)
