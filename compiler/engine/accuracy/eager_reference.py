"""Eager in its own dtypes and in float64 with the same random numbers, and how far rounding alone takes it.

Results are judged by how far eager is from float64. Where eager is farther than rounding explains, float64 computes something
else (it branches elsewhere, it drew other numbers), and nothing can be said of any result: then it is not judged.
"""

import contextlib
import functools
import math
import textwrap
import time
from collections.abc import Callable, Iterator, Sequence

import msgspec

from compiler.engine.accuracy.cancelled_terms import marked
from compiler.engine.accuracy.result_equality import what_differs
from compiler.engine.accuracy.tolerance import (
    ALL_ROUNDING,
    LOUDER,
    Far,
    as_far_as,
    as_small_as_rounding,
    beyond,
    compare,
    differences,
    is_the_same,
    judged,
    mean_square_note,
    nearer_before,
    nothing_but_rounding,
    too_far_to_judge,
    turned_over,
    unexplained,
    unsteady,
)
from compiler.engine.fx.interpreter import noting_own_dtypes
from compiler.engine.rng.draw_order import Draw
from compiler.engine.rng.random_tape import RandomTape, Run, Within
from compiler.engine.rng.rng_state import random_state
from compiler.engine.rng.rounding_noise import numbered, rounding_noise, unit_of
from compiler.engine.user_program.float64_copy import widened_program
from compiler.engine.user_program.loading import Program
from compiler.engine.user_program.stepper import Results, Stepper
from compiler.engine.user_program.torch_settings import allowed_tf32
from compiler.engine.wide_values import wide_dtype
from compiler.model.capture.counted import first_of
from compiler.model.timing.verdicts import NOT_JUDGED, Comparison, Difference, not_judged

_NOISY_RUNS = 3
_MOST_REASON, _MOST_NAMED = 160, 3

_SCATTERED = 32.0
"""So many times its largest value a result that took another branch is not off."""
_FLOAT64 = "float64"
_LEFT_OUT = "Left out, since {who} gives something else each time, and all of it is as small as rounding"

_LOUDER_RUNS, _LOUDER_SECONDS = 8, 5.0
_DIGITS_TO_SPARE = 2.0**-18
_ALIKE = "Other code of the same graph that is right (eager, or what was compiled before) is as far from float64 in"
_TURNED_OVER = "Noise of a few times its rounding takes float64 as far in {where}, by a jump: a branch turns over (a relu at 0)."
_NEARER = "rounding can take float64 as far, but did not in {where}: there the code before the edit, of the same graph, is much nearer"
_AS_EAGER = "Judged by eager alone, whose results these are bit for bit: "
_DREW_OTHERS = "it draws other random numbers than eager does, since it leaves the generators elsewhere"


