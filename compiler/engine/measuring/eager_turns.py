"""When the eager program is timed beside the compiled one: equal turns, both orders."""

from compiler.engine.measuring.interleaved_timing import Sampler, Settling


class EagerInterleaving:
    """`compiled` and `eager` run one step each and give its nanoseconds."""

    def __init__(self, every: int, compiled: Sampler, eager: Sampler) -> None:
        self._every = every
        self._compiled = compiled
        self._eager = eager
        self._settling = Settling()

    def clocked(self, step: Sampler) -> int:
        """Nanoseconds of a step of the compiled program with clocks in it, after which it must settle without."""
        return self._settling.time_as_it_comes("clocked", step)

    def _compiled_step(self) -> int:
        return self._settling.time("compiled", self._compiled)

    def turn(self, iteration: int) -> tuple[int, int]:
        """Nanoseconds of (a compiled step, an eager one: 0 where none is due)."""
        if not self._every or iteration % self._every:
            return self._compiled_step(), 0
        # every second time the other way round, so that neither always comes first
        if iteration // self._every % 2:
            eager = self._eager_step()
            return self._compiled_step(), eager
        return self._compiled_step(), self._eager_step()

    def _eager_step(self) -> int:
        return self._settling.time("eager", self._eager)
