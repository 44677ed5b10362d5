"""How far results are from a reference, and whether that is what float arithmetic explains: every tolerance stands here."""

import dataclasses
import math
import re
import statistics
from collections.abc import Iterator, Sequence

import torch

from compiler.engine.torch_internals.patch.torch_same import torch_agrees
from compiler.engine.user_program.stepper import AFTERWARDS, Results
from compiler.model.timing.verdicts import Comparison, Difference, not_judged

_FACTOR = 4.0
"""Compiled may be this many times farther from float64 than eager is (torch's own check allows 3 to 10)."""
_UNITS_WIDE, _UNITS_NARROW = 256.0, 4.0
"""And is always allowed this many units in the last place of its dtype: sums in another order differ by so much in
float32 (3e-5); in 16-bit dtypes, whose results are rounded once more anyway, fewer."""

_MEAN_FACTOR, _ENOUGH = 3.0, 32
"""The root mean square of a result's error may be this many times eager's (torch's own check: 2 to 3), or one unit of a 16-bit
dtype, or what the largest may be: one element is unlucky, not all of them, so a fault that the largest error of a 16-bit program
hides shows in it. Of fewer elements it says no more than the largest."""

_WITHOUT_REFERENCE = ((1e-6, 1e-4), (1e-10, 1e-8), (1.0, 2e-2))
"""(largest eps, allowed error over the largest value), where a result is compared with eager's alone: float32 and float64
first, 16 bits last. Sums in another order, and kernels that fuse, stay well below."""
_NUMBERS_RELATIVE, _NUMBERS_ABSOLUTE = 1e-4, 1e-8
"""The same for a Python number, which may come from a float32 tensor."""

_BY_NOISE = 32.0
"""Eager may be this many times farther from float64 than noise of one unit in the last place takes it, before something
else than rounding is at work: kernels add in another order, and noise of a few runs is not the worst."""


LOUDER = 4.0
"""Noise that turns branches over a few times as often as rounding does."""
_JUMP, _TURNED = 8.0, 2.0
"""How many times as far as that noise explains a jump goes; and how many times as far as the jumps seen another may go."""

_MORE_THAN_AGAIN = 10.0
"""Noise moves a tensor where it takes it this many times as far as the run, which may not repeat its results, does by itself."""

_GRADIENT = "grad of "
GRADIENT_LEFT = f".grad{AFTERWARDS}"
_INDEX = re.compile(r"\[\d+\]")

_DISTINGUISHES_NOTHING, ALL_ROUNDING = 0.25, 32.0
"""From what share of a value on rounding hides a fault; and what is moved by more than so many times its value has none."""


def difference(name: str, result: torch.Tensor, reference: torch.Tensor) -> Difference:
    """Largest absolute error, that over the reference's largest value, and root mean square over that of the reference."""
    if result.shape != reference.shape:
        shapes = f"of shape {list(result.shape)}, not {list(reference.shape)}"
        return Difference(name, math.inf, math.inf, unlike=shapes)
    if result.numel() == 0:
        return Difference(name, 0.0, 0.0, 0.0)
    wide = torch.complex128 if result.is_complex() or reference.is_complex() else torch.float64
    first, second = result.to(wide), reference.to(wide)
    unequal = ~((first == second) | (first.isnan() & second.isnan()))
    if not bool(unequal.any()):
        return Difference(name, 0.0, 0.0, 0.0)
    errors = (first - second)[unequal].abs().nan_to_num(nan=math.inf, posinf=math.inf)
    absolute = float(errors.max())
    sizes = second.abs().nan_to_num(0.0, 0.0, 0.0)
    scale = float(sizes.max())
    unlike = _unlike(first, second) if absolute == math.inf else ""
    if not scale:
        return Difference(name, absolute, math.inf, math.inf, unlike or "not all 0 as the reference is")
    mean = (
        float(torch.sqrt((errors / absolute).square().sum() / second.numel()))
        if absolute < math.inf
        else math.inf
    )
    size = float(torch.sqrt((sizes / scale).square().mean()))
    relative = absolute / scale
    return Difference(name, absolute, relative, relative * mean / size, unlike)


def _unlike(result: torch.Tensor, reference: torch.Tensor) -> str:
    """What two tensors infinitely far from each other are."""
    for word, where in (("NaN", torch.isnan), ("infinite", torch.isinf)):
        mine, others = where(result), where(reference)
        if bool((mine & ~others).any()):
            return f"{word} where the reference is not"
        if bool((others & ~mine).any()):
            return f"not {word} where the reference is"
    return "infinite with the other sign"


