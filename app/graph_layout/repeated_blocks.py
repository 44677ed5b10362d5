"""Equal modules that follow one another, such as the layers of a transformer: found here, drawn as one box "×32"."""

from collections.abc import Iterator, Sequence

from app.graph_layout.module_tree import BACKWARD, GroupId, Module
from app.graph_layout.ports import Folded
from compiler.model.diagrams.diagrams import DiagramNode
from compiler.model.ir.ids import NodeId

FEWEST = 4
"""So many equal neighbours, and no fewer, are one box."""

_MOST_BETWEEN = 3
"""So many operations may stand between two of them, the same ones each time."""

Item = DiagramNode | Module


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
    run = _Run()
    for item in module.items:
        if not isinstance(item, Module):
            run.between.append(item)
        elif item.id in collapsed and item.shape >= 0:
            yield from run.take(item)
        else:
            yield from run.finish()
            yield item
    yield from run.finish()


class _Run:
    """Equal modules so far, with the few operations that stand between each two of them (sums of gradients do)."""

    def __init__(self) -> None:
        self._modules: list[Module] = []
        self._links: list[tuple[DiagramNode, ...]] = []
        self.between: list[DiagramNode] = []
        """What came behind the last module."""

    def take(self, module: Module) -> Iterator[Item]:
        """One more module. Gives what is finished by it."""
        link = tuple(self.between)
        equal = bool(self._modules) and module.shape == self._modules[-1].shape and len(link) <= _MOST_BETWEEN
        if equal and self._links and _look(link) != _look(self._links[0]):
            equal = len(self._modules) < FEWEST
            if equal:  # what came before is no run, but its last module may begin one
                last = self._modules.pop()
                before = self._links.pop()
                yield from self._given()
                yield from before
                self._modules, self._links = [last], []
        if not equal:
            yield from self.finish()
        else:
            self._links.append(link)
        self._modules.append(module)
        self.between = []

    def finish(self) -> Iterator[Item]:
        """The run as it stands, and what came behind it."""
        yield from self._given()
        yield from self.between
        self._modules, self._links, self.between = [], [], []

    def _given(self) -> Iterator[Item]:
        items: list[Item] = []
        for number, module in enumerate(self._modules):
            items += [*(self._links[number - 1] if number else ()), module]
        if len(self._modules) < FEWEST:
            yield from items
        else:
            yield _folded(self._modules, items)


def _look(nodes: tuple[DiagramNode, ...]) -> tuple[tuple[str, str, str], ...]:
    return tuple((node.title, node.role, node.detail) for node in nodes)


def runs(tree: Module, collapsed: frozenset[GroupId]) -> Iterator[Module]:
    """The runs in view below an open module, from the outside in."""
    for item in drawn_items(tree, collapsed):
        if isinstance(item, Module):
            if item.repeats > 1:
                yield item
            elif item.id not in collapsed:
                yield from runs(item, collapsed)


def _folded(modules: list[Module], items: list[Item]) -> Module:
    lowest, highest = sorted((modules[0], modules[-1]), key=_number_in_id)
    name = f"{_base(lowest.id)}…{_base(highest.id).rpartition('.')[2]}"
    lane = modules[0].lane
    path = (*modules[0].path[:-1], f"{modules[0].path[-1]}–{modules[-1].path[-1]}")
    made = f"{name}@{BACKWARD}" if lane == BACKWARD else name
    return Module(made, path, lane, items, repeats=len(modules))


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
