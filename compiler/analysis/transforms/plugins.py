"""Transforms that other installed packages bring: entry points of the group ``torch_loupe.transforms``, each a `Transform`."""

import functools

from compiler.analysis.plugins import Plugins, find_plugins, somebody_elses
from compiler.analysis.transforms.catalogue import TRANSFORMS, Make, Transform
from compiler.model.edits.edits import EditError, EditGroup
from compiler.model.ir.graph import Graph
from compiler.model.ir.ids import NodeId, StageId

GROUP = "torch_loupe.transforms"


@functools.cache
def found_transforms() -> Plugins[Transform]:
    """Ours, and those of installed packages, which are imported for it once."""
    return find_plugins(GROUP, Transform, TRANSFORMS, _adopted)


def _adopted(plugin: str, row: Transform) -> Transform:
    return Transform(row.id, row.title, row.about, _guarded(plugin, row.make), "plug-in")


def _guarded(plugin: str, make: Make) -> Make:
    """The plug-in's function, with whatever it does wrong reported as its own."""

    def made(stage: StageId, graph: Graph, nodes: tuple[NodeId, ...]) -> EditGroup:
        try:
            with somebody_elses():
                group = make(stage, graph, nodes)
        except EditError:
            raise
        except Exception as error:
            raise EditError(f"The plug-in {plugin} failed: {type(error).__name__}: {error}") from error
        if not isinstance(group, EditGroup):
            raise EditError(f"The plug-in {plugin} gave {type(group).__name__} instead of an EditGroup.")
        return group

    return made
