"""torch's own times of a compile, from the events that it writes for Chrome's trace viewer: one phase inside the other."""

import msgspec

from compiler.analysis.torch_logs.records.interned_strings import text_of
from compiler.analysis.torch_logs.records.log_lines import Json
from compiler.model.capture.compile_phases import CompilePhase
from compiler.model.ir.diagnostics import UNREADABLE

MOST = 100_000
"""Phases that are kept whatever they are inside of; of more only the outer ones are."""
_OUTER = 3


class PhaseStack:
    """Takes events in the order of the log."""

    def __init__(self) -> None:
        self.left_out = 0
        self.events = 0
        self._rows: list[tuple[str, float, float, int, str]] = []
        """(name, begin, end, index of the one around it, compile id); an end below the begin is none yet."""
        self._open: dict[tuple[object, object], list[tuple[str, int]]] = {}
        """Index -1: a phase that is not kept."""
        self._last = 0.0
        self._words: dict[str, str] = {}
        """Names and compile ids, of which each is kept once."""

    def take(self, payload: str) -> bool:
        """One event; whether it could be read."""
        try:
            event = msgspec.json.decode(payload)
        except UNREADABLE:
            return False
        if not isinstance(event, dict) or not isinstance(event.get("ts"), int | float):
            return False
        self.events += 1
        name, when = text_of(event, "name"), float(event["ts"]) * 1e-6
        self._last = max(self._last, when)
        key = (str(event.get("pid")), str(event.get("tid")))
        match event.get("ph"):
            case "B":
                self._begin(key, name, when, _compile_id(event))
            case "E":
                self._end(key, name, when)
            case _:
                pass  # a moment, no time
        return True

    def _begin(self, key: tuple[object, object], name: str, when: float, compile_id: str) -> None:
        stack = self._open.setdefault(key, [])
        parent = stack[-1][1] if stack else -1
        name, compile_id = self._word(name), self._word(compile_id)
        if len(self._rows) >= MOST and len(stack) >= _OUTER:
            self.left_out += 1
            stack.append((name, -1))
            return
        stack.append((name, len(self._rows)))
        self._rows.append((name, when, when - 1, parent, compile_id))

    def _word(self, word: str) -> str:
        return self._words.setdefault(word, word) if len(self._words) < MOST else word

    def _end(self, key: tuple[object, object], name: str, when: float) -> None:
        stack = self._open.get(key, [])
        if not any(row[0] == name for row in stack):
            return  # its begin was lost
        while stack:
            found, index = stack.pop()
            if index >= 0:
                row = self._rows[index]
                self._rows[index] = (row[0], row[1], when, row[3], row[4])
            if found == name:
                return

    def done(self) -> tuple[CompilePhase, ...]:
        """All phases, seconds counted from the first; one that never ended lasted until the last event."""
        if not self._rows:
            return ()
        first = min(row[1] for row in self._rows)
        return tuple(
            CompilePhase(
                "phase",
                name,
                begin - first,
                max((end if end >= begin else self._last) - begin, 0.0),
                parent,
                compile_id,
            )
            for name, begin, end, parent, compile_id in self._rows
        )


def _compile_id(event: Json) -> str:
    arguments = event.get("args")
    return text_of(arguments, "compile_id") if isinstance(arguments, dict) else ""


def seconds_of(phases: tuple[CompilePhase, ...]) -> float:
    """Time in which anything was compiled: what overlaps counts once."""
    total, until = 0.0, 0.0
    for phase in sorted((phase for phase in phases if phase.parent == -1), key=lambda row: row.begin):
        end = phase.begin + phase.seconds
        total += max(end - max(phase.begin, until), 0.0)
        until = max(until, end)
    return total
