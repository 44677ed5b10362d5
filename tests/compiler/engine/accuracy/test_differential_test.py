"""What a capture does beside returning a result is judged too: arguments, averages, attributes, gradients, memory."""

from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest
import torch

from compiler.engine.accuracy import differential_test
from compiler.engine.accuracy.differential_test import DifferentialTest
from compiler.engine.accuracy.result_equality import what_differs
from compiler.engine.accuracy.side_effect_diff import differing
from compiler.engine.accuracy.side_effects import Side
from compiler.engine.front_ends.compare import judge_front_end
from compiler.engine.front_ends.interface.result import FrontEndResult
from compiler.engine.front_ends.registry import FRONT_ENDS
from compiler.engine.user_program.alternate_inputs import OtherCall, given_call, own_copy
from compiler.engine.user_program.loading import load_program
from compiler.model.capture.capture_spec import CaptureSpec, CompileOptions, RunOptions, TargetSpec
from compiler.model.front_end_comparison.front_end_matrix import (
    FrontEndCell,
    JudgeFrontEnd,
    Judgement,
    Outcome,
    alternate_from_text,
    format_verdict,
)

pytestmark = pytest.mark.engine

FOLDER = str(Path(__file__).resolve().parents[3] / "data")
ROWS = "torch.linspace(0, 1, 12).reshape(3, 4)"
EVERY = ("eager", "jit.trace", "jit.script", "fx", "export", "dynamo", "lazy", "make_fx", "aot")


def spec(name: str, front_end: str, inputs: str = "torch.ones(3)", gradients: bool = True) -> CaptureSpec:
    return CaptureSpec(
        TargetSpec(f"changing_programs.py:{name}", FOLDER, inputs),
        CompileOptions(backend="eager"),
        RunOptions(gradients=gradients),
        front_end=front_end,
    )


def judged(name: str, front_end: str, inputs: str = "torch.ones(3)", gradients: bool = True) -> FrontEndCell:
    order = JudgeFrontEnd(spec(name, front_end, inputs, gradients), (), search=False, timed=False)
    return judge_front_end(order, lambda text: None)


def of_example(*asked: object) -> Judgement:
    cell = judged(*asked)  # type: ignore[arg-type]
    assert cell.problem is None, cell.problem.message()
    example = cell.of_example()
    assert example is not None
    return example


@pytest.mark.thorough
@pytest.mark.parametrize("front_end", EVERY)
def test_averages_written_arguments_and_gradients_are_kept_by_all(front_end: str):
    assert of_example("Averages", front_end, ROWS).outcome is Outcome.SAME
    assert of_example("Averages", front_end, ROWS + ".requires_grad_()").outcome is Outcome.SAME
    assert of_example("Writes", front_end).outcome is Outcome.SAME


@pytest.mark.parametrize(("front_end", "part"), [("fx", "weight"), ("make_fx", "weight")])
def test_another_gradient_is_wrong_and_says_which(front_end: str, part: str):
    found = of_example("Cut", front_end) if front_end == "fx" else of_example("Rounds", front_end)
    assert found.outcome is Outcome.WRONG
    assert f"gradient of {part}: " in found.detail
    assert format_verdict((found,)) == "WRONG"


def test_no_gradient_is_asked_for_where_none_is_wanted():
    assert of_example("Rounds", "make_fx", "torch.ones(3)", False).outcome is Outcome.SAME


def test_a_capture_without_gradients_says_so_and_is_not_wrong(monkeypatch: pytest.MonkeyPatch):
    def without(program, spec, graphs):  # type: ignore[no-untyped-def]
        return FrontEndResult((), torch.no_grad()(program.callable), 1, 2, 0.0)

    monkeypatch.setitem(FRONT_ENDS, "fx", without)
    found = of_example("Averages", "fx", ROWS)
    assert (found.outcome, found.no_gradients) == (Outcome.SAME, True)
    assert format_verdict((found,)) == "ok, no gradients"


