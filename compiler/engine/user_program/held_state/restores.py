"""How what Python holds is put back: the very objects, each where it stood."""

import types
from collections.abc import Callable
from typing import Any

from compiler.engine.user_program.held_state.places import holds, is_filled, is_torchs, kind_of

Restore = Callable[[], object]


def slotted(
    value: Any,
    slots: tuple[types.MemberDescriptorType, ...],
    before: dict[types.MemberDescriptorType, Any],
) -> Restore:
    """The slots of an object."""

    def restore() -> None:
        for slot in slots:
            filled = holds(slot, value)
            if slot not in before:
                if filled:
                    slot.__delete__(value)
            elif not filled or slot.__get__(value) is not before[slot]:
                slot.__set__(value, before[slot])

    return restore


def mapping(names: dict[Any, Any], before: dict[Any, Any], ordered: bool = False) -> Restore:
    """A dict; what torch put there stays, and modules that were imported meanwhile."""
    kind = kind_of(names)

    def restore() -> None:
        if kind.__len__(names) == len(before) and all(
            key is old and value is was
            for (key, value), (old, was) in zip(kind.items(names), before.items(), strict=True)
        ):
            return
        now = dict(kind.items(names))
        kept = {key: value for key, value in now.items() if key not in before and _stays(key, value)}
        for key in [key for key in now if key not in before and key not in kept]:
            kind.__delitem__(names, key)
        if ordered and list(before) != [key for key in now if key in before]:
            kind.clear(names)
            for key, value in {**before, **kept}.items():
                kind.__setitem__(names, key, value)
            return
        for key, value in before.items():
            if key not in now or now[key] is not value:
                kind.__setitem__(names, key, value)

    return restore


def _stays(key: Any, value: Any) -> bool:
    return is_torchs(key) or isinstance(value, types.ModuleType)


def attributes(owner: type, before: dict[str, Any]) -> Restore:
    """Those of a class."""

    def restore() -> None:
        now = {key: value for key, value in vars(owner).items() if not is_torchs(key)}
        for key in now.keys() - before.keys():
            delattr(owner, key)
        for key, value in before.items():
            if not is_torchs(key) and now.get(key) is not value:
                setattr(owner, key, value)

    return restore


def sequence(values: Any, before: list[Any]) -> Restore:
    """A list or a deque."""
    kind = kind_of(values)

    def restore() -> None:
        if kind.__len__(values) != len(before) or any(
            one is not other for one, other in zip(kind.__iter__(values), before, strict=True)
        ):
            kind.clear(values)
            kind.extend(values, before)

    return restore


def unordered(values: set[Any], before: set[Any]) -> Restore:
    """A set."""

    def restore() -> None:
        if not set.__eq__(values, before):
            set.clear(values)
            set.update(values, before)

    return restore


def cell(of: types.CellType) -> Restore:
    """A variable that functions share."""
    filled = is_filled(of)
    before = of.cell_contents if filled else None

    def restore() -> None:
        if filled and (not is_filled(of) or of.cell_contents is not before):
            of.cell_contents = before
        elif not filled and is_filled(of):
            del of.cell_contents

    return restore