def differences(results: Results, reference: Results) -> tuple[Difference, ...]:
    """For every tensor that the reference gave or changed; one that is missing is infinitely far. What only the results changed is as
    far from what it was.
    """
    return tuple(_difference(name, results, reference) for name in _names(results, reference))


def _difference(name: str, results: Results, reference: Results) -> Difference:
    found, expected = results.get(name), reference.get(name)
    if found is None or expected is None:
        return Difference(name, math.inf, math.inf, unlike="missing")
    return difference(name, found, expected)


def _names(results: Results, reference: Results) -> Iterator[str]:
    for name in reference.tensors:
        if not name.endswith(AFTERWARDS) or results.unchanged is not None:
            yield name
    for name in results.tensors:
        if name.endswith(AFTERWARDS) and name not in reference.tensors and reference.get(name) is not None:
            yield name


def compare(what: str, results: Results, against: str, reference: Results, note: str = "") -> Comparison:
    """Results beside a reference; no judgement. What the reference has not at all (a gradient that an edit gives) is infinitely far."""
    more = tuple(
        Difference(name, math.inf, math.inf, unlike="one that the reference does not have")
        for name, value in results.tensors.items()
        if not name.endswith(AFTERWARDS) and reference.get(name) is None and bool(value.any())
    )
    return Comparison(what, against, (*differences(results, reference), *more), note=note)


@dataclasses.dataclass(frozen=True)
class Far:
    """A difference from float64 that eager's does not allow: by its largest error, by its root mean square, or both."""

    row: Difference
    largest: bool
    mean: bool

    @property
    def tensor(self) -> str:
        """Its name."""
        return self.row.tensor


NOTHING_TO_COMPARE = not_judged("a step gives no tensor back, and changes none that can be compared")
"""Of a function that only prints, or writes where Python does not see it."""
NOTHING_SHOWS = not_judged(
    "all that a step gives is empty, NaN or infinite, where no fault shows. Give the program other inputs"
)


def judge(what: str, results: Results, eager: Results, against: str, exact: Results) -> Comparison:
    """Results beside the float64 reference, judged by how far eager is from it, tensor by tensor."""
    return judged(what, results, eager, against, exact)[0]


def judged(
    what: str,
    results: Results,
    eager: Results,
    against: str,
    exact: Results,
    note: str = "",
    unit: float = 0.0,
) -> tuple[Comparison, tuple[Far, ...]]:
    """The same, with the differences for which results are wrong. `unit`: how far, relatively, one operation may round, where that is
    more than the dtypes of the results say.
    """
    ours = differences(results, exact)
    if not ours:
        return Comparison(what, against, (), None, f"{note} {NOTHING_TO_COMPARE}".strip()), ()
    far = _too_far(ours, results, eager, exact, unit)
    if not far and not any(shows(exact.get(row.tensor)) for row in ours):
        return Comparison(what, against, ours, None, f"{note} {NOTHING_SHOWS}".strip()), ()
    torchs = _torch_agrees(results, eager, exact)
    note = " ".join(filter(None, (note, mean_square_note(far, eager, exact))))
    return Comparison(what, against, ours, not far, note, torchs, tuple(item.tensor for item in far)), far


def is_the_same(results: Results, eager: Results) -> bool:
    """Whether results are eager's number by number, and some number would be another one were there a fault."""
    rows = differences(results, eager)
    return not any(row.max_absolute for row in rows) and any(shows(eager.get(row.tensor)) for row in rows)


def shows(exact: torch.Tensor | None) -> bool:
    """Whether there is a number that a fault would change."""
    if exact is None:
        return False
    narrow = (
        exact.is_floating_point() and exact.itemsize == 1
    )  # of which torch 2.13 does not say what is finite
    return bool((exact.float() if narrow else exact).isfinite().any())


def _too_far(
    ours: tuple[Difference, ...], results: Results, eager: Results, exact: Results, unit: float = 0.0
) -> tuple[Far, ...]:
    """Those of the results' differences from float64 (`ours`) that eager's, some units in the last place and one `unit` do not allow."""
    far = []
    for row in ours:
        eagers = _difference(row.tensor, eager, exact)
        allowed = max(_FACTOR * eagers.max_relative, _allowed(results, row.tensor), unit)
        mean = eager is not exact and _mean_too_far(row, eagers, results, exact)
        far.append(Far(row, row.max_relative > allowed, mean))
    return tuple(item for item in far if item.largest or item.mean)


