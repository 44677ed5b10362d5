"""When the eager program is timed beside the compiled one: equal turns, both orders, both warm."""

from collections.abc import Callable


class EagerInterleaving:
    """`step` runs one eager step and gives its nanoseconds; `compiled` one of the compiled program."""

    def __init__(self, every: int, step: Callable[[], int], compiled: Callable[[], object]) -> None:
        self._every = every
        self._step = step
        self._compiled = compiled

    def before(self, iteration: int) -> int:
        """Run what comes before the compiled step is timed: nanoseconds of an eager step, 0 where none comes first."""
        if not self._at(iteration):
            return 0
        # every second time, so that neither always finds the caches as the other left them
        eager = self._eager() if iteration // self._every % 2 else 0
        if self._every > 1:
            self._compiled()  # uncounted
        return eager

    def after(self, iteration: int, before: int) -> int:
        """The eager step that belongs to the compiled one just timed, 0 where none does; `before` is what `before` gave."""
        return before or (self._eager() if self._at(iteration) else 0)

    def _at(self, iteration: int) -> bool:
        return bool(self._every) and iteration % self._every == 0

    def _eager(self) -> int:
        if self._every > 1:
            self._step()  # uncounted
        return self._step()
