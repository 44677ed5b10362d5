"""Transforms that other installed packages bring: entry points of the group ``torch_loupe.transforms``.

An entry point names a `Transform` or a tuple of them. One that fails costs itself only, and is named.
"""

import functools
import importlib.metadata
from collections.abc import Iterator

import msgspec

from compiler.analysis.transforms.catalogue import TRANSFORMS, Make, Transform
from compiler.model.edits.edits import EditError, EditGroup
from compiler.model.ir.diagnostics import Problem, Severity
from compiler.model.ir.graph import Graph
from compiler.model.ir.ids import NodeId, StageId

GROUP = "torch_loupe.transforms"


class FoundTransforms(msgspec.Struct, frozen=True):
    """All there are, ours first, and what of other packages could not be loaded."""

    rows: tuple[Transform, ...]
    faults: tuple[Problem, ...] = ()


@functools.cache
def found_transforms() -> FoundTransforms:
    """Ours, and those of installed packages, which are imported for it once."""
    rows, faults = list(TRANSFORMS), []
    for point in sorted(importlib.metadata.entry_points(group=GROUP), key=lambda point: point.name):
        try:
            for row in _loaded(point):
                _require_new(row, rows)
                rows.append(row)
        except Exception as error:  # noqa: BLE001  somebody else's package: whatever it raises, the rest works
            what = f"The plug-in {point.name} ({point.value}) could not be loaded: {type(error).__name__}: {error}"
            remedy = "Its transforms are missing; update or uninstall its package."
            faults.append(Problem(f"{what.rstrip('.')}.", remedy, severity=Severity.WARNING))
    return FoundTransforms(tuple(rows), tuple(faults))


def _loaded(point: importlib.metadata.EntryPoint) -> Iterator[Transform]:
    given = point.load()
    for row in given if isinstance(given, tuple | list) else (given,):
        if not isinstance(row, Transform):
            raise TypeError(f"{row!r} is no torch_loupe.Transform")
        yield Transform(row.id, row.title, row.about, _guarded(point.name, row.make), "plug-in")


def _require_new(row: Transform, rows: list[Transform]) -> None:
    if row.id in {other.id for other in rows}:
        raise ValueError(f"there is a transform {row.id!r} already")


def _guarded(plugin: str, make: Make) -> Make:
    """The plug-in's function, with whatever it does wrong told as its own."""

    def made(stage: StageId, graph: Graph, nodes: tuple[NodeId, ...]) -> EditGroup:
        try:
            group = make(stage, graph, nodes)
        except EditError:
            raise
        except Exception as error:
            raise EditError(f"The plug-in {plugin} failed: {type(error).__name__}: {error}") from error
        if not isinstance(group, EditGroup):
            raise EditError(f"The plug-in {plugin} gave {type(group).__name__} instead of an EditGroup.")
        return group

    return made
