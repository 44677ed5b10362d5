"""One request of every type, with the simplest values that its fields take: a new type is in the list by itself."""

import types
import typing

import msgspec

from compiler.model.protocol.messages import RequestBody
from compiler.model.protocol.requests import REQUEST_TYPES

_Made = typing.TypeVar("_Made")
_PLAIN: dict[object, object] = {str: "", int: 0, float: 0.0, bool: False, types.NoneType: None}


def sample_requests(**given: object) -> list[RequestBody]:
    """`given`: values of fields by their names, wherever there is such a field."""
    return [sample_of(kind, **given) for kind in REQUEST_TYPES]


def sample_of(kind: type[_Made], **given: object) -> _Made:
    """One value of a struct."""
    hints = typing.get_type_hints(kind)
    wanted = [row for row in msgspec.structs.fields(kind) if row.name in given or row.required]  # type: ignore[arg-type]
    return kind(**{row.name: given.get(row.name, _value(hints[row.name])) for row in wanted})


def _value(hint: typing.Any) -> object:
    if hint in _PLAIN:
        return _PLAIN[hint]
    origin = typing.get_origin(hint)
    if origin is tuple:
        return ()
    if origin in (typing.Union, types.UnionType):
        return _value(typing.get_args(hint)[0])
    return sample_of(hint)