def _mean_too_far(row: Difference, eagers: Difference, results: Results, exact: Results) -> bool:
    if row.rms_relative is None or eagers.rms_relative is None:
        return False
    tensor, reference = results.get(row.tensor), exact.get(row.tensor)
    if tensor is None or reference is None or tensor.numel() < _ENOUGH:
        return False
    floor = _allowed(results, row.tensor)
    if _is_narrow(tensor):
        floor /= _UNITS_NARROW
    if row.rms_relative <= max(_MEAN_FACTOR * eagers.rms_relative, floor):
        return False
    return _is_narrow(tensor) or row.rms_relative > floor * _peak(reference)


def _peak(reference: torch.Tensor) -> float:
    """The largest value over the root mean square: units in the last place are counted in that of the largest, by either measure."""
    sizes = reference.abs().nan_to_num(0.0, 0.0, 0.0)
    largest = float(sizes.max())
    return 1.0 / float(torch.sqrt((sizes.double() / largest).square().mean())) if largest else 1.0


def mean_square_note(far: Sequence[Far], eager: Results, exact: Results) -> str:
    """A sentence where nothing but the root mean square says that results are wrong; of the tensor that is farthest off."""
    if not far or any(item.largest for item in far):
        return ""
    row = max((item.row for item in far), key=lambda row: row.rms_relative or 0.0)
    theirs = _difference(row.tensor, eager, exact)
    return (
        f"By its root mean square {row.tensor} is {row.rms_relative:.1e} from float64, eager {theirs.rms_relative:.1e}; its largest "
        "error alone would not show that."
    )


def unexplained(
    far: tuple[Far, ...],
    eager: Results,
    exact: Results,
    noisy: list[Results],
    again: list[Results],
    in_tf32: bool = False,
) -> tuple[Far, ...]:
    """Those of the differences from float64 (`far`) that rounding noise does not take float64 itself about as far: sums that cancel
    to nothing, of which eager gives the exact zero by luck, are explained. `again`: what is exact, once more; a tensor that noise
    moves no more than that is never explained. `in_tf32`: float32 is computed with 10 binary digits too.
    """
    moved = _by_noise(exact, noisy, again)
    narrow = {name: far for name, far in moved.items() if _is_narrow(eager.get(name))}
    others = {name: far for name, far in moved.items() if name not in narrow} if in_tf32 else {}
    louder = dict.fromkeys(narrow, _louder(narrow, eager, exact))
    in_others = _louder(others, eager, exact)
    if in_others <= _BY_NOISE:  # else eager took all digits itself, and what is compiled need not
        louder |= dict.fromkeys(others, in_others)
    return tuple(item for item in far if not _is_moved(item, moved, louder.get(item.tensor, 1.0)))


def _louder(moved: dict[str, Difference], eager: Results, exact: Results) -> float:
    """How many times as far as eager noise goes, by root mean square, in the middle one of these tensors: of few digits it rounds in
    every way that might be, and goes about ten times as far there. Where it goes farther than that, eager had luck.
    """
    ratios = [
        _mean(far) / eagers
        for name, far in moved.items()
        if _mean(far) < 1 and (eagers := _difference(name, eager, exact).rms_relative)
    ]
    return max(statistics.median_low(ratios), 1.0) if ratios else 1.0


def as_far_as(far: tuple[Far, ...], other: Results, exact: Results) -> tuple[Far, ...]:
    """Those of the differences that `other` results of the same graph, which are known to be right, have too: on a GPU a convolution
    takes 10 binary digits or all, as its library chooses.
    """
    reached = []
    for item in far:
        row = _difference(item.tensor, other, exact)
        largest = not item.largest or item.row.max_relative <= _FACTOR * row.max_relative < math.inf
        if largest and (not item.mean or _mean(item.row) <= _MEAN_FACTOR * _mean(row) < math.inf):
            reached.append(item)
    return tuple(reached)


