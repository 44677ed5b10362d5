"""How much of a diagram is open: what is collapsed at a depth, and what a first look shows."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice

from app.graph_layout.module_tree import GroupId, Module
from app.graph_layout.repeated_blocks import drawn_items, first_of, runs
from compiler.model.diagrams.diagrams import DiagramNode


def collapsed_at_depth(trees: Iterable[Module], depth: int) -> frozenset[GroupId]:
    """The modules to collapse so that `depth` levels of modules are open."""
    closed: list[GroupId] = []

    def visit(module: Module, level: int) -> None:
        for item in module.inside:
            if level >= depth:
                closed.append(item.id)
            visit(item, level + 1)

    for tree in trees:
        visit(tree, 0)
    return frozenset(closed)


def depth_of(trees: Iterable[Module]) -> int:
    """How many levels of modules there are."""

    def depth(module: Module) -> int:
        return max((1 + depth(item) for item in module.inside), default=0)

    return max(map(depth, trees), default=0)


def open_depth(trees: Sequence[Module], most_boxes: int) -> int:
    """The deepest level that can be open with at most so many boxes in view (0 at least)."""
    for depth in range(1, depth_of(trees) + 1):
        if not _fits(trees, collapsed_at_depth(trees, depth), most_boxes):
            return depth - 1
    return depth_of(trees)


def _fits(trees: Iterable[Module], collapsed: frozenset[GroupId], most: int) -> bool:
    """Whether no more boxes are in view. Counting ends where there are."""
    boxes = (box for tree in trees for box in _boxes(tree, collapsed))
    return next(islice(boxes, most, None), None) is None


def _boxes(module: Module, collapsed: frozenset[GroupId]) -> Iterator[DiagramNode | Module]:
    for item in drawn_items(module, collapsed):
        if isinstance(item, Module) and item.repeats == 1 and item.id not in collapsed:
            yield from _boxes(item, collapsed)
        else:
            yield item


_CALM = 100
"""More boxes than these are not opened at first where fewer say as much."""


def first_view(trees: Sequence[Module], most_boxes: int) -> frozenset[GroupId]:
    """What is collapsed when a diagram opens: as many levels open as there is room for; but of many equal modules only
    the first is open, and the others are one box, so that one sees what is repeated and all of what is not.
    """
    deepest = open_depth(trees, most_boxes)
    whole = collapsed_at_depth(trees, deepest)
    if deepest == depth_of(trees) and _fits(trees, whole, _CALM):
        return whole
    for depth in range(deepest, -1, -1):
        collapsed = collapsed_at_depth(trees, depth)
        firsts = {first_of(run).id for tree in trees for run in runs(tree, collapsed)}
        shown = collapsed - firsts
        if firsts and _fits(trees, shown, most_boxes):
            return shown
    return whole
