"""What changed between two captures, in one line of words."""

from compiler.model.capture.counted import counted
from compiler.model.diff.capture_diff import CaptureDiff
from compiler.model.ir.tensor_types import describe_bytes


def summary(diff: CaptureDiff) -> str:
    """``2 graph breaks gone, 1 new · 3 → 1 graphs · 5 → 3 kernels``; never empty."""
    parts = [
        *_gone_and_new("graph break", len(diff.breaks.gone), len(diff.breaks.new)),
        *_graphs(diff),
        *_kernels(diff),
        *_gone_and_new("recompile", len(diff.recompiles_gone), len(diff.recompiles_new)),
        *_saved(diff),
        *_gone_and_new("problem", len(diff.problems_gone), len(diff.problems_new)),
    ]
    if not parts:
        parts = _little(diff)
    return " · ".join(parts)


def _gone_and_new(word: str, gone: int, new: int) -> list[str]:
    if gone and new:
        return [f"{counted(gone, word)} gone, {new} new"]
    if gone:
        return [f"{counted(gone, word)} gone"]
    return [f"{new:,} new {word if new == 1 else f'{word}s'}"] if new else []


def _counts(diff: CaptureDiff, name: str) -> tuple[int, int]:
    figure = diff.figure(name)
    return int(figure.before or 0), int(figure.after or 0)


def _graphs(diff: CaptureDiff) -> list[str]:
    before, after = _counts(diff, "graphs")
    if before != after:
        return [f"{before} → {counted(after, 'graph')}"]
    changes = [
        change for change in diff.stages if change.graph is not None and change.after.endswith(":dynamo")
    ]
    if not changes:
        return []
    signs = zip(
        "+−~",
        (
            sum(change.added for change in changes),
            sum(change.removed for change in changes),
            sum(change.changed for change in changes),
        ),
        strict=True,
    )
    nodes = " ".join(f"{sign}{number}" for sign, number in signs if number)
    return [f"{counted(len(changes), 'graph')} changed ({nodes} nodes)"]


def _kernels(diff: CaptureDiff) -> list[str]:
    before, after = _counts(diff, "kernels")
    if before != after:
        return [f"{before} → {counted(after, 'kernel')}"]
    touched = len(diff.kernels.changed) + max(len(diff.kernels.new), len(diff.kernels.gone))
    return [f"{counted(touched, 'kernel')} changed"] if touched else []


def _saved(diff: CaptureDiff) -> list[str]:
    figure = diff.figure("saved bytes")
    if figure.before is None or figure.after is None or figure.before == figure.after:
        return []
    before, after = describe_bytes(int(figure.before)), describe_bytes(int(figure.after))
    return [f"{before} → {after} saved for backward"]


def _little(diff: CaptureDiff) -> list[str]:
    if diff.same:
        return ["Nothing changed"]
    before, after = _counts(diff, "guards")
    if before != after:
        return [f"{before} → {counted(after, 'guard')}"]
    if diff.files and not any(change.graph for change in diff.stages):
        return ["The text changed, what is compiled did not"]
    return [f"{counted(len(diff.stages), 'stage')} changed" if diff.stages else "Settings changed"]
