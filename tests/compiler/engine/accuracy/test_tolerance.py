"""Judging results by float64, beside torch's own check."""

import contextlib
import math
from collections.abc import Callable
from typing import Any

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from compiler.engine.accuracy.eager_reference import Reference, reference_of
from compiler.engine.accuracy.hidden_faults import empty, not_finite_throughout, zero_throughout
from compiler.engine.accuracy.tolerance import (
    NOTHING_SHOWS,
    differences,
    judge,
    judged,
    unexplained,
)
from compiler.engine.rng.random_tape import Within
from compiler.engine.torch_internals.patch.torch_same import torch_agrees
from compiler.engine.user_program.stepper import Results


def _results(tensor: torch.Tensor) -> Results:
    return Results({"output 0": tensor})


def test_both_judgements_are_reported_where_they_differ() -> None:
    """One element in a thousand that is off is a large difference, and a small mean square."""
    exact = torch.linspace(1, 2, 4096, dtype=torch.float64)
    eager = exact.float()
    off = eager.clone()
    off[7] += 3e-4
    row = judge("edited", _results(off), _results(eager), "float64", _results(exact))
    assert (row.agrees, row.torch_agrees) == (False, True)
    row = judge("edited", _results(eager), _results(eager), "float64", _results(exact))
    assert (row.agrees, row.torch_agrees) == (True, True)
    row = judge("edited", _results(eager + 1), _results(eager), "float64", _results(exact))
    assert (row.agrees, row.torch_agrees) == (False, False)
    row = judge("edited", _results(eager[:5]), _results(eager), "float64", _results(exact))
    assert (row.agrees, row.torch_agrees) == (False, False)


@pytest.mark.parametrize(
    ("found", "expected", "words"),
    [
        (None, [1.0], "missing"),
        ([[1.0], [2.0]], [1.0, 2.0], "of shape [2, 1], not [2]"),
        ([1.0, math.nan], [1.0, 2.0], "NaN where the reference is not"),
        ([1.0, 2.0], [1.0, math.nan], "not NaN where the reference is"),
        ([1.0, math.inf], [1.0, 2.0], "infinite where the reference is not"),
        ([-math.inf], [math.inf], "infinite with the other sign"),
        ([0.0, 1e-9], [0.0, 0.0], "not all 0 as the reference is"),
        ([1.5], [1.0], "off by 5.0e-01"),
    ],
)
def test_what_has_no_distance_is_reported_in_words(found: Any, expected: Any, words: str) -> None:
    """All of these were *off by inf*, and to TorchScript of another shape."""
    results = Results({}) if found is None else _results(torch.tensor(found))
    (row,) = differences(results, _results(torch.tensor(expected)))
    assert row.sentence == f"output 0 is {words}"


def test_what_torch_cannot_judge_is_left_open() -> None:
    exact = torch.ones(3, dtype=torch.float64)
    row = judge("edited", Results({}), _results(exact.float()), "float64", _results(exact))
    assert (row.agrees, row.torch_agrees) == (False, None)


def test_whole_numbers_and_flags_are_compared_too() -> None:
    for tensor in (torch.tensor([1, 2]), torch.tensor([True, False])):
        assert torch_agrees(tensor, tensor, tensor)
        assert not torch_agrees(~tensor, tensor, tensor)


_EXACT = torch.rand(4096, generator=torch.Generator().manual_seed(0), dtype=torch.float64) * 2 - 1


def _in_16_bits(seed: int, off: float = 0.005, dtype: torch.dtype = torch.bfloat16) -> torch.Tensor:
    """What eager or compiled code makes of numbers: each off by rounding of its own."""
    noise = torch.randn(4096, generator=torch.Generator().manual_seed(seed), dtype=torch.float64)
    return (_EXACT + off * noise).to(dtype)


@given(st.integers(1, 1000), st.floats(0.0, 0.02))
@settings(max_examples=50, deadline=None)
def test_rounding_in_16_bits_is_right(seed: int, share: float) -> None:
    found, eager = (_results(_in_16_bits(number, share)) for number in (seed, seed + 1))
    assert judge("edited", found, eager, "float64", _results(_EXACT)).agrees is True


@pytest.mark.parametrize("dtype", [torch.bfloat16, torch.float16])
def test_a_fault_smaller_than_the_largest_rounding_is_wrong(dtype: torch.dtype) -> None:
    """A kernel that stores a little more: the largest error of a 16-bit program allows that, and noise explains it."""
    eager, found = _in_16_bits(1, dtype=dtype), (_in_16_bits(2) * 1.04).to(dtype)
    exact = _results(_EXACT)
    row = judge("edited", _results(found), _results(eager), "float64", exact)
    assert (row.agrees, row.torch_agrees, row.wrong) == (False, False, ("output 0",))
    noisy = iter(range(3, 100))
    reference = Reference(
        _results(eager),
        exact,
        noisy=lambda within: (
            exact
            if within is contextlib.nullcontext
            else _results(_in_16_bits(next(noisy), dtype=torch.float64))
        ),
    )
    row = reference.judge("edited", _results(found), "float64")
    assert (row.agrees, row.wrong) == (False, ("output 0",))


