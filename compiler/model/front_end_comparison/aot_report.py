"""Two partitions of one joint graph beside each other, as text."""

import msgspec

from compiler.model.capture.counted import first_of
from compiler.model.ir.memory_budget_curve import CurvePoint
from compiler.model.ir.tensor_types import describe_bytes

_MOST_NAMES = 40


class SavedRow(msgspec.Struct, frozen=True):
    """One tensor that the forward hands to the backward."""

    name: str
    shape: str
    bytes: int | None
    lives_anyway: bool = False
    """It lies in the storage of an input, a parameter or a result of the program."""
    base: str = ""
    """The saved tensor whose storage it lies in as well, where it is not the first."""


class CutFacts(msgspec.Struct, frozen=True):
    """One partition."""

    title: str
    saved: tuple[SavedRow, ...]
    kept_bytes: int | None
    """Storages counted once, inputs, parameters and results left out; None where a size is symbolic."""
    recomputed: tuple[str, ...]
    forward_operations: int
    backward_operations: int


def report_text(cuts: tuple[CutFacts, ...], curve: tuple[CurvePoint, ...]) -> str:
    """A table of both, what each saves and computes again, and the memory-budget curve."""
    width = 20
    lines = ["".join([f"{'':<22}", *(f"{cut.title:>{width}}" for cut in cuts)])]
    for name, values in (
        ("kept for the backward", [describe_bytes(cut.kept_bytes) for cut in cuts]),
        ("tensors saved", [str(sum(not row.lives_anyway for row in cut.saved)) for cut in cuts]),
        ("inputs, results, views", [str(sum(row.lives_anyway for row in cut.saved)) for cut in cuts]),
        ("computed again", [str(len(cut.recomputed)) for cut in cuts]),
        ("operations, forward", [str(cut.forward_operations) for cut in cuts]),
        ("operations, backward", [str(cut.backward_operations) for cut in cuts]),
    ):
        lines.append("".join([f"{name:<22}", *(f"{value:>{width}}" for value in values)]))
    lines += [
        "",
        "Bytes are of storages, each counted once; inputs, parameters and results live anyway and are left out.",
    ]
    for cut in cuts:
        lines += ["", f"Saved by the {cut.title}:"]
        lines += [_saved_line(row) for row in cut.saved] or ["  nothing"]
        lines += ["", f"Computed again by the {cut.title}: {_names(cut.recomputed)}"]
    return "\n".join([*lines, "", *_curve_lines(curve), ""])


def _saved_line(row: SavedRow) -> str:
    where = (
        " (an input's or a result's storage)"
        if row.lives_anyway
        else f" (in the storage of {row.base})"
        if row.base
        else ""
    )
    return f"  {row.name:<14} {row.shape:<22} {describe_bytes(row.bytes):>10}{where}"


def _names(names: tuple[str, ...]) -> str:
    return first_of(names, _MOST_NAMES) or "nothing"


def _curve_lines(curve: tuple[CurvePoint, ...]) -> list[str]:
    """Budgets that give the same partition stand in one line."""
    if not curve:
        return []
    lines = ["Memory budget of the min-cut partition (repeated operations: torch's estimate)"]
    lines.append(f"  {'budget':<12}{'kept':>12}{'computed again':>16}{'FLOP':>14}")
    groups: list[list[CurvePoint]] = []
    for point in sorted(curve, key=lambda row: -row.budget):
        if groups and _same(groups[-1][-1], point):
            groups[-1].append(point)
        else:
            groups.append([point])
    for group in groups:
        first, last = group[0], group[-1]
        budget = f"{first.budget:g}" if first is last else f"{first.budget:g} to {last.budget:g}"
        kept = describe_bytes(first.bytes)
        lines.append(f"  {budget:<12}{kept:>12}{first.recomputed:>16}{first.flops:>14,.0f}")
    return lines


def _same(one: CurvePoint, other: CurvePoint) -> bool:
    return (one.bytes, one.recomputed, one.flops) == (other.bytes, other.recomputed, other.flops)