class Reference:
    """Results in the program's dtypes and exact ones that they, and those of compiled code, are measured by."""

    def __init__(
        self,
        eager: Results,
        exact: Results | None,
        why_not: str = "",
        noisy: Callable[[Within], Results] | None = None,
        unit: Callable[[], float] = lambda: 0.0,
        draws: tuple[Draw, ...] = (),
    ) -> None:
        """`why_not`: why nothing is judged by it, as a clause. `noisy` runs the exact program again, and `unit` is how far,
        relatively, one operation of the other rounds.
        """
        self.eager = eager
        self.exact = exact
        self._why_not = why_not
        self.remark = ""
        """What is to be known of the exact results."""
        self.draws = draws
        """The calls that drew random numbers, in the program's own dtypes, where its operations were watched."""
        self.doubt = ""
        """Why results that are far from the exact ones may be right all the same, as a clause."""
        self.alike: Results | None = None
        """What other code of the same graph gives that is known to be right: the program itself, or what is compiled before an edit."""
        self._no_noise = ""
        self._noisy = noisy
        self._unit = unit
        self._in_tf32 = False
        """Whether noise stood for tf32 too."""

    def judge(self, what: str, results: Results, against: str, before: Results | None = None) -> Comparison:
        """A verdict, or the reason why there is none. Raises nothing; there must be an exact result. `before`: what other code of the
        same graph gives, if there is any.
        """
        row = marked(self._judged(what, results, against, before), self.eager, self.exact)
        if row.agrees is None and is_the_same(results, self.eager):
            return msgspec.structs.replace(row, agrees=True, note=row.note.replace(NOT_JUDGED, _AS_EAGER, 1))
        return row

    def _judged(self, what: str, results: Results, against: str, before: Results | None) -> Comparison:
        """By float64 alone."""
        assert self.exact is not None
        if self.why_not:
            return compare(what, results, against, self.exact, not_judged(self.why_not))
        note = self.remark
        row, far = judged(what, results, self.eager, against, self.exact, note)
        if row.agrees is None:
            return row
        if not far:
            return self._where_it_counts(row, results, ())
        if self.drew_others(results):
            return row.unjudged(_joined(note, not_judged(_DREW_OTHERS)))
        left = unexplained(far, self.eager, self.exact, self._moved, self._again, self._in_tf32)
        explained = [item for item in far if item not in left]
        notes = [f"Rounding alone takes float64 as far in {_named(explained)}."] if explained else []
        if self.alike is not None and (as_far := as_far_as(left, self.alike, self.exact)):
            left = tuple(item for item in left if item not in as_far)
            notes.append(f"{_ALIKE} {_named(as_far)}.")
        nothing = tuple(item.tensor for item in explained if item.row.max_relative > ALL_ROUNDING)
        right = msgspec.structs.replace(
            row, agrees=True, note=_joined(note, *notes), wrong=(), rounding=nothing
        )
        if left:
            steady = unless_unsteady(right, left, results, self.exact, self._again, _FLOAT64)
            if steady is None:
                return self._far_off(row, left, note)
            right = steady
        elif before is not None and (nearer := nearer_before(far, results, before, self.exact)):
            return row.unjudged(_joined(note, not_judged(_NEARER.format(where=_named(nearer)))))
        return right if right.agrees is None else self._where_it_counts(right, results, self._moved)

    def _far_off(self, row: Comparison, left: tuple[Far, ...], note: str) -> Comparison:
        """What neither rounding nor another run explains: wrong, but for what may be right all the same."""
        assert self.exact is not None
        if self.doubt:
            return row.unjudged(_joined(note, not_judged(self.doubt)))
        if turned := self._turned_over(left):
            note = _joined(note, _TURNED_OVER.format(where=_named(turned)))
            left = tuple(item for item in left if item not in turned)
        if not left:
            return row.unjudged(_joined(note, "So it is not judged."))
        note = _joined(note, mean_square_note(left, self.eager, self.exact), self._no_noise)
        return msgspec.structs.replace(row, note=note, wrong=tuple(item.tensor for item in left))

    def drew_others(self, results: Results) -> bool:
        """Whether a run is known to have drawn other random numbers than eager did."""
        return bool(results.random and self.eager.random and results.random != self.eager.random)

    def _where_it_counts(self, row: Comparison, results: Results, noisy: Sequence[Results]) -> Comparison:
        """Not judged where results that are called right are so far from float64 that a fault would not show."""
        assert self.exact is not None
        others = noisy if self.alike is None else (*noisy, self.alike)
        hidden = too_far_to_judge(row.differences, results, self.eager, self.exact, others)
        if not hidden:
            return row
        most = max(hidden, key=lambda item: item.max_relative)
        why = f"rounding alone makes {most.max_relative:.0%} of {most.tensor}; a fault would not show"
        return row.unjudged(_joined(row.note, not_judged(why)))

    @functools.cached_property
    def _again(self) -> list[Results]:
        """The exact program once more or, where that gives something else, some times; empty where it cannot be run so."""
        if self._noisy is None or self.exact is None:
            return []
        with contextlib.suppress(Exception):
            again = [self._noisy(contextlib.nullcontext)]
            if beyond(again[0], self.exact) is not None:
                again += [self._noisy(contextlib.nullcontext) for _ in range(_NOISY_RUNS - 1)]
            return again
        return []

    @functools.cached_property
    def _moved(self) -> list[Results]:
        """The exact program with rounding noise, some times; empty where it cannot be run so."""
        if self._noisy is None or self.exact is None:
            return []
        try:
            unit = self._unit()
            return [self._with_noise(unit, number) for number in range(_NOISY_RUNS)]
        except Exception as error:  # noqa: BLE001  the program ran without noise; what noise makes it raise explains nothing
            self._no_noise = (
                f"How far rounding takes float64 could not be tried: {type(error).__name__}: {error}"
            )
            return []

    def _turned_over(self, left: tuple[Far, ...]) -> tuple[Far, ...]:
        """Those that louder noise takes float64 as far, by a jump; asked of dtypes with digits to spare, since few are all noise."""
        if not self._moved or self.exact is None or (unit := self._unit()) > _DIGITS_TO_SPARE:
            return ()
        turned: tuple[Far, ...] = ()
        louder: list[Results] = []
        began = time.perf_counter()
        while len(louder) < _LOUDER_RUNS and (not louder or time.perf_counter() - began < _LOUDER_SECONDS):
            louder.append(self._with_noise(unit, _NOISY_RUNS + len(louder), LOUDER))
            turned = turned_over(left, self.exact, self._moved, louder)
            if len(turned) == len(left):
                break
        return turned

    @property
    def nothing_exact(self) -> str:
        """A sentence where there are no exact results."""
        why = self._why_not or "the program cannot run in float64"
        return f"{why[0].upper()}{why[1:]}, so nothing is judged against it."

    @functools.cached_property
    def why_not(self) -> str:
        """Why nothing can be judged by it, as a clause; empty where it can."""
        if self._why_not or self.exact is None:
            return self._why_not
        return _beyond_rounding(self._beyond) if self._beyond is not None else ""

    @functools.cached_property
    def _beyond(self) -> Difference | None:
        """What eager's own is farther from float64 in than rounding explains."""
        if self.exact is None or beyond(self.eager, self.exact, nothing=True) is None or self._noisy is None:
            return None
        return beyond(self.eager, self.exact, self._moved, self._again)

    @functools.cached_property
    def scattered(self) -> str:
        """Why eager's own results have nothing of float64's left, as a clause; empty where they have. Rounding and other branches do not
        take them so far: a kernel of torch's may read what nobody wrote, and give something else each time.
        """
        if self._why_not or self.exact is None or self._beyond is None:
            return ""
        far = tuple(row for row in differences(self.eager, self.exact) if _is_scattered(row))
        rounding = nothing_but_rounding(far, self.eager, self.exact)
        return next((_beyond_rounding(row) for row in far if row not in rounding), "")

    def _with_noise(self, unit: float, number: int, louder: float = 1.0) -> Results:
        assert self._noisy is not None
        generator = numbered(number)

        @contextlib.contextmanager
        def within() -> Iterator[None]:
            with rounding_noise(unit, generator, allowed_tf32(None), louder) as noise:
                yield
            self._in_tf32 = self._in_tf32 or noise.in_tf32

        return self._noisy(within)