@pytest.mark.parametrize("dtype", [torch.bfloat16, torch.float16])
def test_where_eager_was_lucky_noise_explains(dtype: torch.dtype) -> None:
    """In one of its tensors; in the other noise is ten times as loud as eager's rounding, which explains nothing."""
    noisy = iter(range(3, 100))
    names = ("output 0", "output 1")
    exact = Results(dict.fromkeys(names, _EXACT))

    def noise() -> Results:
        return Results({name: _in_16_bits(next(noisy), 0.05, dtype=torch.float64) for name in names})

    eager = Results({"output 0": _EXACT.to(dtype), "output 1": _in_16_bits(1, 0.005, dtype)})
    reference = Reference(
        eager, exact, noisy=lambda within: exact if within is contextlib.nullcontext else noise()
    )
    found = Results({"output 0": _in_16_bits(2, 0.008, dtype), "output 1": _in_16_bits(3, 0.005, dtype)})
    assert judge("edited", found, eager, "float64", exact).agrees is False
    row = reference.judge("edited", found, "float64")
    assert (row.agrees, row.wrong) == (True, ())
    assert row.note == "Rounding alone takes float64 as far in output 0."
    found.tensors["output 1"] = (_in_16_bits(3, 0.005) * 1.04).to(dtype)
    row = reference.judge("edited", found, "float64")
    assert (row.agrees, row.wrong) == (False, ("output 1",))


def test_noise_of_tf32_is_held_against_eager_too() -> None:
    """A stored value a little larger, six times as far off as eager is and no farther than noise goes."""
    eager, found = (_results(_in_16_bits(seed, off, torch.float32)) for seed, off in ((1, 0.001), (2, 0.006)))
    exact = _results(_EXACT)
    noisy = [_results(_in_16_bits(seed, 0.006, torch.float64)) for seed in (3, 4, 5)]
    _, far = judged("edited", found, eager, "float64", exact)
    assert [item.tensor for item in far] == ["output 0"]
    assert unexplained(far, eager, exact, noisy, [exact]) == ()
    assert unexplained(far, eager, exact, noisy, [exact], in_tf32=True) == far


def test_what_rounding_explains_is_not_called_right_where_the_code_before_was_nearer() -> None:
    """Of few elements the root mean square says little, and noise of 16 bits takes them a few percent."""
    few = slice(0, 10)
    exact, eager = _results(_EXACT[few]), _results(_in_16_bits(1, 0.001)[few])
    noise = iter(range(3, 100))
    reference = Reference(
        eager,
        exact,
        noisy=lambda within: (
            exact
            if within is contextlib.nullcontext
            else _results(_in_16_bits(next(noise), 0.02, torch.float64)[few])
        ),
    )
    found = _results((_EXACT[few] * 1.06).bfloat16())
    assert reference.judge("edited", found, "float64").agrees is True
    assert reference.judge("edited", found, "float64", before=found).agrees is True
    row = reference.judge("edited", found, "float64", before=eager)
    assert (row.agrees, row.wrong) == (None, ())
    assert "did not in output 0" in row.note


def test_results_that_are_nothing_but_zeros_are_named() -> None:
    """Of a buffer, or whole numbers, that is nothing to tell."""
    zeros = torch.zeros(3, dtype=torch.float64)
    tensors = {
        "output 0": _EXACT, "grad of a": zeros, "a.grad afterwards": zeros, "b afterwards": zeros, "output 1": zeros.long()
    }  # fmt: skip
    assert zero_throughout(Results(tensors)) == ("grad of a", "a.grad afterwards")


def test_results_without_a_finite_number_are_named() -> None:
    """NaN times anything is NaN, and what is infinite stays so."""
    infinite = torch.tensor([math.inf, -math.inf, math.nan])
    tensors = {
        "output 0": infinite, "output 1": infinite.to(torch.complex64), "output 2": torch.tensor([math.inf, 1.0]),
        "grad of a": infinite, "b afterwards": infinite, "output 3": torch.empty(0),
    }  # fmt: skip
    assert not_finite_throughout(Results(tensors)) == ("output 0", "output 1", "grad of a")
    assert empty(Results(tensors)) == ("output 3",)


@pytest.mark.parametrize("hides", [torch.empty(0, 3), torch.full((3,), math.nan), torch.tensor([math.inf])])
def test_where_no_fault_shows_nothing_is_right(hides: torch.Tensor) -> None:
    """What a wrong kernel makes of it is the same; another shape, or a number, is wrong all the same."""
    exact = _results(hides.double())
    row, far = judged("edited", _results(hides * 1.5), _results(hides), "float64", exact)
    assert (row.agrees, far) == (None, ())
    assert NOTHING_SHOWS in row.note
    row, _ = judged("edited", _results(torch.ones(3)), _results(hides), "float64", exact)
    assert row.agrees is False
    both = {"output 0": hides, "output 1": torch.ones(2)}
    assert judge("edited", Results(both), Results(both), "float64", Results(both)).agrees is True


