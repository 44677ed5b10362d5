"""How graphs were looked at, as a session file keeps it: what is hidden, filters, colours, and views kept on keys."""

from collections.abc import Callable
from typing import Annotated, TypeVar

import msgspec

from compiler.analysis.queries.node_filters import NodeFilter
from compiler.model.ir.diagnostics import UNREADABLE
from compiler.model.ir.ids import NodeId, StageId

COLORINGS = ("line", "op", "module", "dtype", "kernel", "bytes", "time", "values", "error", "changed", "none")
"""What boxes can be coloured by."""

GROUPINGS = ("module", "kernel", "none")
"""What boxes can be gathered by, to be collapsed and opened."""

_Row = TypeVar("_Row")
_Key = Annotated[int, msgspec.Meta(ge=1, le=9)]
_Zoom = Annotated[float, msgspec.Meta(gt=0, le=1000)]
_Coordinate = Annotated[float, msgspec.Meta(ge=-1e8, le=1e8)]


class KeptView(msgspec.Struct, frozen=True):
    """A look at a stage that one comes back to by a key. Node ids are sorted."""

    number: _Key
    stage: StageId
    collapsed: tuple[str, ...]
    """Ids of the modules that are collapsed."""
    hidden: tuple[NodeId, ...]
    revealed: tuple[NodeId, ...]
    filters: tuple[NodeFilter, ...]
    coloring: str
    """One of `COLORINGS`."""
    zoom: _Zoom
    center: tuple[_Coordinate, _Coordinate]
    """In the canvas's own coordinates."""
    grouping: str = "module"
    """One of `GROUPINGS`."""


class HiddenByHand(msgspec.Struct, frozen=True):
    """What somebody left out of a stage, or wanted drawn whatever hides it. Node ids are sorted."""

    stage: StageId
    hidden: tuple[NodeId, ...] = ()
    revealed: tuple[NodeId, ...] = ()


class GraphLooks(msgspec.Struct, frozen=True):
    """How all graphs of a session are looked at."""

    by_hand: tuple[HiddenByHand, ...] = ()
    filters: tuple[NodeFilter, ...] = ()
    """In the order in which they are applied."""
    coloring: str = "line"
    grouping: str = "module"
    kept: tuple[KeptView, ...] = ()


def read_looks(data: bytes) -> tuple[GraphLooks, tuple[str, ...]]:
    """What JSON says of looks, and in words what of it was left out since it is damaged or from a newer version.

    Raises msgspec.MsgspecError where there is nothing to read at all.
    """
    parts = msgspec.json.decode(data, type=dict[str, msgspec.Raw])
    faults: list[str] = []
    looks = GraphLooks(
        tuple(_rows(parts.get("by_hand"), HiddenByHand, "what is hidden in a stage", faults)),
        tuple(_rows(parts.get("filters"), NodeFilter, "a filter", faults)),
        _choice(parts.get("coloring"), COLORINGS, "colouring", faults),
        _choice(parts.get("grouping"), GROUPINGS, "gathering", faults),
        tuple(_rows(parts.get("kept"), KeptView, "a view kept on a key", faults, _check_view)),
    )
    kept = tuple({view.number: view for view in looks.kept}.values())
    return msgspec.structs.replace(looks, kept=kept), tuple(faults)


def _rows(
    raw: msgspec.Raw | None,
    kind: type[_Row],
    what: str,
    faults: list[str],
    check: Callable[[_Row], None] = lambda _: None,
) -> list[_Row]:
    """The rows that can be read, each for itself."""
    if raw is None:
        return []
    try:
        each = msgspec.json.decode(raw, type=list[msgspec.Raw])
    except UNREADABLE as error:
        faults.append(f"{what}: {error}")
        return []
    found = []
    for row in each:
        try:
            value = msgspec.json.decode(row, type=kind)
            check(value)
        except UNREADABLE as error:
            faults.append(f"{what}: {error}")
        else:
            found.append(value)
    return found


def _check_view(view: KeptView) -> None:
    if view.coloring not in COLORINGS or view.grouping not in GROUPINGS:
        raise msgspec.ValidationError(f"{view.coloring}, {view.grouping}: not known here")


def _choice(raw: msgspec.Raw | None, known: tuple[str, ...], what: str, faults: list[str]) -> str:
    if raw is None:
        return known[0]
    try:
        chosen = msgspec.json.decode(raw, type=str)
    except UNREADABLE as error:
        faults.append(f"the {what}: {error}")
        return known[0]
    if chosen not in known:
        faults.append(f"the {what} “{chosen}” is not known here")
        return known[0]
    return chosen
