"""What was made of a program beside the program itself, call by call: the same, wrong, refused, or not to be judged."""

import contextlib
import dataclasses
import functools
import signal
import threading
import time
import types
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

import torch

from compiler.engine.accuracy.result_equality import prints_differ
from compiler.engine.accuracy.rounding_bounds import noise_explains, rounding_explains
from compiler.engine.accuracy.side_effect_diff import Part, differing, loses_gradients, other_memory, part_of
from compiler.engine.accuracy.side_effects import Effects, Side
from compiler.engine.errors import summary, users_place
from compiler.engine.rng.random_tape import RandomTape, Within
from compiler.engine.rng.rounding_noise import numbered, rounding_noise, unit_of
from compiler.engine.user_program.alternate_inputs import OtherCall
from compiler.engine.user_program.device_placement import lost_gpu
from compiler.engine.user_program.float64_copy import widened_program
from compiler.engine.user_program.torch_settings import allowed_tf32
from compiler.model.capture.capture_spec import RunOptions
from compiler.model.front_end_comparison.front_end_matrix import PRINT_LOST, Judgement, Outcome

LONGEST_TRY = 5.0
"""Seconds that an input which was made up may keep the program busy: a loop on data may never end."""


_NOISY_RUNS = 3
_REPEATS = 2
_LONGEST = 300
_ENDED = "which ends the GPU's context: nothing was tried after it"
"""Twice: a program that keeps a counter of its own may come back to the same after two calls."""


class _TooLongError(Exception):
    """The program did not end."""


