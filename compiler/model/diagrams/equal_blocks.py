"""Parts of a graph that follow one another, such as the layers of a transformer, and whether two of them are equal.

They are where they make the same calls in the same order: targets, constants, keywords, types, and what each uses. A node
of the one is for the other the node at its place. What comes from outside is the same node for both, or stands at the same
place of the part before, or is a weight or other input of its own that no part but the next one uses.
"""

import operator
from collections.abc import Iterable, Sequence
from functools import cached_property
from itertools import repeat
from typing import TypeAlias

from compiler.model.diagrams.calls import LEAVES, Call, Calls, alike, same_bodies, stem, type_of
from compiler.model.ir.ids import NodeId

_STEP = 1_000_000
"""More than a part has nodes."""
_FARTHEST = 200
"""So many nodes outside are looked through from one part; what needs more is taken for unequal."""

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
        self.distinct = len(self.homes) == sum(map(len, parts)) + sum(map(len, links))
        """Whether no node stands in two places."""
        self._tables: dict[int, PartTable] = {}
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
                self.distinct = self.distinct and name not in self.homes
                self.homes[name] = number, at
                taken.add((number, at))

    def starts_over(self, number: int) -> None:
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
        table, table_too = self.table(one), self.table(other)
        return table.kinds == table_too.kinds and all(
            self._graph.same_call(name, name_too)
            for (name, _), (name_too, _) in zip(self.parts[one], self.parts[other], strict=True)
            if name in self._graph.with_body or name_too in self._graph.with_body
        )

    def same_call(self, one: NodeId, other: NodeId) -> bool:
        """Whether two nodes make calls that differ in nothing but the nodes they name."""
        return self._graph.same_call(one, other)

    def table(self, number: int) -> "PartTable":
        """A part as numbers. To be asked for when all nodes are housed."""
        if number not in self._tables:
            self._tables[number] = PartTable(self, self._graph, number)
        return self._tables[number]

    def let_go(self) -> None:
        """Nothing more is asked: no cycle is left, which only Python's collector would free."""
        self._tables.clear()
        self.other = None

    def _reaches(self, number: int, side: int) -> bool:
        used = (self.homes.get(used) for name, _ in self.parts[number] for used in self.used[name])
        return any(home is not None and (home[0] - number) * side > 0 for home in used)

    def span(self, name: NodeId) -> tuple[int, int] | None:
        """The first and the last part that need a node outside; None where there is none, or too much lies between."""
        if name not in self._spans:
            self._spans[name] = self._span(name)
        return self._spans[name]

    def _span(self, name: NodeId) -> tuple[int, int] | None:
        users = self._graph.users(name)
        if users and None not in (homes := [self.homes.get(user) for user in users]):
            numbers = [home[0] for home in homes if home is not None]
            return min(numbers), max(numbers)
        found: list[int] = []
        seen, ahead = {name}, [name]
        while ahead:
            for user in self._graph.users(ahead.pop()):
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


def shared_uses(chain: Chain, one: int, other: int) -> tuple[bool, ...] | None:
    """Of two equal parts, for each use in the first whether the second uses the very same node: parts that all use one mask
    are not as parts that use one of their own each. None where they are not equal.
    """
    if len(chain.parts[one]) != len(chain.parts[other]):
        return None
    table, table_too = chain.table(one), chain.table(other)
    if table.kinds != table_too.kinds:
        return None
    if not table.matches(table_too):
        try:
            paired(chain, one, other)
        except UnequalError:
            return None
    return tuple(map(operator.eq, table.uses, table_too.uses))


