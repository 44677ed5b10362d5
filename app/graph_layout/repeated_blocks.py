"""Equal modules that follow one another, such as the layers of a transformer: found here, drawn as one box "×32"."""

from collections.abc import Iterator, Sequence

from app.graph_layout.folding import Folded
from app.graph_layout.module_tree import BACKWARD, GroupId, Module
from compiler.model.diagrams import DiagramNode
from compiler.model.ids import NodeId

FEWEST = 4
"""So many equal neighbours, and no fewer, are one box."""

Item = DiagramNode | Module
Run = list[Module]


def find_shapes(trees: Sequence[Module], folded: Folded) -> None:
    """Number the shapes of all modules: equal numbers for the same operations, types and wiring inside.

    Only modules that have a module beside them are numbered; nothing else can repeat.
    """
    known: dict[tuple[object, ...], int] = {}
    if not any(_has_neighbours(module) for tree in trees for module in (tree, *tree.modules())):
        return
    chains: dict[NodeId, list[tuple[int, int]]] = {}
    for tree in trees:
        _write_chains(tree, [], chains)
    wires: dict[int, list[tuple[int, int]]] = {}
    for edge in folded.edges:
        for (holder, source), (other, target) in zip(chains[edge.source], chains[edge.target], strict=False):
            if holder != other:
                break
            if source != target:
                wires.setdefault(holder, []).append((source, target))
                break
    for tree in trees:
        _number(tree, wires, known)


def drawn_items(module: Module, collapsed: frozenset[GroupId]) -> Iterator[Item]:
    """What stands in an open module: its items, with runs of equal collapsed modules as one."""
    run: Run = []
    for item in module.items:
        closed = isinstance(item, Module) and item.id in collapsed and item.shape >= 0
        if run and not (closed and isinstance(item, Module) and item.shape == run[-1].shape):
            yield from _finished(run)
            run = []
        if closed and isinstance(item, Module):
            run.append(item)
        else:
            yield item
    yield from _finished(run)


def runs(tree: Module, collapsed: frozenset[GroupId]) -> Iterator[Module]:
    """The runs in view below an open module, from the outside in."""
    for item in drawn_items(tree, collapsed):
        if isinstance(item, Module):
            if item.repeats > 1:
                yield item
            elif item.id not in collapsed:
                yield from runs(item, collapsed)


def _finished(run: Run) -> Iterator[Module]:
    if len(run) < FEWEST:
        yield from run
        return
    lowest, highest = sorted((run[0], run[-1]), key=_number_in_id)
    name = f"{_base(lowest.id)}…{_base(highest.id).rpartition('.')[2]}"
    lane = run[0].lane
    path = (*run[0].path[:-1], f"{run[0].path[-1]}–{run[-1].path[-1]}")
    made = f"{name}@{BACKWARD}" if lane == BACKWARD else name
    yield Module(made, path, lane, list(run), repeats=len(run))


def first_of(run: Module) -> Module:
    """The one of a run that opens when one asks to see inside: ``layers.0``, in the backward lane too."""
    return min((item for item in run.items if isinstance(item, Module)), key=_number_in_id)


def _number_in_id(module: Module) -> tuple[int, GroupId]:
    """Sorts ``layers.2`` before ``layers.10``."""
    return len(module.id), module.id


def _base(name: GroupId) -> str:
    return name.removesuffix(f"@{BACKWARD}")


def _has_neighbours(module: Module) -> bool:
    return sum(isinstance(item, Module) for item in module.items) >= FEWEST


def _write_chains(
    module: Module, above: list[tuple[int, int]], chains: dict[NodeId, list[tuple[int, int]]]
) -> None:
    """For each node the modules around it from the outside in, each with the number of the item that leads on."""
    for index, item in enumerate(module.items):
        here = [*above, (id(module), index)]
        if isinstance(item, Module):
            _write_chains(item, here, chains)
        else:
            chains[item.id] = here


def _number(
    module: Module, wires: dict[int, list[tuple[int, int]]], known: dict[tuple[object, ...], int]
) -> int:
    inside = tuple(
        _number(item, wires, known) if isinstance(item, Module) else (item.title, item.role, item.detail)
        for item in module.items
    )
    key = (inside, tuple(sorted(wires.get(id(module), ()))))
    module.shape = known.setdefault(key, len(known))
    return module.shape