def unless_unsteady(
    row: Comparison,
    far: tuple[Far, ...],
    results: Results,
    exact: Results,
    again: Sequence[Results],
    who: str,
) -> Comparison | None:
    """What becomes of a verdict where what is too far is as far from itself in what it is judged by, run again: left out where it is as
    small as rounding, else not judged. None where it is steady. `who` gives the exact results.
    """
    if len(unsteady(far, exact, list(again))) < len(far):
        return None
    row, rows = msgspec.structs.replace(row, wrong=()), tuple(item.row for item in far)
    if as_small_as_rounding(rows, exact, results) == rows:
        return msgspec.structs.replace(
            row, agrees=True, note=_joined(row.note, f"{_LEFT_OUT.format(who=who)}: {_named(far)}.")
        )
    why = f"what {who} gives differs from run to run by itself in {_named(far)}"
    return row.unjudged(_joined(row.note, not_judged(why)))


def _cannot(what: str, error: Exception) -> str:
    return f"{what} cannot run in float64 ({reason_of(error)})"


def reason_of(error: Exception) -> str:
    """What an error says, in one short line."""
    reason = str(error).strip().partition("\n")[0].rstrip(".")
    kind = type(error).__name__
    return textwrap.shorten(f"{kind}: {reason}" if reason else kind, _MOST_REASON, placeholder="…")


def _joined(*notes: str) -> str:
    return " ".join(filter(None, notes))


def _named(rows: Sequence[Far]) -> str:
    return ", ".join(item.tensor for item in rows)


def _is_scattered(row: Difference) -> bool:
    """Where float64 has 0 throughout, a branch explains whatever is finite."""
    return math.isinf(row.max_absolute) or _SCATTERED < row.max_relative < math.inf


