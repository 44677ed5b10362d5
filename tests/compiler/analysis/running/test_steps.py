"""Steps of a program from what is counted of its graphs; samples of a long run."""

import msgspec

from compiler.analysis.running.format_run import memory_text
from compiler.analysis.running.lanes import Lane
from compiler.analysis.running.run_summary import short_cause, summary_of_run
from compiler.analysis.running.steps import step_spread, step_times, steps_of
from compiler.model.capture.frames import BreakCategory, Frame, GraphBreak
from compiler.model.capture.guards import RecompileRecord
from compiler.model.capture.run_story import GraphCalls, RunSample, RunStory
from compiler.model.protocol.run_events import RunCounted
from tests.helpers.broken_capture import broken_capture


def frame(compile_id: str, name: str, path: str = "/me/train.py", line: int = 1, **more: str) -> Frame:
    return Frame(compile_id, name, path, line, **more)  # type: ignore[arg-type]


def calls(graph: str, count: int, each: int) -> GraphCalls:
    return GraphCalls(graph, count, count * each, each)


def test_a_step_is_a_call_of_the_function_that_takes_most_time_whatever_it_is_compiled_for() -> None:
    frames = (frame("0/0", "forward"), frame("0/1", "forward"), frame("1/0", "scale", line=30))
    found = steps_of(frames, (calls("0/0", 5, 100), calls("0/1", 7, 100), calls("1/0", 500, 1)))
    assert (found.name, found.count, found.line) == ("forward", 12, 1)
    assert steps_of(frames, ()).count == 0


def test_resume_functions_and_inner_functions_belong_to_the_function_that_was_called() -> None:
    frames = (
        frame("0/0", "forward"),
        frame("1/0", "torch_dynamo_resume_in_forward_at_9", line=9, parent="0/0"),
        frame("2/0", "block", line=40, caller="1/0"),
    )
    found = steps_of(frames, (calls("1/0", 10, 100), calls("2/0", 40, 100)))
    assert found.name == "forward"
    assert found.count == 10, "its own graph is empty: it was called as often as its resume function"
    found = steps_of(frames, (calls("0/0", 10, 1), calls("1/0", 10, 100), calls("2/0", 40, 100)))
    assert found.count == 10


def test_a_function_that_was_given_up_has_no_compiled_calls() -> None:
    """A break in a loop: `forward` runs eagerly, and what it calls five times in each is compiled."""
    frames = (frame("0/0", "forward"), frame("1/0", "f", line=8, caller="0/0"))
    found = steps_of(frames, (calls("1/0", 10, 100),))
    assert (found.name, found.line, found.count) == ("f", 8, 10)


def test_torchs_own_wrapping_is_not_the_users_function() -> None:
    inner = "/lib/site-packages/torch/_dynamo/external_utils.py"
    frames = (frame("0/0", "inner", inner, 67), frame("4/0", "forward", caller="0/0"))
    assert steps_of(frames, (calls("4/0", 3, 100),)).name == "forward"


def test_a_cycle_of_callers_ends() -> None:
    frames = (frame("0/0", "a", caller="1/0"), frame("1/0", "b", line=2, caller="0/0"))
    assert steps_of(frames, (calls("0/0", 3, 1),)).count


def test_times_of_steps_leave_out_where_something_was_compiled() -> None:
    samples = tuple(
        RunSample(*row) for row in ((0.0, 0, 0), (1.0, 10, 0), (2.0, 12, 0), (3.0, 22, 0), (3.1, 23, 0))
    )
    story = RunStory(samples=samples)
    assert step_times(story, ()) == ((1.0, 0.1), (2.0, 0.5), (3.0, 0.1))
    times = step_times(story, [(1.2, 1.8)])
    assert times == ((1.0, 0.1), (3.0, 0.1))
    spread = step_spread(times)
    assert (spread.median, spread.count) == (1e8, 2)
    assert step_spread(()) is None


def test_a_long_run_keeps_its_beginning_and_its_end() -> None:
    lane = Lane()
    for second in range(10_000):
        lane.take(RunCounted((), float(second)))
    lane.take(RunCounted((), 3.0))  # older than what is known
    story = lane.story()
    assert len(story.samples) <= 2_000
    assert (story.samples[0].seconds, story.samples[-1].seconds) == (0.0, 9999.0)
    assert [row.seconds for row in story.samples] == sorted(row.seconds for row in story.samples)