def nearer_before(far: tuple[Far, ...], results: Results, before: Results, exact: Results) -> tuple[Far, ...]:
    """Those of explained differences in which other code of the same graph is much nearer (`before`): there rounding did not go so far.
    Where terms cancel to nothing that is luck.
    """
    found = []
    for item in far:
        row = _difference(item.tensor, before, exact)
        largest = item.largest and item.row.max_relative > _FACTOR * row.max_relative
        if largest or (item.mean and _mean(item.row) > _MEAN_FACTOR * _mean(row)):
            found.append(item)
    if not found:
        return ()
    nothing = nothing_but_rounding(tuple(item.row for item in found), results, exact)
    return tuple(item for item in found if item.row not in nothing)


def turned_over(
    far: tuple[Far, ...], exact: Results, noisy: Sequence[Results], louder: Sequence[Results]
) -> tuple[Far, ...]:
    """Those that noise `LOUDER` times as loud takes float64 as far, where it takes one of them by a jump: a branch (a relu at 0, a top-k)
    that rounding turns over in one run of many. What rounds continuously goes about so many times as far.
    """
    near, wild = _moved(exact, noisy), _moved(exact, louder)
    nothing = Difference("", 0.0, 0.0, 0.0)
    reached, jumps = [], False
    for item in far:
        noise, loud = near.get(item.tensor, nothing), wild.get(item.tensor, nothing)
        largest = not item.largest or item.row.max_relative <= _TURNED * loud.max_relative
        if largest and (not item.mean or _mean(item.row) <= _TURNED * _mean(loud)):
            reached.append(item)
            jumps = jumps or _JUMP * LOUDER * noise.max_relative < loud.max_relative < math.inf
    return tuple(reached) if jumps else ()


def unsteady(far: tuple[Far, ...], exact: Results, again: list[Results]) -> tuple[Far, ...]:
    """Those that what is exact is about as far from itself, run again: kernels of a GPU add in another order each time, and where
    terms cancel to nothing, that is what is left.
    """
    moved = _moved(exact, again)
    return tuple(item for item in far if _is_moved(item, moved))


def as_small_as_rounding(
    rows: tuple[Difference, ...], exact: Results, found: Results
) -> tuple[Difference, ...]:
    """Those that are gradients, or an optimizer's averages of them, and differ by no more than the largest of their kind is rounded by."""
    kinds = {row.tensor: kind for row in rows if (kind := _kind(row.tensor))}
    allowed = dict.fromkeys(kinds.values(), 0.0)
    for name, value in exact.tensors.items():
        kind = _kind(name)
        if kind in allowed and value.numel():
            largest = float(value.detach().abs().nan_to_num(0.0, 0.0, 0.0).max())
            allowed[kind] = max(allowed[kind], largest * _allowed(found, name))
    return tuple(row for row in rows if row.max_absolute <= allowed.get(kinds.get(row.tensor, ""), -1.0))


def _kind(name: str) -> str:
    """What tensors are compared with as gradients are with each other: ``opt.state[0]['exp_avg']`` and ``opt.state[1]['exp_avg']``."""
    if name.startswith(_GRADIENT) or name.endswith(GRADIENT_LEFT):
        return _GRADIENT
    return _INDEX.sub("[]", name) if name.endswith(AFTERWARDS) and _INDEX.search(name) else ""


def nothing_but_rounding(
    rows: tuple[Difference, ...], found: Results, exact: Results
) -> tuple[Difference, ...]:
    """Those that are gradients of which float64 has next to nothing beside what was found, and as small as rounding: terms that cancel
    (the bias of attention's keys), whatever random numbers are drawn.
    """
    return tuple(
        row
        for row in as_small_as_rounding(rows, exact, found)
        if _difference(row.tensor, found, exact).max_relative > ALL_ROUNDING
    )


def too_far_to_judge(
    rows: tuple[Difference, ...], results: Results, eager: Results, exact: Results, noisy: Sequence[Results]
) -> tuple[Difference, ...]:
    """Those of the differences from float64 that eager's own, or noise, explains and that are a good part of the value all the same: a
    fault of that size would not show. What cancels to nothing, and has no value but rounding, is none of them.
    """
    large = tuple(row for row in rows if row.max_relative >= _DISTINGUISHES_NOTHING)
    if not large:
        return ()
    moved = _moved(exact, (eager, *noisy))
    left = [row for row in large if not moved[row.tensor].max_relative > ALL_ROUNDING]
    small = as_small_as_rounding(tuple(left), exact, results)
    return tuple(row for row in left if row not in small)