@pytest.mark.parametrize("front_end", ["make_fx", "fx"])
def test_an_attribute_that_a_capture_no_longer_changes_is_reported(front_end: str):
    found = of_example("Counts", front_end)
    assert (found.outcome, found.attribute_lost) == (Outcome.SAME, True)
    assert found.detail.startswith("calls after the call: 0, eager gives 1")
    assert format_verdict((found,)) == "ok, attribute lost"


def test_torch_compile_keeps_attributes():
    assert of_example("Counts", "dynamo").outcome is Outcome.SAME


@pytest.mark.parametrize("changes", ["buffer", "argument"])
def test_what_is_lost_on_the_way_is_wrong(changes: str, monkeypatch: pytest.MonkeyPatch):
    def loses(program, spec, graphs):  # type: ignore[no-untyped-def]
        def call(x):  # type: ignore[no-untyped-def]
            before = {name: value.clone() for name, value in program.module.named_buffers()}
            result = program.callable(x.clone())
            for name, value in program.module.named_buffers():
                value.copy_(before[name])
            return result

        return FrontEndResult((), call, 1, 2, 0.0)

    monkeypatch.setitem(FRONT_ENDS, "fx", loses)
    if changes == "buffer":
        found = of_example("Averages", "fx", ROWS)
        assert found.detail.startswith("norm.running_mean after the call: 0, 0, 0, eager gives ")
    else:
        found = of_example("Writes", "fx")
        assert found.detail == "argument x after the call: 1, 1, 1, eager gives 2, 2, 2"
    assert found.outcome is Outcome.WRONG


def test_shared_memory_that_became_a_copy_is_reported_and_not_wrong(monkeypatch: pytest.MonkeyPatch):
    assert of_example("Transposed", "make_fx", "torch.ones(2, 3)").detail == ""

    def copies(program, spec, graphs):  # type: ignore[no-untyped-def]
        return FrontEndResult((), lambda x: x.t().clone(), 1, 2, 0.0)

    monkeypatch.setitem(FRONT_ENDS, "fx", copies)
    found = of_example("Transposed", "fx", "torch.ones(2, 3)")
    assert found.outcome is Outcome.SAME
    assert found.detail == "the result is a copy, in eager it shares its memory with x"


def test_the_averages_of_a_module_that_a_function_names_are_its_state():
    program = load_program(spec("uses_shared", "eager", ROWS).target)
    side = Side(program)
    found = side.effects(own_copy((program.args, program.kwargs)), RunOptions(), 0)
    assert "SHARED.running_mean" in found.state
    assert set(found.gradients or ()) == {"SHARED.weight", "SHARED.bias"}
    assert not list(differing(found, found, side.initial))
    assert program.namespace.SHARED.running_mean.eq(0).all()  # type: ignore[union-attr]


def test_named_arguments_stand_in_for_those_of_the_example():
    program = load_program(TargetSpec("changing_programs.py:Writes", FOLDER, "torch.ones(3)"))
    args, kwargs = given_call(program, "x=torch.zeros(7)")
    assert (len(args), kwargs) == (1, {})
    assert args[0].shape == (7,)
    assert given_call(program, "")[0][0].shape == (3,)
    assert alternate_from_text("eval: x=torch.zeros(7)").training is False


def test_what_fails_when_it_is_called_often_says_so_and_is_judged_all_the_same():
    order = JudgeFrontEnd(spec("Counts", "dynamo-fullgraph"), (alternate_from_text("torch.ones(4)"),), False)
    cell = judge_front_end(order, lambda text: None)
    inputs = [judgement.input for judgement in cell.judgements]
    assert inputs == ["the example", "the example, again and again", "torch.ones(4)"]
    assert cell.judgements[1].outcome is Outcome.REFUSED
    assert "RecompileLimit" in cell.judgements[1].detail


