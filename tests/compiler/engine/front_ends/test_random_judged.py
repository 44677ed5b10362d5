"""Why results differ is said only where it is known: random numbers are those that a generator gave."""

from pathlib import Path

import pytest

from compiler.engine.front_ends.compare import judge_front_end
from compiler.model.capture.capture_spec import CaptureSpec, CompileOptions, RunOptions, TargetSpec
from compiler.model.front_end_comparison.front_end_matrix import JudgeFrontEnd, Judgement, Outcome

pytestmark = pytest.mark.engine
_FOLDER = str(Path(__file__).resolve().parents[3] / "data")


def _of_example(
    name: str, front_end: str, inputs: str = "torch.ones(2, 4)", backend: str = "eager"
) -> Judgement:
    spec = CaptureSpec(
        TargetSpec(f"state_and_random.py:{name}", _FOLDER, inputs),
        CompileOptions(backend=backend),
        RunOptions(training=True),
        front_end=front_end,
    )
    cell = judge_front_end(JudgeFrontEnd(spec, (), search=False, timed=False), lambda text: None)
    assert cell.problem is None, cell.problem.message()
    example = cell.of_example()
    assert example is not None
    return example


@pytest.mark.parametrize(
    ("front_end", "outcome"), [("eager", Outcome.SAME), ("make_fx", Outcome.SAME), ("aot", Outcome.WRONG)]
)
def test_a_program_that_keeps_state_of_its_own_is_not_said_to_draw_random_numbers(
    front_end: str, outcome: Outcome
) -> None:
    """Its state is put back, so that it repeats itself; AOTAutograd calls it twice, and keeps what the second call found."""
    found = _of_example("alternating", front_end)
    assert "random" not in found.detail
    assert found.outcome is outcome


def test_numbers_of_pythons_generator_that_a_trace_keeps_are_baked_in() -> None:
    found = _of_example("of_python", "make_fx")
    assert found.outcome is Outcome.WRONG
    assert "random numbers are baked in" in found.detail
    assert _of_example("of_python", "eager").outcome is Outcome.SAME


def test_a_lost_counter_beside_dropout_is_named_as_what_it_is() -> None:
    found = _of_example("CountsAndDrops", "fx")
    assert found.outcome is Outcome.WRONG
    assert found.detail.startswith("n after the call")
    assert "random" not in found.detail


@pytest.mark.thorough
def test_a_gradient_is_judged_where_both_sides_drew_the_same_numbers() -> None:
    found = _of_example("ScalesByCounter", "dynamo", backend="aot_eager")
    assert found.outcome is Outcome.WRONG
    assert "gradient of" in found.detail