def _beyond_rounding(far: Difference) -> str:
    if math.isinf(far.max_absolute) and far.unlike:  # NaN, of another shape, or not there at all
        return f"eager's own {far.tensor} is {far.unlike}, compared with float64, which rounding does not explain"
    distance = _distance(far.max_absolute, far.max_relative)
    return f"eager's own {far.tensor} is {distance}, which is more than rounding explains"


def _distance(absolute: float, relative: float) -> str:
    """In words; where the exact value is 0 throughout, no share of it can be told."""
    return (
        f"{relative:.1e} from float64" if math.isfinite(relative) else f"{absolute:.1e} where float64 has 0"
    )


def reference_of(narrow: Run[Results], wide: Run[Results]) -> Reference:
    """What two runs give that are the same but for their precision; the second is given the random numbers of the first.

    Raises what either raises.
    """
    drawing = _Drawing()
    eager = narrow(drawing.watching)
    if not drawing.drew:
        return Reference(
            eager,
            wide(contextlib.nullcontext),
            noisy=wide,
            unit=functools.partial(_unit, narrow, eager),
        )
    tape = RandomTape()
    again = tape.record(narrow)
    draws = tuple(tape.draws)
    exact = tape.replay(wide)
    if what_differs(again.tensors, eager.tensors) and not tape.unlike:
        unwatched = narrow(contextlib.nullcontext)  # on a GPU, sums may be added in another order each time
        if beyond(again, eager, again=[unwatched]) is not None:
            tape.unlike = "it gives other results while its operations are watched"
    return Reference(
        eager, exact, tape.unlike, functools.partial(tape.replay, wide), lambda: tape.unit, draws
    )


class _Drawing:
    """Whether random numbers are drawn, as the generators show."""

    def __init__(self) -> None:
        self.drew = False

    @contextlib.contextmanager
    def watching(self) -> Iterator[None]:
        """Around operations."""
        before = random_state()
        yield
        self.drew = self.drew or random_state() != before


def _unit(narrow: Run[Results], eager: Results) -> float:
    """How far one operation rounds, of those that a run does; of its results where it cannot be watched."""
    tape = RandomTape()
    try:
        tape.record(narrow)
    except Exception:  # noqa: BLE001  higher-order operators run in no mode
        return unit_of(eager.tensors)
    return tape.unit


def graph_reference(narrow: Run[Results], wide: Run[Results], doubt: str = "") -> Reference:
    """The same of an edited graph run op by op; without exact results, and with the reason, where it cannot run in float64. `doubt`: why
    results that are far from the exact ones may be right all the same, as a clause.
    """
    try:
        with noting_own_dtypes() as names:
            reference = reference_of(narrow, wide)
    except Exception as error:  # noqa: BLE001  an operator may not exist in float64
        return Reference(narrow(contextlib.nullcontext), None, _cannot("the edited graph", error))
    reference.doubt = doubt
    if names:
        reference.remark = f"Without float64, and so in their own dtypes: {', '.join(sorted(names))}."
    return reference


def eager_reference(program: Program, stepper: Stepper) -> Reference:
    """The program beside itself with every floating tensor widened. Without exact results where it cannot be run so."""
    try:
        wide = widened_program(program)
        reference = reference_of(watched(stepper, program.callable), watched(stepper.on(wide), wide.callable))
    except Exception as error:  # noqa: BLE001  a program need not be able to run in another precision
        return Reference(stepper.compared_step(program.callable), None, _cannot("the program", error))
    reference.remark = _not_widened(reference.exact)
    return reference


def _not_widened(exact: Results | None) -> str:
    """What a function holds, and not its arguments, is not copied: an optimizer's parameters."""
    tensors = exact.tensors if exact is not None else {}
    left = [name for name, value in tensors.items() if wide_dtype(value.dtype) not in (None, value.dtype)]
    reason = "Not in float64, since the program holds them otherwise than in its module"
    return f"{reason}: {first_of(left, _MOST_NAMED)}." if left else ""


def watched(stepper: Stepper, function: Callable[..., object]) -> Run[Results]:
    """A step of a function that nothing of is compiled."""

    def run(within: Within) -> Results:
        return stepper.compared_step(function, within)

    return run
