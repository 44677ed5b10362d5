"""Remedies that other installed packages bring: entry points of the group ``torch_loupe.remedies``, each a `RemedyRule`."""

import functools
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from compiler.analysis.plugins import Plugins, find_plugins, guarded, somebody_elses
from compiler.model.capture.capture import Capture
from compiler.model.capture.frames import GraphBreak
from compiler.model.graph_breaks.remedy import Remedy
from compiler.model.ir.diagnostics import Problem

GROUP = "torch_loupe.remedies"


@dataclass(frozen=True)
class RemedyRule:
    """Says what may help against a graph break or a recompile."""

    id: str
    make: Callable[[Capture, GraphBreak], Iterable[Remedy]]
    """The remedies for a break of a capture, the least intrusive first; none where it knows nothing."""


_failed: dict[str, Problem] = {}
"""By entry point: rules that failed when they were asked. They are reported, and not in the way of the others."""


@functools.cache
def found_rules() -> Plugins[RemedyRule]:
    """Those of installed packages, which are imported for it once."""
    return find_plugins(GROUP, RemedyRule, (), lambda name, row: RemedyRule(row.id, _guarded(name, row)))


def remedy_faults() -> tuple[Problem, ...]:
    """What of other packages could not be loaded, or failed until now."""
    return (*found_rules().faults, *_failed.values())


def _guarded(plugin: str, rule: RemedyRule) -> Callable[[Capture, GraphBreak], tuple[Remedy, ...]]:
    def made(capture: Capture, item: GraphBreak) -> tuple[Remedy, ...]:
        try:
            with somebody_elses():
                found = tuple(rule.make(capture, item))
            _require_remedies(found)
        except Exception as error:  # noqa: BLE001  somebody else's package: whatever it raises, the rest works
            _failed[plugin] = guarded(plugin, error)
            return ()
        return found

    return made


def _require_remedies(found: tuple[object, ...]) -> None:
    for row in found:
        if not isinstance(row, Remedy):
            raise TypeError(f"{row!r} is no torch_loupe.Remedy")
