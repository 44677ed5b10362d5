"""Readings of the clock in one step, and what they say of it: time by kernel, by part, and the step as spans."""

import dataclasses
from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Any

from compiler.model.timing.step_trace import Span, SpanKind, StepPart, StepTrace
from compiler.model.timing.timings import TimedKernel

Reading = tuple[int, int, int]
"""(what was timed, when it began, when it ended)."""


@dataclasses.dataclass(frozen=True)
class _Timed:
    kind: SpanKind
    name: str


class StepLog:
    """What the clocks of a step append to; numbers below the count of kernels are kernels, the rest graphs and wrappers."""

    def __init__(self, clock: Callable[[], int]) -> None:
        self.clock = clock
        self.readings: list[Reading] = []
        """Of the step under way, in the order in which things ended."""
        self.kernels: list[TimedKernel] = []
        self._others: list[_Timed] = []
        self._forward_end = 0

    def clear(self) -> None:
        """A step begins."""
        self.readings.clear()
        self._forward_end = 0

    def watched(self, kind: SpanKind, name: str, function: Callable[..., Any]) -> Callable[..., Any]:
        """The function with a clock before and after it."""
        self._others.append(_Timed(kind, name))
        number = -len(self._others)
        clock, note = self.clock, self.readings.append

        def run(*args: Any) -> Any:
            begin = clock()
            result = function(*args)
            note((number, begin, clock()))
            return result

        return run

    def forward_watched(self, function: Callable[..., Any]) -> Callable[..., Any]:
        """The program with a clock at its end, where the backward begins."""

        def run(*args: Any, **kwargs: Any) -> Any:
            result = function(*args, **kwargs)
            self._forward_end = self.clock()
            return result

        return run

    def close_gaps(self, parts: Sequence[tuple[int, int]]) -> None:
        """As if the step's backward had begun when its forward ended: these (begin, end) alone are the program's time."""
        for (_, ended), (begins, _) in pairwise(parts):
            self._forward_end, gap = ended, begins - ended
            for at, (number, begin, end) in enumerate(self.readings):
                if begin >= begins:
                    self.readings[at] = number, begin - gap, end - gap

    def forget(self) -> None:
        """The clocks were taken out."""
        self.kernels, self._others = [], []
        self.clear()

    # -- reading -----------------------------------------------------------------------------------------------

    def row(self) -> tuple[int, ...]:
        """Nanoseconds in each kernel; -1 where it did not run."""
        spent = [-1] * len(self.kernels)
        for number, begin, end in self.readings:
            if number >= 0:
                spent[number] = max(spent[number], 0) + end - begin
        return tuple(spent)

    def parts(self, length: int) -> tuple[int, ...]:
        """The step's length cut into the parts of `StepPart`."""
        generated = extern = wrappers = 0
        graphs: list[tuple[int, int]] = []
        for number, begin, end in self.readings:
            if number < 0:
                graphs.append((begin, end))
                wrappers += end - begin if self._others[-number - 1].kind is SpanKind.WRAPPER else 0
            elif self.kernels[number].language == "extern":
                extern += end - begin
            else:
                generated += end - begin
        inside = _covered(graphs)
        rows = {
            StepPart.GENERATED: generated,
            StepPart.EXTERN: extern,
            StepPart.WRAPPER: wrappers - generated - extern,
            StepPart.RUNTIME: inside - wrappers,
            StepPart.OUTSIDE: length - inside,
        }
        return tuple(rows[part] for part in StepPart)

    def trace(self, begin: int, length: int) -> StepTrace:
        """The step as spans, outer ones before those inside them."""
        forward = self._forward_end - begin if self._forward_end else length
        spans = [Span(0, forward, SpanKind.FORWARD)]
        if forward < length:
            spans.append(Span(forward, length, SpanKind.BACKWARD))
        for number, start, end in self.readings:
            kind, name = self._what(number)
            spans.append(Span(start - begin, end - begin, kind, name, max(number, -1)))
        order = list(SpanKind)
        spans.sort(key=lambda span: (span.begin, -span.end, order.index(span.kind)))
        return StepTrace(True, False, length, tuple(spans))

    def kernel_spans(self, begin: int) -> tuple[Span, ...]:
        """The kernels of the step that began then."""
        return tuple(
            Span(start - begin, end - begin, *self._what(number), number)
            for number, start, end in self.readings
            if number >= 0
        )

    def _what(self, number: int) -> tuple[SpanKind, str]:
        if number < 0:
            other = self._others[-number - 1]
            return other.kind, other.name
        kernel = self.kernels[number]
        return SpanKind.EXTERN if kernel.language == "extern" else SpanKind.GENERATED, kernel.name


def _covered(ranges: Sequence[tuple[int, int]]) -> int:
    """How much of the axis these ranges cover together."""
    covered = last = 0
    for begin, end in sorted(ranges):
        begin = max(begin, last)
        if end > begin:
            covered += end - begin
            last = end
    return covered