def near_eager(found: torch.Tensor, eager: torch.Tensor, unit: float = 0.0) -> bool:
    """Whether a result is eager's within rounding, where nothing was computed in float64; of equal shape and dtype. `unit`: of what it
    is made of, where that is more than its own dtype's.
    """
    exact = not (eager.is_floating_point() or eager.is_complex())
    eps = 0.0 if exact else max(torch.finfo(eager.dtype).eps, unit)
    allowed = 0.0 if exact else min(row for row in _WITHOUT_REFERENCE if eps <= row[0])[1]
    return difference("", found, eager).max_relative <= allowed


def near_number(one: float, other: float) -> bool:
    """Whether two Python numbers are the same within rounding; NaN is itself."""
    close = math.isclose(one, other, rel_tol=_NUMBERS_RELATIVE, abs_tol=_NUMBERS_ABSOLUTE)
    return close or (one != one and other != other)


def beyond(
    eager: Results,
    exact: Results,
    noisy: Sequence[Results] = (),
    again: Sequence[Results] = (),
    nothing: bool = False,
) -> Difference | None:
    """The tensor in which eager is farther from float64 than some units in the last place, and much farther than float64
    with rounding noise, or run again, is; None where there is none. `nothing`: nor where terms cancel and what is left is as small as
    rounding, which is known without noise.
    """
    moved, by_itself = _moved(exact, noisy), _moved(exact, again)

    def is_far(row: Difference) -> bool:
        known = [rows[row.tensor].max_relative for rows in (moved, by_itself) if row.tensor in rows]
        return row.max_relative > max(_BY_NOISE * max(known, default=0.0), _allowed(eager, row.tensor))

    far = tuple(filter(is_far, differences(eager, exact)))
    left_out = nothing_but_rounding(far, eager, exact) if nothing and far else ()
    return next((row for row in far if row not in left_out), None)


def _is_moved(item: Far, moved: dict[str, Difference], louder: float = 1.0) -> bool:
    """By each measure that it is too far by; by root mean square, noise is taken for that many times as loud as rounding."""
    noise = moved.get(item.tensor)
    if noise is None:
        return False
    largest = not item.largest or item.row.max_relative <= _as_far_as(noise.max_relative, _FACTOR) < math.inf
    mean = _as_far_as(_mean(noise), _MEAN_FACTOR / louder)
    return largest and (not item.mean or _mean(item.row) <= mean < math.inf)


def _as_far_as(moved: float, factor: float) -> float:
    """Where noise moves a result by as much as it is, all of it is roundings that did not cancel, and they vary as eager's may."""
    return moved * (factor if moved < 1 else _BY_NOISE)


def _by_noise(exact: Results, noisy: list[Results], again: list[Results]) -> dict[str, Difference]:
    """How far noise took each tensor that it moves, and not the run alone."""
    by_itself = _moved(exact, again)
    nothing = Difference("", 0.0, 0.0, 0.0)
    return {
        name: far
        for name, far in _moved(exact, noisy).items()
        if far.max_relative > _MORE_THAN_AGAIN * by_itself.get(name, nothing).max_relative
    }


def _moved(exact: Results, noisy: Sequence[Results]) -> dict[str, Difference]:
    """How far noise took each tensor at most."""
    moved: dict[str, Difference] = {}
    for one in noisy:
        for row in differences(one, exact):
            before = moved.get(row.tensor, row)
            moved[row.tensor] = Difference(
                row.tensor,
                max(row.max_absolute, before.max_absolute),
                max(row.max_relative, before.max_relative),
                max(_mean(row), _mean(before)),
            )
    return moved


def _mean(row: Difference) -> float:
    return math.inf if row.rms_relative is None else row.rms_relative


def _torch_agrees(results: Results, eager: Results, exact: Results) -> bool | None:
    """What torch's own check says of all tensors; None where a result is not there, or torch cannot compare them."""
    try:
        rows = [[row.get(name) for row in (results, eager, exact)] for name in _names(results, exact)]
        return all(torch_agrees(*row) for row in rows)
    except Exception:  # noqa: BLE001  torch's check takes no quantised tensors, and its own errors judge nothing
        return None


def _is_narrow(tensor: torch.Tensor | None) -> bool:
    return tensor is not None and tensor.dtype.itemsize < 4


def _allowed(results: Results, name: str) -> float:
    tensor = results.get(name)
    if tensor is None or not (tensor.is_floating_point() or tensor.is_complex()):
        return 0.0
    units = _UNITS_NARROW if _is_narrow(tensor) else _UNITS_WIDE
    return units * float(torch.finfo(tensor.dtype).eps)
