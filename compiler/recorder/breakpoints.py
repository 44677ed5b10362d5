"""Where the program waits until somebody lets it go on. Nothing in it changes meanwhile, but time passes: other ranks wait."""

from collections.abc import Callable
from typing import Any

from compiler.engine.torch_internals.live.values import not_finite
from compiler.model.ir.graph import SourceLine
from compiler.model.protocol.run_events import GUARD, RunStopped

_MOST_TEXT = 4_000


class Breakpoints:
    """Asked at every place where a person may want to stop."""

    def __init__(self, wait: Callable[[RunStopped], None]) -> None:
        self.where: tuple[str, ...] = ()
        self._wait = wait
        """Tells that the program has stopped, and comes back when it is to go on."""

    @property
    def watches_values(self) -> bool:
        """Whether what graphs return is looked at, which takes time at each call."""
        return "nan" in self.where

    def stop_here(self, kind: str, text: str, line: SourceLine | None) -> None:
        """Wait, if somebody wants to stop at such a place."""
        wanted = kind in self.where
        if not wanted and kind == "recompile":
            texts = (row.removeprefix(GUARD) for row in self.where if row.startswith(GUARD))
            wanted = any(guard in text for guard in texts)
        if wanted:
            self._wait(RunStopped(kind, text[:_MOST_TEXT], line))

    def check_values(self, graph: str, values: Any) -> None:
        """Stop where a result of a compiled graph is not finite."""
        rows = values if isinstance(values, tuple | list) else (values,)
        for index, value in enumerate(rows):
            found = not_finite(value)
            if found:
                self.stop_here("nan", f"output {index} of graph {graph} holds {found}", None)
                return
