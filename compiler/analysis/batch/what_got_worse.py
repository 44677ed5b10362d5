"""One batch against an older one: what got worse, and what cannot be told."""

from collections import Counter
from collections.abc import Iterable, Iterator

import msgspec

from compiler.analysis.text_format.times import spread_text, summary_text
from compiler.model.batch.jobs import HERE, JobKey
from compiler.model.batch.rows import Cause, Figures, Row
from compiler.model.capture.counted import counted, first_of
from compiler.model.ir.ids import is_number
from compiler.model.timing.paired_ratio import FEWEST_PAIRS, PairedRatio
from compiler.model.timing.timings import TimingSummary

KINDS = ("failure", "breaks", "graphs", "slower", "memory", "code")
_NAMED = 3


class Worse(msgspec.Struct, frozen=True):
    """One thing that got worse in one program."""

    kind: str
    key: JobKey
    what: str
    before: str
    """Ids of the two jobs, whose session files can be compared."""
    after: str


class BatchComparison(msgspec.Struct, frozen=True):
    """All of it."""

    worse: tuple[Worse, ...]
    notes: tuple[str, ...]
    """What was not compared and why."""
    compared: int
    """How many rows had one to be compared with."""


def compare_batches(
    before: Iterable[Row], after: Iterable[Row], ignore: Iterable[str] = ()
) -> BatchComparison:
    """Rows of the same program, target, mode and torch; where the old batch has not that torch, its newest of another."""
    old: dict[tuple[str, str, str], dict[str, Row]] = {}
    for row in before:
        old.setdefault(_but_torch(row.key), {})[row.key.torch] = row
    worse: list[Worse] = []
    notes: list[str] = []
    compared: set[str] = set()
    met: set[tuple[str, str, str]] = set()
    count = 0
    left_out = set(ignore)
    for row in after:
        candidates = old.get(_but_torch(row.key), {})
        met.add(_but_torch(row.key))
        one = candidates.get(row.key.torch)
        if one is None and candidates:
            one = candidates[max(candidates, key=_version)]
        if one is None:
            notes.append(f"{row.key}: not in the old batch")
            continue
        count += 1
        compared.add(one.id)
        worse += [
            Worse(kind, row.key, what, one.id, row.id)
            for kind, what in _worse(one, row)
            if kind not in left_out
        ]
        notes += [f"{row.key}: {text}" for text in _unreported(one, row)]
    gone = [row for rows in old.values() for row in rows.values() if _but_torch(row.key) not in met]
    notes += [f"{row.key}: not in this batch any more" for row in gone]
    return BatchComparison(tuple(worse), tuple(notes), count)


def _but_torch(key: JobKey) -> tuple[str, str, str]:
    return key.program, key.target, key.mode


def _version(text: str) -> tuple[int, ...]:
    return tuple(int(part) for part in text.split("+")[0].split(".") if is_number(part))


def _worse(before: Row, after: Row) -> Iterator[tuple[str, str]]:
    if after.failed and (not before.failed or _is_worse_failure(before, after)):
        yield "failure", f"{before.cause.value} → {after.cause.value}: {_first_line(after.what)}"
        if not before.failed:  # what is left of it has less of everything, and says no more
            return
    old, new = before.figures, after.figures
    if old is None or new is None:
        return
    added = Counter(new.breaks_at) - Counter(old.breaks_at)
    if new.breaks > old.breaks or added:
        named = _some(added.elements())
        yield "breaks", f"{old.breaks} → {counted(new.breaks, 'graph break')}; new: {named}"
    if new.graphs > old.graphs:
        yield "graphs", f"{old.graphs} → {counted(new.graphs, 'graph')}"
    if old.memory is not None and new.memory is not None and new.memory > old.memory:
        yield "memory", f"{old.memory:,} → {new.memory:,} bytes planned at once"
    yield from _code(before, after, old, new)
    if _times_are_comparable(before, after) and _is_slower(old, new):
        assert old.step is not None
        assert new.step is not None
        yield (
            "slower",
            f"a step {summary_text(old.step)} → {summary_text(new.step)}, and slower against eager too",
        )


def _is_worse_failure(before: Row, after: Row) -> bool:
    """Less is left of the capture, or it ends in another way; the other way round it got better."""
    if before.cause is Cause.PARTS or after.cause is Cause.PARTS:
        return before.cause is Cause.PARTS and after.cause is not Cause.PARTS
    return before.cause is not after.cause


def _code(before: Row, after: Row, old: Figures, new: Figures) -> Iterator[tuple[str, str]]:
    if not _code_is_comparable(after, old, new):
        return
    left, right = [row.digest for row in old.kernels], [row.digest for row in new.kernels]
    if left == right:
        return
    fresh = Counter(right) - Counter(left)
    gone = Counter(left) - Counter(right)
    names = {row.digest: row.name for row in (*old.kernels, *new.kernels)}
    reported = [
        f"{fresh.total()} of {len(right)} kernels new or changed ({_some(names[key] for key in fresh)})"
        if fresh
        else "",
        f"{gone.total()} of {len(left)} gone ({_some(names[key] for key in gone)})" if gone else "",
        "" if fresh or gone else "the same kernels in another order",
    ]
    yield "code", "; ".join(filter(None, reported))


def _code_is_comparable(after: Row, old: Figures, new: Figures) -> bool:
    """A GPU's code is the same on every machine; a CPU's depends on its processor and threads."""
    return after.key.target not in HERE or old.machine == new.machine


def _times_are_comparable(before: Row, after: Row) -> bool:
    old, new = before.figures, after.figures
    return bool(
        before.alone and after.alone and old and new and old.machine == new.machine and old.step and new.step
    )


def _is_slower(old: Figures, new: Figures) -> bool:
    """The quartiles lie apart, and so do the intervals of eager over compiled: a machine that is slower today slows both."""
    assert old.step is not None
    assert new.step is not None
    return _differ(old.step, new.step) and _ratio_fell(old.ratio, new.ratio)


def _differ(old: TimingSummary, new: TimingSummary) -> bool:
    return min(old.count, new.count) >= FEWEST_PAIRS and new.low > old.high


def _ratio_fell(old: PairedRatio | None, new: PairedRatio | None) -> bool:
    if old is None or new is None or old.others or new.others:
        return False
    return new.high < old.low


def _unreported(before: Row, after: Row) -> Iterator[str]:
    """What a person would take for compared, and was not."""
    old, new = before.figures, after.figures
    if old is None or new is None:
        return
    if not _code_is_comparable(after, old, new):
        yield f"code not compared, made on another machine ({old.machine}; now {new.machine})"
    if old.step is None or new.step is None:
        return
    if not (before.alone and after.alone):
        yield "times not compared: measured beside other jobs (--jobs 1 measures alone)"
    elif not _times_are_comparable(before, after):
        yield "times not compared: another machine"
    elif _differ(old.step, new.step) and not _is_slower(old, new):
        taken = max((row.others for row in (old.ratio, new.ratio) if row is not None), default=0.0)
        reason = (
            f"but other processes used {taken:.1f} cores meanwhile"
            if taken
            else "but not told from the machine or eager being slower"
        )
        yield f"{_longer(old.step, new.step)}, {reason}"


def _longer(old: TimingSummary, new: TimingSummary) -> str:
    texts = [spread_text(row.median, row.low, row.high) for row in (old, new)]
    return f"a step takes {new.median / old.median:.2f} times as long ({' → '.join(texts)})"


def _some(names: Iterable[str]) -> str:
    return first_of(list(names), _NAMED, "; ")


def _first_line(text: str) -> str:
    return text.split("\n", 1)[0]