@pytest.mark.parametrize("front_end", [pytest.param("dynamo", marks=pytest.mark.thorough), "lazy"])
def test_random_numbers_are_drawn_as_eager_draws_them(front_end: str):
    wanted = spec("Drops", front_end, ROWS)
    order = JudgeFrontEnd(msgspec.structs.replace(wanted, compile=CompileOptions()), (), False, timed=False)
    cell = judge_front_end(order, lambda text: None)
    example = cell.of_example()
    assert (example.outcome, example.detail) == (Outcome.SAME, "")
    assert ("fallback_random=True" in cell.note) is (front_end == "dynamo")


def test_nothing_is_tried_after_an_input_that_takes_the_gpu(monkeypatch: pytest.MonkeyPatch) -> None:
    """Everything fails from then on, the program itself included; what is put back after a call raises then."""
    program = load_program(spec("uses_shared", "eager", ROWS).target)
    call = own_copy((program.args, program.kwargs))
    calls = [OtherCall(f"call {number}", lambda: own_copy(call)) for number in range(4)]
    judge = DifferentialTest(Side(program), Side(program), RunOptions())

    def gone(*_: object) -> None:
        raise torch.AcceleratorError("CUDA error: device-side assert triggered")

    first = judge.on(calls[0])
    assert first.outcome is Outcome.SAME
    monkeypatch.setattr(judge.found, "effects", gone)
    with pytest.raises(torch.AcceleratorError):
        judge.on(calls[0])  # whatever it was, the GPU works
    monkeypatch.setattr(differential_test, "lost_gpu", lambda: "CUDA error: device-side assert triggered")

    def made_up() -> Iterator[OtherCall]:
        yield calls[0]
        gone()  # the next input is made on the GPU

    judgements = [judge.on(other) for other in judge.in_time(made_up(), 60)]
    assert [(row.input, row.outcome) for row in judgements if row is not None] == [
        ("call 0", Outcome.REFUSED)
    ]
    assert "device-side assert triggered, which ends the GPU's context" in judgements[0].detail  # type: ignore[union-attr]
    assert judge.untried == 0
    assert "device-side assert triggered" in judge.not_taken(calls[0])


def test_an_attribute_that_depends_on_the_seed_does_not_make_numbers_of_its_own_wrong() -> None:
    """It is Python's and judged for itself; what it has in common with eager says nothing of what was drawn (Reformer)."""
    program = load_program(spec("KeepsRandomState", "eager").target)

    def drawing_others(x: torch.Tensor) -> torch.Tensor:
        program.callable.kept = torch.get_rng_state()
        torch.rand(1)
        return x + torch.rand(x.shape)

    judge = DifferentialTest(Side(program, drawing_others), Side(program), RunOptions())
    judgement = judge.on(OtherCall("the example", lambda: own_copy((program.args, program.kwargs))))
    assert judgement.outcome is Outcome.UNJUDGED, judgement.detail
    assert "random numbers of its own" in judgement.detail


def test_a_program_whose_own_way_back_fails_has_no_gradients_to_differ_from() -> None:
    program = load_program(spec("FailsBackwards", "eager", ROWS).target)
    linear = program.callable.linear  # type: ignore[attr-defined]
    judge = DifferentialTest(
        Side(program, lambda x: linear(x * linear.bias.sum() * 2)), Side(program), RunOptions()
    )
    judgement = judge.on(OtherCall("the example", lambda: own_copy((program.args, program.kwargs))))
    assert judgement.outcome is Outcome.SAME, judgement.detail


def test_the_values_shown_are_those_that_differ_most() -> None:
    """The first to differ may be equal as far as is shown."""
    one = torch.tensor([1.0, 2.0, 3.0, 4.0, 5.0])
    other = one + torch.tensor([1e-4, 1e-4, 1e-4, 0.5, 0.25])
    assert what_differs(one, other) == "1, 4, 5, eager gives 1, 4.5, 5.25"
    gone = torch.tensor([1.0, 2.0, 3.0, float("nan"), 5.0])
    assert "nan" in what_differs(gone, one)
    assert what_differs(torch.tensor([True, False]), torch.tensor([True, True])) == "False, eager gives True"
    assert what_differs(torch.tensor([1 + 2j]), torch.tensor([1 + 3j])) != ""
