"""Equal modules that follow one another, such as the layers of a transformer: found here, drawn as one box "×32"."""

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache

from app.graph_layout.module_tree import BACKWARD, GroupId, Module
from app.graph_layout.ports import Folded
from compiler.model.diagrams.calls import Call, Calls
from compiler.model.diagrams.diagrams import THEN, Diagram, DiagramNode
from compiler.model.diagrams.equal_blocks import Chain, Member, equally_linked, shared_uses
from compiler.model.ir.arguments import ConstantArgument, NodeArgument, SequenceArgument
from compiler.model.ir.ids import NodeId

FEWEST = 4
"""So many equal neighbours, and no fewer, are one box."""

_MOST_BETWEEN = 3
"""So many operations may stand between two of them, the same ones each time."""

Item = DiagramNode | Module


def find_shapes(trees: Sequence[Module], folded: Folded, shown: Diagram) -> None:
    """Number the modules that stand beside others: equal numbers for neighbours that are equal (`equal_blocks`), and that
    have the same between them. Nodes that are hidden count too.
    """
    rows = [module for tree in trees for module in (tree, *tree.modules()) if _has_neighbours(module)]
    if not rows:
        return
    graph = _calls(shown)
    chains = {
        (row.lane == BACKWARD, _base(row.id) if row.path else ""): _chain(row, graph, folded) for row in rows
    }
    for (backward, name), (modules, chain) in chains.items():
        counterpart = chains.get((not backward, name))
        if counterpart is not None:
            numbers = {_base(module.id): number for number, module in enumerate(counterpart[0])}
            chain.other = counterpart[1]
            chain.in_other = [numbers.get(_base(module.id), -1) for module in modules]
    for modules, chain in chains.values():
        _number(modules, chain)
    for _, chain in chains.values():
        chain.let_go()


def _number(modules: list[Module], chain: Chain) -> None:
    modules[0].shape = modules[0].link = 0
    shared: tuple[bool, ...] | None = None
    for number, module in enumerate(modules[1:], start=1):
        last = modules[number - 1]
        module.shape, module.link = last.shape, last.link
        before = shared
        shared = shared_uses(chain, number - 1, number)
        if shared is None or (before is not None and before != shared):
            module.shape += 1
            chain.starts_over(number)
            shared = None
        if number > 1 and not equally_linked(chain, number - 2, number - 1):
            module.link += 1


def _calls(shown: Diagram) -> Calls:
    """Of all nodes, those that are hidden too."""
    nodes = (*shown.nodes, *shown.hidden)
    sources: dict[NodeId, list[NodeId]] = {}
    if any(node.call is None for node in nodes):
        place = {node.id: at for at, node in enumerate(nodes)}
        # Inductor sorts by name: op9, op10
        for edge in sorted(shown.edges, key=lambda edge: place[edge.source]):
            if edge.label != THEN:
                sources.setdefault(edge.target, []).append(edge.source)
    return Calls({node.id: node.call or _drawn_call(node, sources.get(node.id, [])) for node in nodes})


@lru_cache(maxsize=1024)
def _inside(names: tuple[str, ...]) -> str:
    return ".".join("#" if name.isdigit() else name for name in names)


def _members(module: Module, nodes: Iterable[DiagramNode], folded: Folded) -> list[Member]:
    """What stands in a module, with the results that are taken out of it."""
    depth = len(module.path)
    found = []
    known: dict[tuple[str, ...], str] = {}
    for node in nodes:
        group = node.group
        inside = known.get(group)
        if inside is None:
            inside = known[group] = _inside(group[depth:]) if group[:depth] == module.path else ""
        found.append((node.id, inside))
        if (chips := folded.chips.get(node.id)) is not None:
            found += [(chip.node, inside) for chip in chips if chip.kind == "getitem"]
    return found


def _drawn_call(node: DiagramNode, sources: list[NodeId]) -> Call:
    """Of loops and kernels only this is known."""
    detail = ConstantArgument("str", node.detail)
    args = SequenceArgument("tuple", (detail, *map(NodeArgument, sources)))
    return Call("drawn", node.title, args, lane=node.lane, role=node.role)


def _chain(row: Module, graph: Calls, folded: Folded) -> tuple[list[Module], Chain]:
    modules: list[Module] = []
    links: list[list[DiagramNode]] = []
    for item in row.items:
        if isinstance(item, Module):
            modules.append(item)
            links.append([])
        elif links:
            links[-1].append(item)
    parts = [_members(module, module.nodes(), folded) for module in modules]
    between = [_members(row, link, folded) if len(link) <= _MOST_BETWEEN else [] for link in links]
    return modules, Chain(parts, graph, between)


def drawn_items(module: Module, collapsed: frozenset[GroupId]) -> Iterator[Item]:
    """What stands in an open module: its items, with runs of equal collapsed modules as one."""
    if not module.inside:
        yield from module.items
        return
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
        if equal and self._links and module.link != self._modules[-1].link:
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
    at, last = _differing(lowest.id.split("."), highest.id.split("."))
    name = f"{_base(lowest.id)}…{_base(last)}"
    lane = modules[0].lane
    at, last = _differing(modules[0].path, modules[-1].path)
    path = (*modules[0].path[:at], f"{modules[0].path[at]}–{last}", *modules[0].path[at + 1 :])
    made = f"{name}@{BACKWARD}" if lane == BACKWARD else name
    return Module(made, path, lane, items, repeats=len(modules))


def _differing(one: Sequence[str], other: Sequence[str]) -> tuple[int, str]:
    """Where two paths part, which need not be at their ends: a module that holds only one is that one. And the second's name there."""
    pairs = enumerate(zip(one, other, strict=False))
    return next(((at, two) for at, (name, two) in pairs if name != two), (len(one) - 1, other[-1]))


def first_of(run: Module) -> Module:
    """The one of a run that opens when one asks to see inside: ``layers.0``, in the backward lane too."""
    return min(run.inside, key=_number_in_id)


def _number_in_id(module: Module) -> tuple[int, GroupId]:
    """Sorts ``layers.2`` before ``layers.10``."""
    return len(module.id), module.id


def _base(name: GroupId) -> str:
    return name.removesuffix(f"@{BACKWARD}")


def _has_neighbours(module: Module) -> bool:
    return len(module.inside) >= FEWEST
