"""Captures decoded so that equal parts are one object.

The layers of a model repeat: of the stacks, types and arguments of a graph, nine in ten are equal to others, within it and in the
next stages. Decoded each by itself they take five times the memory, and longer. The values are immutable, so nobody can
tell whether two of them are one.
"""

import typing
from collections.abc import Callable
from types import UnionType
from typing import Any, Generic, Protocol, TypeVar

import msgspec

from compiler.model.ir.arguments import Argument, MappingArgument, SequenceArgument
from compiler.model.ir.diagnostics import UNREADABLE
from compiler.model.ir.graph import Node, SourceLine
from compiler.model.ir.links import LinkTable
from compiler.model.ir.tensor_types import Value

_Kind = TypeVar("_Kind")
_Type: typing.TypeAlias = Any
"""As an annotation has it: a class, a union, a generic."""
_Decoded: typing.TypeAlias = Any
"""A value of a type that is known only when this runs."""
_Share: typing.TypeAlias = Callable[["Shared", _Decoded], _Decoded]
_Format: typing.TypeAlias = Callable[[_Type], "_Decoder"]


class _Decoder(Protocol):
    """Of JSON or MessagePack."""

    def decode(self, data: bytes | msgspec.Raw, /) -> _Decoded:
        """The value in these bytes."""


_NOTHING = msgspec.Raw()
"""Of what a file does not say. Most nodes say little, so that nothing is looked up for it."""
_NO_ARGUMENTS = MappingArgument(())


class _Parts(msgspec.Struct, gc=False):
    """A node with the parts that repeat as they are encoded."""

    id: str
    op: str
    target: str
    args: msgspec.Raw
    kwargs: msgspec.Raw = _NOTHING
    value: msgspec.Raw = _NOTHING
    module_path: str = ""
    module_type: str = ""
    stack: msgspec.Raw = _NOTHING
    lane: str = ""
    role: str = ""
    origins: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    body: msgspec.Raw = _NOTHING
    chosen: str = ""
    settings: msgspec.Raw = _NOTHING


class _Sequence(msgspec.Struct, tag="sequence"):
    """A sequence of arguments, these as they are encoded."""

    kind: str
    items: tuple[msgspec.Raw, ...]


class _Decoders:
    """What decodes the parts of one format."""

    def __init__(self, made: _Format) -> None:
        self.sequence = made(_Sequence)
        self.lines = made(tuple[msgspec.Raw, ...])
        self.line = made(SourceLine)
        self.argument = made(Argument)
        self.mapping = made(MappingArgument)
        self.value = made(Value | None)
        self.body = made(tuple[Node, ...])


class Shared:
    """What was decoded of one capture so far, by how it is encoded."""

    def __init__(self, decoders: _Decoders) -> None:
        self._decoders = decoders
        self._names: dict[str, str] = {}
        self._tuples: dict[tuple[str, ...], tuple[str, ...]] = {}
        self._args: dict[bytes, SequenceArgument] = {}
        self._stacks: dict[bytes, tuple[SourceLine, ...]] = {}
        self._lines: dict[bytes, SourceLine] = {}
        self._arguments: dict[bytes, Argument] = {}
        self._mappings: dict[bytes, MappingArgument] = {b"": MappingArgument(())}
        self._values: dict[bytes, Value | None] = {b"": None}
        self._bodies: dict[bytes, tuple[Node, ...]] = {b"": (), b"[]": ()}

    def node(self, parts: _Parts) -> Node:
        """A node."""
        name, tuples, decoders = self._names.setdefault, self._tuples.setdefault, self._decoders
        path, kind, lane, role = parts.module_path, parts.module_type, parts.lane, parts.role
        origins, notes, kwargs, settings = parts.origins, parts.notes, parts.kwargs, parts.settings
        return Node(
            name(parts.id, parts.id),
            name(parts.op, parts.op),
            name(parts.target, parts.target),
            self._sequence(bytes(parts.args)),
            _NO_ARGUMENTS if kwargs is _NOTHING else _known(self._mappings, kwargs, decoders.mapping),
            None if parts.value is _NOTHING else _known(self._values, parts.value, decoders.value),
            path and name(path, path),
            kind and name(kind, kind),
            () if parts.stack is _NOTHING else self._stack(bytes(parts.stack)),
            lane and name(lane, lane),
            role and name(role, role),
            origins and tuples(origins, origins),
            notes and tuples(notes, notes),
            _known(self._bodies, parts.body, decoders.body),
            parts.chosen and name(parts.chosen, parts.chosen),
            _NO_ARGUMENTS if settings is _NOTHING else _known(self._mappings, settings, decoders.mapping),
        )

    def links(self, table: LinkTable) -> LinkTable:
        """Links with the names that the nodes have."""
        name = self._names.setdefault
        pairs = tuple((name(source, source), name(target, target)) for source, target in table.pairs)
        return msgspec.structs.replace(table, pairs=pairs)

    def _sequence(self, encoded: bytes) -> SequenceArgument:
        found = self._args.get(encoded)
        if found is None:
            read = self._decoders.sequence.decode(encoded)
            items = tuple(_known(self._arguments, item, self._decoders.argument) for item in read.items)
            found = self._args[encoded] = SequenceArgument(read.kind, items)
        return found

    def _stack(self, encoded: bytes) -> tuple[SourceLine, ...]:
        found = self._stacks.get(encoded)
        if found is None:
            lines = self._decoders.lines.decode(encoded) if encoded else ()
            found = tuple(_known(self._lines, line, self._decoders.line) for line in lines)
            self._stacks[encoded] = found
        return found


