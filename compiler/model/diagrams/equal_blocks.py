"""Parts of a graph that follow one another, such as the layers of a transformer, and whether two of them are equal.

They are where they make the same calls in the same order: targets, constants, keywords, types, and what each uses. A node
of the one is for the other the node at its place. What comes from outside is the same node for both, or stands at the same
place of the part before, or is a weight or other input of its own that no part but the next one uses.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import TypeAlias

import msgspec

from compiler.model.ir.arguments import (
    Argument,
    ConstantArgument,
    MappingArgument,
    NodeArgument,
    SequenceArgument,
    children,
    nodes_in,
)
from compiler.model.ir.graph import Node
from compiler.model.ir.ids import NodeId
from compiler.model.ir.tensor_types import TensorValue, Value

_LEAVES = ("placeholder", "get_attr")
_SEED = "prims.inductor_lookup_seed.default"
"""Gives a layer a random seed of its own, by its number: as with weights, it is another one in each."""
_NUMBER = re.compile(r"_?\d+")
_STEP = 1_000_000
"""More than a part has nodes."""
_FARTHEST = 200
"""So many nodes outside are looked through from one part; what needs more is taken for unequal."""


class Call(msgspec.Struct, frozen=True):
    """All that a node computes, without its own name and where it was made."""

    op: str
    target: str
    args: SequenceArgument
    kwargs: MappingArgument = MappingArgument(())
    value: Value | None = None
    module_type: str = ""
    lane: str = ""
    role: str = ""
    chosen: str = ""
    body: tuple[Node, ...] = ()
    settings: MappingArgument = MappingArgument(())
    results: tuple[int, ...] = ()
    """For each use, where that is known, which of the results of what it uses: of an FX graph getitems say that."""

    @property
    def used(self) -> Iterator[NodeId]:
        """Every node its arguments name, in order, repeats included."""
        yield from nodes_in(self.args)
        if self.kwargs.items:
            yield from nodes_in(self.kwargs)


def call_of(node: Node) -> Call:
    """What a node of an FX graph computes."""
    return Call(
        node.op,
        node.target,
        node.args,
        node.kwargs,
        node.value,
        node.module_type,
        node.lane,
        node.role,
        node.chosen,
        node.body,
        node.settings,
    )


class Calls:
    """What every node of a graph computes, in order, with what it uses and what uses it."""

    def __init__(self, calls: Mapping[NodeId, Call]) -> None:
        self.calls = calls
        self.used = {name: tuple(call.used) for name, call in calls.items()}
        """Repeats included."""

    @cached_property
    def users(self) -> Mapping[NodeId, Sequence[NodeId]]:
        """Of those that are used."""
        users: dict[NodeId, list[NodeId]] = {}
        for name, used in self.used.items():
            for other in used:
                users.setdefault(other, []).append(name)
        return users


Member: TypeAlias = tuple[NodeId, str]
"""A node of a part, and the module inside the part that it stands in."""

Place: TypeAlias = tuple[int, int]
"""The number of a part, and of the node in it; below 0 for what stands behind the part and before the next."""


class Chain:
    """Parts in the order of the graph."""

    def __init__(
        self,
        parts: Sequence[Sequence[Member]],
        graph: Calls,
        links: Sequence[Sequence[Member]] = (),
    ) -> None:
        """`links`: what stands behind each part."""
        self.parts, self.links = parts, links
        self.calls, self.used, self._graph = graph.calls, graph.used, graph
        self.homes: dict[NodeId, Place] = {}
        for number, part in enumerate(parts):
            self.homes.update({name: (number, at) for at, (name, _) in enumerate(part)})
        for number, link in enumerate(links):
            self.homes.update({name: (number, -1 - at) for at, (name, _) in enumerate(link)})
        self._begins: dict[tuple[int, int], bool] = {}
        self._spans: dict[NodeId, tuple[int, int] | None] = {}
        self.lane = next((self.calls[name].lane for part in parts for name, _ in part), "")
        self.other: Chain | None = None
        """The same modules in the other lane of a joint graph."""
        self.in_other: Sequence[int] = ()
        """For each part its number there; below 0 for none."""

    def house(self, names: Iterable[NodeId]) -> None:
        """Say of nodes that lost their module, in the order of the graph, that they stand behind what they use last."""
        order = {name: at for at, name in enumerate(self.calls)}
        taken = set(self.homes.values())
        for name in names:
            used = [other for other in self.used[name] if other in self.homes]
            if used:
                number, at = self.homes[max(used, key=order.__getitem__)]
                at = at - _STEP if at < 0 else -1 - at
                while (number, at) in taken:
                    at -= _STEP
                self.homes[name] = number, at
                taken.add((number, at))

    def starts_anew(self, number: int) -> None:
        """Say that a part is not equal to the one before."""
        self._begins[number, -1] = True

    def begins(self, number: int, side: int = -1) -> bool:
        """Whether a part is the first of its kind, which may get from anywhere what the others get from the one before
        (-1), or from the one after (1: where forward and backward are one part).
        """
        key = number, side
        if key not in self._begins:
            self._begins[key] = not self._alike_inside(number, number + side) or not self._reaches(*key)
        return self._begins[key]

    def _alike_inside(self, one: int, other: int) -> bool:
        if not 0 <= other < len(self.parts):
            return False
        part, part_too = self.parts[one], self.parts[other]
        return len(part) == len(part_too) and all(
            inside == inside_too and same_call(self.calls[name], self.calls[name_too])
            for (name, inside), (name_too, inside_too) in zip(part, part_too, strict=True)
        )

    def _reaches(self, number: int, side: int) -> bool:
        used = (self.homes.get(used) for name, _ in self.parts[number] for used in self.used[name])
        return any(home is not None and (home[0] - number) * side > 0 for home in used)

    def span(self, name: NodeId) -> tuple[int, int] | None:
        """The first and the last part that need a node outside; None where there is none, or too much lies between."""
        if name not in self._spans:
            self._spans[name] = self._span(name)
        return self._spans[name]

    def _span(self, name: NodeId) -> tuple[int, int] | None:
        found: list[int] = []
        seen, ahead = {name}, [name]
        while ahead:
            for user in self._graph.users.get(ahead.pop(), ()):
                home = self.homes.get(user)
                if home is not None:
                    found.append(home[0])
                elif user not in seen and user in self.calls and self._leads_on(user):
                    seen.add(user)
                    ahead.append(user)
            if len(seen) > _FARTHEST:
                return None
        return (min(found), max(found)) if found else None

    def _leads_on(self, user: NodeId) -> bool:
        return self.calls[user].lane == self.lane and self.calls[user].op != "output"


class UnequalError(Exception):
    """Two parts differ; the text says where first."""


def paired(chain: Chain, one: int, other: int) -> dict[NodeId, NodeId]:
    """For each node of a part, or used by it, the one of the other part. Raises UnequalError with the first difference."""
    return _Pairing(chain, one, other).whole(chain.parts[one], chain.parts[other])


def kept(chain: Chain, one: int, pairs: Mapping[NodeId, NodeId]) -> tuple[bool, ...]:
    """Of two equal parts, for each use in the first whether the second uses the very same node. Parts that all use one
    mask are not as parts that use one of their own each.
    """
    uses = (used for name, _ in chain.parts[one] for used in chain.used[name])
    return tuple(pairs[used] == used for used in uses)


def equally_linked(chain: Chain, one: int, other: int) -> bool:
    """Whether the same stands behind two parts."""
    try:
        _Pairing(chain, one, other).whole(chain.links[one], chain.links[other])
    except UnequalError:
        return False
    return True


class _Pairing:
    def __init__(self, chain: Chain, one: int, other: int) -> None:
        self._chain, self._one, self._other = chain, one, other
        self._pairs: dict[NodeId, NodeId] = {}
        self._back: dict[NodeId, NodeId] = {}
        self._outside = 0

    def whole(self, one: Sequence[Member], other: Sequence[Member]) -> dict[NodeId, NodeId]:
        if len(one) != len(other):
            raise UnequalError(f"it has {len(other):,} nodes instead of {len(one):,}")
        calls, uses = self._chain.calls, self._chain.used
        for (first, inside), (second, inside_too) in zip(one, other, strict=True):
            call, call_too = calls[first], calls[second]
            used, used_too = uses[first], uses[second]
            if len(used) != len(used_too):
                raise UnequalError(f"{second} uses another number of nodes than {first}")
            for name, name_too in zip(used, used_too, strict=True):
                if not self._same(name, name_too):
                    raise UnequalError(self._reason(first, name, second, name_too))
            if call.results != call_too.results and not self._same_results(call, call_too):
                raise UnequalError(f"{second} uses other results than {first}")
            if not self._same(first, second):
                raise UnequalError(f"{second} stands where {first} does, but is used otherwise")
            if inside != inside_too or not same_call(call, call_too):
                raise UnequalError(f"{second} is not the same call as {first}")
        return self._pairs

    def _same_results(self, call: Call, other: Call) -> bool:
        """Whether two calls use the same results of what is the same for both. What a first part is given is not."""
        if len(call.results) != len(other.results):
            return False
        homes = self._chain.homes
        for name, name_too, place, place_too in zip(
            call.used, other.used, call.results, other.results, strict=True
        ):
            home, home_too = homes.get(name), homes.get(name_too)
            alike = home and home_too and _moved(home, self._one) == _moved(home_too, self._other)
            if place != place_too and (alike or name == name_too):
                return False
        return True

    def _reason(self, first: NodeId, name: NodeId, second: NodeId, name_too: NodeId) -> str:
        calls = self._chain.calls
        if name in calls and name_too in calls and not _alike(calls[name], calls[name_too]):
            return f"{name_too} is not of the type of {name}"
        return f"{second} uses {name_too} where {first} uses {name}"

    def _same(self, name: NodeId, other: NodeId) -> bool:
        if name in self._pairs or other in self._back:
            return self._pairs.get(name) == other and self._back.get(other) == name
        self._pairs[name], self._back[other] = other, name
        return name == other or self._corresponds(name, other)

    def _corresponds(self, name: NodeId, other: NodeId) -> bool:
        chain = self._chain
        home, home_too = chain.homes.get(name), chain.homes.get(other)
        if (
            home is not None
            and home_too is not None
            and _moved(home, self._one) == _moved(home_too, self._other)
        ):
            return abs(home[0] - self._one) <= 1
        if home_too is not None and self._enters(name, self._one, other, home_too[0] - self._other):
            return True
        if home is not None and self._enters(other, self._other, name, home[0] - self._one):
            return True
        if home is not None or home_too is not None:
            return False
        if chain.other is not None and (name in chain.other.homes or other in chain.other.homes):
            return self._in_other_lane(chain.other, name, other)
        return self._own(name, other)

    def _enters(self, given: NodeId, first: int, made: NodeId, side: int) -> bool:
        """Whether what the first part is given may stand for what others get from the one beside."""
        home = self._chain.homes.get(given)
        if abs(side) != 1 or (home is not None and (home[0] - first) * side <= 0):
            return False
        calls = self._chain.calls
        return (
            self._chain.begins(first, side) and given in calls and _type(calls[given]) == _type(calls[made])
        )

    def _in_other_lane(self, lane: Chain, name: NodeId, other: NodeId) -> bool:
        """A backward uses what the forward of its own module made, or was given."""
        one, two = self._chain.in_other[self._one], self._chain.in_other[self._other]
        home, home_too = lane.homes.get(name), lane.homes.get(other)
        if min(one, two) < 0:
            return False
        if home is not None and home_too is not None and _moved(home, one) == _moved(home_too, two):
            return abs(home[0] - one) <= 1
        calls = self._chain.calls
        if name not in calls or other not in calls or _type(calls[name]) != _type(calls[other]):
            return False
        if home_too is not None and home_too[0] == two - 1:
            return (home is None or home[0] < one) and lane.begins(one)
        if home is not None and home[0] == one - 1:
            return (home_too is None or home_too[0] < two) and lane.begins(two)
        return False

    def _own(self, name: NodeId, other: NodeId) -> bool:
        """Whether each has one of its own: used from the same part on, and no farther than by the next."""
        span, span_too = self._chain.span(name), self._chain.span(other)
        if span is None or span_too is None or span[0] - self._one != span_too[0] - self._other:
            return False
        if max(span[1] - span[0], span_too[1] - span_too[0]) > 1:
            return False
        call, call_too = self._chain.calls.get(name), self._chain.calls.get(other)
        if call is None or call_too is None:
            return False
        if call.op in _LEAVES:
            alike = call_too.op == call.op and _alike(call, call_too) and _stem(call) == _stem(call_too)
            return alike and _same_bodies(call.body, call_too.body)
        self._outside += 1
        if self._outside > _FARTHEST or not same_call(call, call_too):
            return False
        used, used_too = self._chain.used[name], self._chain.used[other]
        return len(used) == len(used_too) and all(map(self._same, used, used_too))


def _moved(home: Place, number: int) -> Place:
    return home[0] - number, home[1]


def _alike(one: Call, other: Call) -> bool:
    """Of what comes from outside."""
    return (_type(one), one.role == "parameter") == (_type(other), other.role == "parameter")


def _type(call: Call) -> Value | None:
    """The first layer gets a batch, which needs no gradient, the others what it made of it."""
    if isinstance(call.value, TensorValue) and call.value.requires_grad:
        return msgspec.structs.replace(call.value, requires_grad=False)
    return call.value


def _stem(call: Call) -> str:
    """The name of a weight without the numbers of layers."""
    return _NUMBER.sub("", call.target)


def same_call(one: Call, other: Call) -> bool:
    """Whether two calls differ in nothing but the nodes they name."""
    if one.op != other.op or one.value != other.value or one.lane != other.lane or one.role != other.role:
        return False
    if one.target != other.target:
        named_by_layer = one.op in _LEAVES or one.op == "call_module"
        if not named_by_layer or _stem(one) != _stem(other):
            return False
    if one.target != _SEED and not same_arguments(one.args, other.args):
        return False
    return (
        same_arguments(one.kwargs, other.kwargs)
        and one.module_type == other.module_type
        and one.chosen == other.chosen
        and one.settings == other.settings
        and (one.body is other.body or _same_bodies(one.body, other.body))
    )


def _same_bodies(one: tuple[Node, ...], other: tuple[Node, ...]) -> bool:
    if len(one) != len(other):
        return False
    name = {node.id: node_too.id for node, node_too in zip(one, other, strict=True)}
    return all(
        same_call(call_of(node), call_of(node_too))
        and [name.get(used) for used in call_of(node).used] == list(call_of(node_too).used)
        for node, node_too in zip(one, other, strict=True)
    )


def same_arguments(one: Argument, other: Argument) -> bool:
    """Whether two arguments differ in nothing but the nodes they name."""
    if one is other:
        return True
    kind = type(one)
    if kind is not type(other):
        return False
    if kind is NodeArgument:
        return True
    if isinstance(one, SequenceArgument) and isinstance(other, SequenceArgument):
        if one.kind != other.kind or len(one.items) != len(other.items):
            return False
        # a generator would take twice as long
        for item, item_too in zip(one.items, other.items, strict=True):
            if not same_arguments(item, item_too):
                return False
        return True
    if kind is ConstantArgument:
        return one == other
    parts, parts_too = list(children(one)), list(children(other))
    return [step for step, _ in parts] == [step for step, _ in parts_too] and all(
        same_arguments(part, part_too) for (_, part), (_, part_too) in zip(parts, parts_too, strict=True)
    )
