"""What compiled graphs return in a running program, looked at every so many calls: where a NaN or an infinity first comes."""

from collections import Counter
from collections.abc import Callable
from typing import Any

from compiler.engine.torch_internals.live.values import not_finite
from compiler.model.protocol.run_events import RunValuesFound


class ValueWatch:
    """Tells of each graph the first result that is not finite; afterwards that graph is looked at no more."""

    def __init__(self, every: int, emit: Callable[[RunValuesFound], None]) -> None:
        """`every`: 1 for each call, 10 for each tenth."""
        self._every = max(every, 1)
        self._emit = emit
        self._calls: Counter[str] = Counter()
        self._reported: set[str] = set()

    def look(self, graph: str, values: Any) -> None:
        """A graph, or its backward, has returned."""
        if graph in self._reported:
            return
        self._calls[graph] += 1
        if self._calls[graph] % self._every:
            return
        rows = values if isinstance(values, tuple | list) else (values,)
        for index, value in enumerate(rows):
            found = not_finite(value)
            if found:
                self._reported.add(graph)
                self._emit(RunValuesFound(graph, self._calls[graph], index, found, self._every))
                return