def test_a_cause_is_its_guard_and_the_users_line() -> None:
    cause = "0/0: self.step == 0       # self.step += 1  # tests/programs/storm.py:12 in forward (HINT: …)\nUser stack"
    assert short_cause(cause) == "0/0: self.step == 0 (storm.py:12)"
    assert short_cause("0/0: tensor 'x' size mismatch at index 0. expected 8, actual 4") == (
        "0/0: tensor 'x' size mismatch at index 0. expected 8, actual 4"
    )
    assert short_cause("") == ""


def test_memory_is_what_was_reported_last_and_the_most() -> None:
    rows = ((1.0, 1, 0, 1 << 20, 0), (2.0, 2, 0, 3 << 20, 5 << 30), (3.0, 3, 0, 2 << 20, 5 << 30))
    story = RunStory(samples=tuple(RunSample(*row) for row in rows))
    assert memory_text(story) == "memory 2.0 MiB, most 3.0 MiB; on the GPU 5.0 GiB"
    assert memory_text(RunStory()) == ""


def test_a_storm_without_one_guard_behind_it_names_none() -> None:
    """Torch's reasons, with its numbering; a guard that came once drives nothing."""
    reasons = ("", "0/0: L['x'].dim() == 1", "0/1: L['self'].a == 3", "0/2: GLOBAL_STATE changed: grad_mode")

    def reported(causes: tuple[str, ...]) -> str:
        frames = tuple(
            Frame(f"0/{number}", "f", "/me/train.py", 1, recompile_reasons=(cause,) if cause else ())
            for number, cause in enumerate(causes)
        )
        capture = msgspec.structs.replace(broken_capture(1, 1), frames=frames, recompiles=())
        (storm,) = summary_of_run(capture, RunStory()).storms
        return storm.text

    assert reported(reasons) == "f (/me/train.py:1) was compiled 4 times, each time for another reason"
    driven = (*reasons[:2], "0/1: L['x'].dim() == 2", reasons[3])
    assert reported(driven).endswith(
        "2 times because this guard failed, with another value each time: L['x'].dim() == 1"
    )
    again = (*driven[:3], "0/2: L['x'].dim() == 1")
    assert reported(again).endswith("3 times because this guard failed, with other values: L['x'].dim() == 1")


def test_what_the_recompile_limit_refused_is_no_compile() -> None:
    frames = tuple(
        Frame(f"0/{n}", "f", "/me/train.py", 1, recompile_reasons=(f"0/{n}: n == {n}",) if n else ())
        for n in range(4)
    )
    limit = GraphBreak("b", "0/3", "limit", "", "GB0039", sort=BreakCategory.RECOMPILE_LIMIT)
    records = tuple(RecompileRecord(frame.id, "f") for frame in frames[1:])
    capture = msgspec.structs.replace(
        broken_capture(1, 1), frames=frames, recompiles=records, breaks=(limit,)
    )
    summary = summary_of_run(capture, RunStory())
    assert summary.recompiles == 2
    assert (summary.made, len(summary.compiles)) == (3, 4)
    assert summary.storms[0].text.startswith("f (/me/train.py:1) was compiled 3 times and then given up; ")


def test_a_compile_without_an_operation_says_so() -> None:
    """A row without a call and without a reason reads as compiled and never called."""
    frames = (
        Frame("0/0", "f", "/me/train.py", 1, rewritten="0/0:rewritten", graph="0/0:dynamo"),
        Frame("1/0", "g", "/me/train.py", 5, rewritten="1/0:rewritten"),
        Frame("1/1", "g", "/me/train.py", 5, rewritten="1/1:rewritten", recompile_reasons=("1/0: n == 1",)),
        Frame("2/0", "h", "/me/train.py", 9, rewritten="2/0:rewritten", error="it failed"),
        Frame("3/0", "i", "/me/train.py", 12),
    )
    capture = msgspec.structs.replace(broken_capture(1, 1), frames=frames, recompiles=())
    reported = [row.why for row in summary_of_run(capture, RunStory()).compiles]
    nothing = "no operation in its graph"
    assert reported == [(), (nothing,), ("1/0: n == 1", nothing), ("it failed",), ()]