def equally_linked(chain: Chain, one: int, other: int) -> bool:
    """Whether the same stands behind two parts."""
    if not chain.links[one] and not chain.links[other]:
        return True
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
            if inside != inside_too or not self._chain.same_call(first, second):
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
        if name in calls and name_too in calls and not alike(calls[name], calls[name_too]):
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
            self._chain.begins(first, side)
            and given in calls
            and type_of(calls[given]) == type_of(calls[made])
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
        if name not in calls or other not in calls or type_of(calls[name]) != type_of(calls[other]):
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
        if call.op in LEAVES:
            same = call_too.op == call.op and alike(call, call_too) and stem(call) == stem(call_too)
            return same and same_bodies(call.body, call_too.body)
        self._outside += 1
        if self._outside > _FARTHEST or not self._chain.same_call(name, other):
            return False
        used, used_too = self._chain.used[name], self._chain.used[other]
        return len(used) == len(used_too) and all(map(self._same, used, used_too))


class PartTable:
    """A part as numbers that are equal for equal parts, so that most are compared without a look at what they stand for.

    Where the numbers differ the parts may be equal all the same: the first layer gets from outside what others get from the
    one before. `paired` decides then.
    """

    def __init__(self, chain: Chain, graph: Calls, number: int) -> None:
        self._chain, self._graph, self._number = chain, graph, number
        self.names = [name for name, _ in chain.parts[number]]
        self.kinds = [graph.alike[name] for name in self.names], [inside for _, inside in chain.parts[number]]
        """Of each node its call, and the module inside the part."""

    @cached_property
    def uses(self) -> list[NodeId]:
        """What the nodes use, one after the other."""
        used = self._graph.used
        return [other for name in self.names for other in used[name]]

    @cached_property
    def counts(self) -> list[int]:
        """How many that are of each node."""
        return list(map(len, map(self._graph.used.__getitem__, self.names)))

    @cached_property
    def results(self) -> list[tuple[int, ...]]:
        """Which results of what they use, of each node; nothing where no call of the graph says so."""
        calls = self._graph.calls
        return [calls[name].results for name in self.names] if self._graph.shows_results else []

    @cached_property
    def places(self) -> tuple[list[int], list[NodeId]]:
        """For each use where that stands, seen from the part; and what stands outside, in the order of the first use.

        What stands in no part next to this one is outside, and told by a number in order. So equal places are pairs of nodes,
        no node in two of them, if those outside are (`_same_outside`).
        """
        homes, number = self._chain.homes, self._number
        counterpart = self._chain.other.homes if self._chain.other is not None else {}
        number_too = self._chain.in_other[number] if counterpart else -1
        places: list[int] = []
        outside: dict[NodeId, int] = {}
        for used in self.uses:
            home = homes.get(used)
            if home is not None:
                step, lane = home[0] - number, 0
            elif number_too >= 0 and (home := counterpart.get(used)) is not None:
                step, lane = home[0] - number_too, 1
            if home is not None and -1 <= step <= 1:
                places.append((home[1] * 3 + step + 1) * 3 + lane)
            else:
                places.append(outside.setdefault(used, len(outside)) * 3 + 2)
        return places, list(outside)

    def matches(self, other: "PartTable") -> bool:
        """Whether it is equal by the numbers alone, where the kinds are."""
        bodies = self._graph.with_body
        if not self._chain.distinct or not (bodies.isdisjoint(self.names) and bodies.isdisjoint(other.names)):
            return False
        (places, outside), (places_too, outside_too) = self.places, other.places
        return (
            places == places_too
            and self.counts == other.counts
            and self.results == other.results
            and all(map(self._same_outside, outside, outside_too, repeat(other)))
        )

    def _same_outside(self, name: NodeId, name_too: NodeId, other: "PartTable") -> bool:
        if name == name_too:
            return True
        kind = self._graph.own_kind(name)
        if kind is None or kind != self._graph.own_kind(name_too):
            return False
        reach = self.own_reach(name)
        return reach is not None and reach == other.own_reach(name_too)

    def own_reach(self, name: NodeId) -> int | None:
        """From where on, seen from the part, a weight is used; None where it stands in a part, or more than two use it."""
        chain = self._chain
        if name in chain.homes or (chain.other is not None and name in chain.other.homes):
            return None
        span = chain.span(name)
        return span[0] - self._number if span is not None and span[1] - span[0] <= 1 else None


def _moved(home: Place, number: int) -> Place:
    return home[0] - number, home[1]
