"""Plug-ins found by entry points. One that fails is named and costs itself only."""

import contextlib
import functools
import importlib.metadata
import sys
from collections.abc import Callable, Container, Iterable, Iterator
from dataclasses import dataclass
from typing import Generic, Protocol, TypeVar

from compiler.model.ir.diagnostics import Problem, Severity


class HasId(Protocol):
    """What one kind of plug-in brings; no two of a kind have the same id."""

    @property
    def id(self) -> str:
        """As it is called."""


Row = TypeVar("Row", bound=HasId)


@dataclass(frozen=True)
class Plugins(Generic[Row]):
    """All there are of one kind, ours first, and what of other packages could not be loaded."""

    rows: tuple[Row, ...]
    faults: tuple[Problem, ...] = ()


def find_plugins(
    group: str,
    kind: type[Row],
    known: Iterable[Row] = (),
    adopt: Callable[[str, Row], Row] = lambda name, row: row,
    taken: Iterable[str] = (),
) -> Plugins[Row]:
    """Ours (`known`), and those of a group's entry points, each a `kind` or several of them; they are imported for it. `adopt`
    gives what is used in the place of one, with the name of its entry point. None may have the id of another, or one `taken`.
    """
    rows, faults = list(known), []
    ids = {*taken, *(row.id for row in rows)}
    for point in sorted(_entry_points().select(group=group), key=lambda point: point.name):
        try:
            for row in _loaded(point, kind):
                _require_new(row.id, ids)
                rows.append(adopt(point.name, row))
                ids.add(row.id)
        except Exception as error:  # noqa: BLE001  somebody else's package: whatever it raises, the rest works
            what = f"The plug-in {point.name} ({point.value}) could not be loaded: {type(error).__name__}: {error}"
            faults.append(_fault(what))
    return Plugins(tuple(rows), tuple(faults))


def guarded(name: str, error: Exception) -> Problem:
    """What is reported of a plug-in that failed when it was used."""
    return _fault(f"The plug-in {name} failed: {type(error).__name__}: {error}")


@contextlib.contextmanager
def somebody_elses() -> Iterator[None]:
    """Around a plug-in's code: what it prints is no output of ours, and where it would end the process it fails. Raises
    what that raises.
    """
    with contextlib.redirect_stdout(sys.stderr):
        try:
            yield
        except SystemExit as error:
            raise RuntimeError(f"it calls sys.exit({error.code!r})") from error


def _fault(what: str) -> Problem:
    remedy = "What it brings is missing; update or uninstall its package."
    return Problem(f"{what.rstrip('.')}.", remedy, severity=Severity.WARNING)


def _loaded(point: importlib.metadata.EntryPoint, kind: type[Row]) -> Iterator[Row]:
    with somebody_elses():
        given = point.load()
    for row in given if isinstance(given, tuple | list) else (given,):
        if not isinstance(row, kind):
            raise TypeError(f"{row!r} is no torch_loupe.{kind.__name__}")
        name: object = row.id
        if not isinstance(name, str) or not name or not name.isprintable():
            raise TypeError(f"its id is {name!r}, which is no text that one can type")
        yield row


def _require_new(name: str, taken: Container[str]) -> None:
    if name in taken:
        raise ValueError(f"there is another {name!r} already")


@functools.cache
def _entry_points() -> "importlib.metadata.SelectableGroups":
    """Of all installed packages, which takes a while to look through."""
    return importlib.metadata.entry_points()