def test_what_only_the_mean_square_shows_is_said() -> None:
    found, eager = (_EXACT * 1.04).bfloat16(), _in_16_bits(1)
    row = judge("edited", _results(found), _results(eager), "float64", _results(_EXACT))
    assert row.agrees is False
    assert row.note.startswith("By its root mean square output 0 is 4.0e-02 from float64, eager 8.")


def test_a_few_elements_are_judged_by_the_largest_alone() -> None:
    exact = torch.ones(4, dtype=torch.float64)
    eager, found = exact.bfloat16(), (exact * 1.02).bfloat16()
    assert judge("edited", _results(found), _results(eager), "float64", _results(exact)).agrees is True


@pytest.mark.parametrize(("off", "right"), [(2e-5, True), (4e-5, False)])
def test_units_in_the_last_place_are_those_of_the_largest_value_by_either_measure(
    off: float, right: bool
) -> None:
    """A gradient of a convolution before a batch norm has few large values, and each is rounded as they are."""
    exact = torch.full((4096,), 0.01, dtype=torch.float64)
    exact[7] = 1.0
    found = (exact + off).float()
    row = judge("edited", _results(found), _results(exact.float()), "float64", _results(exact))
    assert row.agrees is right


def test_worst_is_what_makes_it_wrong() -> None:
    """A gradient that cancels to nothing is farthest off, and not why."""
    nothing, value = torch.full((64,), 1e-17, dtype=torch.float64), torch.ones(64, dtype=torch.float64)
    exact = Results({"grad of bias": nothing, "grad of weight": value})
    eager = Results({"grad of bias": nothing.float() * 1e9, "grad of weight": value.float()})
    found = Results({"grad of bias": nothing.float() * 2e9, "grad of weight": value.float() * 1.5})
    row = judge("edited", found, eager, "float64", exact)
    assert row.agrees is False
    assert (row.worst.tensor, row.wrong) == ("grad of weight", ("grad of weight",))


@pytest.mark.parametrize("left", ["opt.state[{}]['momentum_buffer'] afterwards", "net.{}.grad afterwards"])
def test_averages_of_gradients_that_cancel_are_rounding(left: str) -> None:
    """The momentum of a bias before a batch norm, and the gradient that a step left: noise, and small beside the others."""
    names = [left.format(index) for index in range(2)]
    exact = Results(
        {
            names[0]: torch.ones(64, dtype=torch.float64),
            names[1]: torch.full((64,), 1e-9, dtype=torch.float64),
        },
        unchanged={},
    )
    eager, found = (
        Results({names[0]: torch.ones(64), names[1]: torch.full((64,), value)}, unchanged={})
        for value in (3e-9, -2e-9)
    )
    noise = Results({names[0]: exact.tensors[names[0]], names[1]: exact.tensors[names[1]] * 3}, unchanged={})
    reference = Reference(
        eager, exact, noisy=lambda within: exact if within is contextlib.nullcontext else noise
    )
    assert reference.judge("edited", found, "float64").agrees is True
    wrong = Results({names[0]: torch.ones(64) * 1.5, names[1]: found.tensors[names[1]]}, unchanged={})
    assert reference.judge("edited", wrong, "float64").wrong == (names[0],)
    alone = Results({names[1]: exact.tensors[names[1]]}, unchanged={})
    assert (
        Reference(eager, alone, noisy=lambda within: alone if within is contextlib.nullcontext else noise)
        .judge("edited", found, "float64")
        .agrees
        is None
    )


def test_a_branch_that_rounding_turns_over_in_one_run_of_many_is_no_fault() -> None:
    """A Unet's relu at 0: its float32 takes the other side on one input in ten, and three runs with noise show none."""
    numbers = torch.linspace(0.5, 1.5, 64, dtype=torch.float64)
    edge = float((numbers * 1.3).mean()) - 3.5e-7

    def run(dtype: torch.dtype) -> Callable[[Within], Results]:
        def step(within: Within) -> Results:
            with within():
                above = (numbers.to(dtype) * 1.3).mean() > edge
                return _results(torch.where(above, 1.0, 0.9) * numbers.to(dtype))

        return step

    reference = reference_of(run(torch.float32), run(torch.float64))
    assert all(judge("noise", moved, moved, "", reference.exact).agrees for moved in reference._moved)
    turned = _results((numbers * 0.9).float())
    row = reference.judge("edited", turned, "float64")
    assert (row.agrees, row.wrong) == (None, ())
    assert "a branch turns over" in row.note
    row = reference.judge("edited", _results((numbers * 0.7).float()), "float64")
    assert (row.agrees, row.wrong) == (False, ("output 0",))
