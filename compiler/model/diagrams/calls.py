"""What nodes compute, and whether two of them compute the same: targets, constants, keywords and types, whatever the nodes
that they use are called.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property

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

LEAVES = ("placeholder", "get_attr")
_SEED = "prims.inductor_lookup_seed.default"
"""Gives a layer a random seed of its own, by its number: as with weights, it is another one in each."""
_NUMBER = re.compile(r"_?\d+")


class Call(msgspec.Struct, frozen=True, gc=False):
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
        self.used: dict[NodeId, tuple[NodeId, ...]] = {}
        """Repeats included."""
        self.alike: dict[NodeId, int] = {}
        """Equal numbers for calls that differ in nothing but the nodes they name, and in their bodies."""
        self.with_body: set[NodeId] = set()
        self._own_kinds: dict[int, tuple[object, ...]] = {}
        numbers: dict[tuple[object, ...], int] = {}
        for name, call in calls.items():
            used, key = _read(call)
            self.used[name] = used
            self.alike[name] = numbers.setdefault(key, len(numbers))
            if call.body:
                self.with_body.add(name)
        self.shows_results = any(call.results for call in calls.values())

    def same_call(self, one: NodeId, other: NodeId) -> bool:
        """Whether two calls differ in nothing but the nodes they name."""
        if self.alike[one] != self.alike[other]:
            return False
        body, body_too = self.calls[one].body, self.calls[other].body
        return body is body_too or same_bodies(body, body_too)

    def users(self, name: NodeId) -> Sequence[NodeId]:
        """Of what is used, in order, repeats included."""
        call = self.calls.get(name)
        known = self._leaf_users if call is not None and call.op in LEAVES else self._users
        return known.get(name, ())

    @cached_property
    def _users(self) -> Mapping[NodeId, Sequence[NodeId]]:
        users: dict[NodeId, list[NodeId]] = {}
        for name, used in self.used.items():
            for other in used:
                users.setdefault(other, []).append(name)
        return users

    @cached_property
    def _leaf_users(self) -> Mapping[NodeId, Sequence[NodeId]]:
        """Weights are asked about most, and are few."""
        users: dict[NodeId, list[NodeId]] = {
            name: [] for name, call in self.calls.items() if call.op in LEAVES
        }
        for name, used in self.used.items():
            for other in used:
                if (found := users.get(other)) is not None:
                    found.append(name)
        return users

    def own_kind(self, name: NodeId) -> tuple[object, ...] | None:
        """What the weight of one layer has in common with that of another; None for what is no weight or input."""
        call = self.calls.get(name)
        if call is None or call.op not in LEAVES or call.body:
            return None
        alike = self.alike[name]
        if alike not in self._own_kinds:
            self._own_kinds[alike] = call.op, type_of(call), call.role == "parameter", stem(call)
        return self._own_kinds[alike]


def alike(one: Call, other: Call) -> bool:
    """Whether what comes from outside is of the same type, and a parameter or not."""
    return (type_of(one), one.role == "parameter") == (type_of(other), other.role == "parameter")


def type_of(call: Call) -> Value | None:
    """The first layer gets a batch, which needs no gradient, the others what it made of it."""
    if isinstance(call.value, TensorValue) and call.value.requires_grad:
        return msgspec.structs.replace(call.value, requires_grad=False)
    return call.value


def stem(call: Call) -> str:
    """The name of a weight without the numbers of layers."""
    return _NUMBER.sub("", call.target)


def same_call(one: Call, other: Call) -> bool:
    """Whether two calls differ in nothing but the nodes they name."""
    if one.op != other.op or one.value != other.value or one.lane != other.lane or one.role != other.role:
        return False
    if one.target != other.target:
        named_by_layer = one.op in LEAVES or one.op == "call_module"
        if not named_by_layer or stem(one) != stem(other):
            return False
    if one.target != _SEED and not same_arguments(one.args, other.args):
        return False
    return (
        same_arguments(one.kwargs, other.kwargs)
        and one.module_type == other.module_type
        and one.chosen == other.chosen
        and one.settings == other.settings
        and (one.body is other.body or same_bodies(one.body, other.body))
    )


def _read(call: Call) -> tuple[tuple[NodeId, ...], tuple[object, ...]]:
    """What a call uses, and a key that is equal for two without bodies where `same_call` says that they are the same."""
    items = call.args.items
    used = [item.node for item in items if type(item) is NodeArgument]
    outline: object = len(items)
    if len(used) < len(items):  # there are others than nodes
        used = list(nodes_in(call.args))
        outline = _outline(call.args)
    kwargs = None
    if call.kwargs.items:
        used += nodes_in(call.kwargs)
        kwargs = _outline(call.kwargs)
    named_by_layer = call.op in LEAVES or call.op == "call_module"
    return tuple(used), (
        call.op,
        stem(call) if named_by_layer else call.target,
        None if call.target == _SEED else (call.args.kind, outline),
        call.value,
        call.lane,
        call.role,
        call.module_type,
        call.chosen,
        kwargs,
        call.settings if call.settings.items else None,
    )


def _outline(argument: Argument) -> object:
    """An argument without the nodes it names: equal where `same_arguments` says so."""
    if isinstance(argument, NodeArgument):
        return None
    if isinstance(argument, ConstantArgument):
        return argument
    if isinstance(argument, SequenceArgument):
        return argument.kind, *map(_outline, argument.items)
    return type(argument), *((step, _outline(part)) for step, part in children(argument))


def same_bodies(one: tuple[Node, ...], other: tuple[Node, ...]) -> bool:
    """Whether what two nodes hold makes the same calls, each with what stands at the same places."""
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