@dataclasses.dataclass
class DifferentialTest:
    """Judges `found` by `eager`, each with its own state, which every call leaves as it was."""

    found: Side
    eager: Side
    run: RunOptions
    set_training: Callable[[bool], None] | None = None
    """Switches what was found between train and eval, where its modules do not."""
    untried: int = 0
    lost: str = ""
    """What ended the GPU's context, as a read outside of a tensor does: nothing can be run in this process after it."""

    def on(self, call: OtherCall) -> Judgement | None:
        """The outcome; None where the program itself does not take this call, or not in time."""
        seed = self.run.seed + call.seed
        try:
            eager = self._run_eager(call, seed)
        except Exception as error:  # noqa: BLE001  raised again where the GPU is as it was
            self._lose(error)
            return None
        if eager.error is not None:
            return None
        if call.seed and not eager.drew:
            return None  # another seed is the same call again
        try:
            found, note = self._run_found(call, seed)
        except Exception as error:  # noqa: BLE001  raised again where the GPU is as it was
            self._lose(error)
            return Judgement(call.words, Outcome.REFUSED, f"{self.lost}, {_ENDED}")
        if found.error is not None:
            return Judgement(call.words, Outcome.REFUSED, describe(found.error))
        lost = prints_differ(found.printed, eager.printed) and not found.printed.strip()
        parts = list(differing(found, eager, self.found.initial))
        outcome, words, attribute = (
            self._why(call, seed, eager, found, parts) if parts else (Outcome.SAME, "", "")
        )
        remarks = [words, note if outcome is Outcome.WRONG else "", attribute]
        if lost:
            remarks.append(PRINT_LOST if outcome is Outcome.SAME else "")
        elif prints_differ(found.printed, eager.printed):
            remarks.append("prints something else")
        without = loses_gradients(found, eager)
        if without and found.gradient_error is not None:
            remarks.append(f"backward raises {describe(found.gradient_error)}")
        if outcome is Outcome.SAME:
            remarks.append(other_memory(found, eager, self.found))
        detail = "; ".join(filter(None, remarks))
        return Judgement(
            call.words, outcome, detail, lost, no_gradients=without, attribute_lost=bool(attribute)
        )

    def _lose(self, error: Exception) -> None:
        """Note that the GPU's context is gone. Raises the error where it is not."""
        self.lost = lost_gpu()
        if not self.lost:
            raise error

    def draws_random_numbers(self, call: OtherCall) -> bool:
        """Whether the program draws from any generator."""
        return self._run_eager(call, self.run.seed).drew

    def in_time(self, calls: Iterator[OtherCall], seconds: float) -> Iterator[OtherCall]:
        """Calls that were made up, as far as there is time; `untried` then says how many there was none for. None after one that
        takes the GPU, as making the next up would need it.
        """
        started, self.untried = time.perf_counter(), 0
        for call in calls:
            if time.perf_counter() - started > seconds:
                self.untried += 1
                continue
            yield call
            if self.lost:
                return

    def not_taken(self, call: OtherCall) -> str:
        """Why the program itself does not take a call, in words."""
        if self.lost:
            return f"the program itself does not take it: {self.lost}, {_ENDED}"
        error = self._run_eager(call, self.run.seed).error
        return (
            f"the program itself does not take it: {describe(error)}" if error else "it takes it now and then"
        )

    def _why(
        self, call: OtherCall, seed: int, eager: Effects, found: Effects, parts: list[Part]
    ) -> tuple[Outcome, str, str]:
        """Whether something else is wrong: not where eager does not repeat it, both draw numbers of their own, or it is
        rounding; and the first attribute that differs.
        """
        again = [self._run_eager(call, seed) for _ in range(_REPEATS)]
        unsteady = {part.name for one in again for part in self._differ(one, eager)}
        attribute = next(
            (part.reported for part in parts if part.attribute and part.name not in unsteady), ""
        )
        parts = [part for part in parts if not part.attribute]
        steady = [part for part in parts if part.name not in unsteady]
        if not parts:
            return Outcome.SAME, "", attribute
        if not steady:
            return Outcome.UNJUDGED, f"{parts[0].reported}; eager does not repeat its own result", attribute
        if eager.drew:
            outcome, words = self._of_random(call, seed, eager, found, steady, unsteady)
        else:
            outcome, words = self.beyond_rounding(call, seed, steady)
        return outcome, words, attribute

    def _of_random(
        self,
        call: OtherCall,
        seed: int,
        eager: Effects,
        found: Effects,
        parts: list[Part],
        unsteady: set[str],
    ) -> tuple[Outcome, str]:
        """What differs where random numbers were drawn. What eager gives from any seed is judged as ever, and so is all
        where both drew the same numbers: then something that depends on them is the same on both sides.
        """
        others = self._differ(self._run_eager(call, seed + 1), eager)
        of_seed = {part.name for part in others if not part.attribute} - unsteady
        always = [part for part in parts if part.name not in of_seed]
        if always:
            outcome, words = self.beyond_rounding(call, seed, always)
            if outcome is Outcome.WRONG:
                return outcome, words
        drawn = [part for part in parts if part.name in of_seed]
        if not drawn:
            return self.beyond_rounding(call, seed, parts)
        if of_seed - {part.name for part in parts}:
            return self.beyond_rounding(call, seed, drawn)
        if not found.drew:
            again, _ = self._run_found(call, seed + 1)
            if again.error is None and not list(differing(again, found, self.found.initial)):
                return Outcome.WRONG, f"{drawn[0].reported}; random numbers are baked in"
        return Outcome.UNJUDGED, f"{drawn[0].reported}; it draws random numbers of its own"

    def beyond_rounding(self, call: OtherCall, seed: int, parts: list[Part]) -> tuple[Outcome, str]:
        """`WRONG` with the first part that is farther from float64 than rounding takes it, or `SAME`; in words."""
        tape = self._tape(call, seed)
        wide = self._in_float64(call, seed, tape)
        if tape.unlike:
            return Outcome.UNJUDGED, f"{parts[0].reported}; {tape.unlike}"
        explained = ""
        for part in parts:
            words = self._format_rounding(call, seed, part, wide, tape) if wide else ""
            if not words:
                return Outcome.WRONG, part.reported
            explained = explained or f"{part.reported}; {words}"
        return Outcome.SAME, explained

    def _format_rounding(
        self, call: OtherCall, seed: int, part: Part, wide: Effects, tape: RandomTape
    ) -> str:
        exact = part_of(part.name, wide, part)
        words = rounding_explains(part.found, part.eager, exact)
        eps = unit_of(part.eager)
        if words or not eps:
            return words
        runs, tf32 = range(_NOISY_RUNS), allowed_tf32(None)
        noisy = [
            self._in_float64(call, seed, tape, functools.partial(rounding_noise, eps, numbered(number), tf32))
            for number in runs
        ]
        return noise_explains(part.found, exact, [part_of(part.name, one, part) for one in noisy if one])

    def _differ(self, one: Effects, eager: Effects) -> list[Part]:
        return list(differing(one, eager, self.eager.initial)) if one.error is None else []

    def _tape(self, call: OtherCall, seed: int) -> RandomTape:
        """What eager draws, for float64 to draw the same."""
        tape = RandomTape()
        if not self._run_eager(call, seed).drew:
            return tape  # nor is it watched then: torch compiles some higher-order operators, and takes no mode around them

        def run(within: Within) -> None:
            with within():
                self._run_eager(call, seed)

        tape.record(run)
        return tape

    def _in_float64(
        self,
        call: OtherCall,
        seed: int,
        tape: RandomTape,
        around: Within | None = None,
    ) -> Effects | None:
        """None where the program cannot be run in another precision."""
        with mode_of(_modules(self.eager), call.training):
            try:
                wide = Side(widened_program(self.eager.program, call.make()))

                def run(within: Within) -> Effects:
                    with within():
                        return wide.effects((wide.program.args, wide.program.kwargs), self.run, seed)

                effects = tape.replay(run, around)
            except Exception:  # noqa: BLE001  a module need not be one that can be copied
                return None
        return effects if effects.error is None else None

    def _run_eager(self, call: OtherCall, seed: int) -> Effects:
        with mode_of(_modules(self.eager), call.training), _ending_after(LONGEST_TRY):
            return self.eager.effects(call.make(), self.run, seed)

    def _run_found(self, call: OtherCall, seed: int) -> tuple[Effects, str]:
        """What it gave, and a word on a mode that it could not be switched to."""
        function = self.found.call
        own = (function,) if isinstance(function, torch.nn.Module) else ()
        note = ""
        with mode_of(_modules(self.found), call.training):
            try:
                switch = contextlib.ExitStack()
                if call.training is not None and self.set_training is not None:
                    self.set_training(call.training)
                    before = not call.training
                    switch.callback(self.set_training, before)
                else:
                    switch.enter_context(mode_of(own, call.training))
            except Exception as error:  # noqa: BLE001  torch.export's modules refuse; the person may go on all the same
                note = f".{'train' if call.training else 'eval'}() raises {type(error).__name__}"
            with switch:
                return self.found.effects(call.make(), self.run, seed), note


def _modules(side: Side) -> list[torch.nn.Module]:
    return [module for _, module in side.program.modules()]


@contextlib.contextmanager
def mode_of(modules: Iterable[torch.nn.Module], training: bool | None) -> Iterator[None]:
    """Train or eval meanwhile. Raises what a module raises."""
    modules = () if training is None else tuple(modules)
    before = {part: part.training for module in modules for part in module.modules()}
    try:
        for module in modules:
            module.train(training) if training else module.eval()
        yield
    finally:
        for part, mode in before.items():
            part.training = mode


@contextlib.contextmanager
def _ending_after(seconds: float) -> Iterator[None]:
    """Raise in the program when it takes longer, where signals can be had; the process has a limit of its own."""
    if not hasattr(signal, "setitimer") or threading.current_thread() is not threading.main_thread():
        yield
        return

    def end(_number: int, _frame: types.FrameType | None) -> None:
        raise _TooLongError(f"it did not end within {seconds:g} s")

    before = signal.signal(signal.SIGALRM, end)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def describe(error: Exception) -> str:
    """``RuntimeError: ... (model.py:12)``."""
    path, line = users_place(error)
    where = f" ({Path(path).name}:{line})" if path else ""
    return summary(error, line)[:_LONGEST] + where