def _known(known: dict[bytes, _Kind], encoded: msgspec.Raw, decoder: _Decoder) -> _Kind:
    key = bytes(encoded)
    try:
        return known[key]
    except KeyError:
        found: _Kind = decoder.decode(key)
        known[key] = found
        return found


_RULES: dict[object, tuple[object, _Share]] = {
    Node: (_Parts, Shared.node),
    LinkTable: (LinkTable, Shared.links),
}
"""Type → what is decoded in its place, and what makes the value of that."""


class SharingDecoder(Generic[_Kind]):
    """Decodes one type as `msgspec`'s decoder does, equal parts of it once."""

    def __init__(self, kind: _Type, made: _Format) -> None:
        """`made`: ``msgspec.json.Decoder`` or ``msgspec.msgpack.Decoder``."""
        self._plain = made(kind)
        self._decoders = _Decoders(made)
        outline, self._share = _outline(kind)
        self._outline = made(outline)

    def shared(self) -> Shared:
        """Nothing decoded so far: what is decoded with the same one shares its parts."""
        return Shared(self._decoders)

    def decode(self, encoded: bytes | msgspec.Raw, shared: Shared) -> _Kind:
        """The value. Raises what msgspec's decoder raises."""
        found: _Kind
        if self._share is not None:
            try:
                found = self._share(shared, self._outline.decode(encoded))
            except UNREADABLE:
                pass  # decoded as a whole, the fault is reported with its place
            else:
                return found
        found = self._plain.decode(encoded)
        return found


def _outline(kind: _Type) -> tuple[_Type, _Share | None]:
    """A type with other types in place of those of `_RULES`, and what makes a value of `kind` of one of it; None: as it is."""
    if kind in _RULES:
        return _RULES[kind]
    origin: object = typing.get_origin(kind)
    arguments = typing.get_args(kind)
    if origin is tuple and arguments[1:] == (...,):
        item_outline, share = _outline(arguments[0])
        if share is None:
            return kind, None
        made: _Type = tuple.__class_getitem__((item_outline, ...))
        return made, lambda shared, items: tuple([share(shared, item) for item in items])
    if origin in (UnionType, typing.Union):
        return _outline_of_union(arguments, kind)
    if isinstance(kind, type) and issubclass(kind, msgspec.Struct):
        return _outline_of_struct(kind)
    return kind, None


def _outline_of_union(members: tuple[_Type, ...], kind: _Type) -> tuple[_Type, _Share | None]:
    outlines = [_outline(member) for member in members]
    shares = {outline: share for outline, share in outlines if share is not None}
    if not shares:
        return kind, None

    def share(shared: Shared, value: _Decoded) -> _Decoded:
        found = shares.get(type(value))
        return value if found is None else found(shared, value)

    return typing.Union[tuple(outline for outline, _ in outlines)], share  # noqa: UP007  as many as there are


def _as_declared(field: msgspec.structs.FieldInfo) -> object:
    """The default and the name in files."""
    if field.default is not msgspec.NODEFAULT:
        return msgspec.field(default=field.default, name=field.encode_name)
    if field.default_factory is not msgspec.NODEFAULT:
        return msgspec.field(default_factory=field.default_factory, name=field.encode_name)
    return msgspec.field(name=field.encode_name)


def _outline_of_struct(kind: type[msgspec.Struct]) -> tuple[_Type, _Share | None]:
    fields = msgspec.structs.fields(kind)
    outlines = {field.name: _outline(field.type) for field in fields}
    shares = {name: share for name, (_, share) in outlines.items() if share is not None}
    if not shares:
        return kind, None
    rows = []
    for field in fields:
        rows.append((field.name, outlines[field.name][0], _as_declared(field)))
    config = kind.__struct_config__
    made = msgspec.defstruct(kind.__name__, rows, tag=config.tag, array_like=config.array_like)
    names = kind.__struct_fields__

    def share(shared: Shared, value: _Decoded) -> _Decoded:
        given = {name: getattr(value, name) for name in names}
        for name, inner in shares.items():
            given[name] = inner(shared, given[name])
        return kind(**given)

    return made, share
