"""What is printed of breaks: the user's line first, and the library's line that breaks beside it."""

import msgspec

from compiler.command_line.reports.break_reports import break_report
from compiler.command_line.reports.capture_report import stage_table
from compiler.model.capture.capture import Capture, Environment
from compiler.model.capture.capture_spec import CaptureSpec, CompileOptions, RunOptions, TargetSpec
from compiler.model.capture.frames import Frame, GraphBreak
from compiler.model.graph_breaks.ranked_breaks import ranked_breaks
from compiler.model.ir.graph import SourceLine
from compiler.model.ir.programs import FileOwner, SourceFile
from compiler.model.ir.stage import SourceStage, Stage, StageKind

MINE = SourceLine("/me/m.py", 3, "forward", "return net(x)")
FIRST = SourceLine("/site-packages/lib/kernels.py", 20, "same", "if torch.equal(a, b):")
SECOND = SourceLine("/site-packages/lib/kernels.py", 40, "last", "if torch.equal(a, c):")


def _break(number: int, inner: SourceLine, **fields: object) -> GraphBreak:
    return GraphBreak(
        f"break-{number}",
        f"{number}/0",
        "Data dependent operator",
        "equal",
        "GB0033",
        context="aten.equal.default",
        stack=(MINE, inner),
        reported=MINE,
        **fields,
    )


def _source(path: str, standing: FileOwner) -> Stage:
    return Stage(
        f"source:{path}", StageKind.SOURCE, path, SourceStage(SourceFile(path, "\n" * 50, standing=standing))
    )


def _capture(*breaks: GraphBreak, frames: tuple[Frame, ...] = ()) -> Capture:
    stages = (_source(MINE.path, FileOwner.MINE), _source(FIRST.path, FileOwner.LIBRARY))
    spec = CaptureSpec(TargetSpec("/me/m.py:f"), CompileOptions(), RunOptions())
    return Capture("c", spec, Environment("2.15.0", "3.11", "here"), stages, breaks=breaks, frames=frames)


def _reported(capture: Capture) -> str:
    return break_report(capture, ranked_breaks(capture), None)


def test_the_line_of_a_library_that_breaks_is_reported() -> None:
    reported = _reported(_capture(_break(1, FIRST)))
    assert "1. m.py:3 in forward    return net(x)" in reported
    assert "breaks at kernels.py:20 in same    if torch.equal(a, b):" in reported
    assert "called from m.py:3 in forward" in reported
    own = GraphBreak(
        "break-1", "0/0", "Data dependent operator", "equal", "GB0033", stack=(MINE,), reported=MINE
    )
    assert "breaks at" not in _reported(_capture(own))


def test_of_a_trainers_lines_the_first_is_reported_and_how_many_more() -> None:
    """Lightning's has 22 between the script and the step."""
    trainer = [SourceLine("/v/lib/site-packages/lightning/call.py", line, "fit") for line in range(30)]
    script = SourceLine("/me/train.py", 33, "<module>")
    item = GraphBreak("b", "0/0", "Item", "item", "GB0124", stack=(script, *trainer, MINE), reported=MINE)
    reported = [line.strip() for line in _reported(_capture(item)).splitlines() if "called from" in line]
    assert reported == [
        "called from call.py:29 in fit",
        "called from 29 more lines of libraries",
        "called from train.py:33 in <module>",
    ]
    few = GraphBreak("b", "0/0", "Item", "item", "GB0124", stack=(script, *trainer[:2], MINE), reported=MINE)
    assert _reported(_capture(few)).count("called from") == 3


def test_two_lines_of_a_library_are_two_causes_and_one_is_one() -> None:
    capture = _capture(_break(1, FIRST), _break(2, SECOND), _break(3, FIRST))
    assert [row.times for row in ranked_breaks(capture)] == [2, 1]
    reported = [line for line in stage_table(capture).splitlines() if line.startswith("  break ")]
    assert reported == [
        "  break 1/0 and 1 other frame: Data dependent operator GB0033 /me/m.py:3, in kernels.py:20 (2 times)",
        "  break 2/0: Data dependent operator GB0033 /me/m.py:3, in kernels.py:40",
    ]


def test_an_explanation_keeps_its_lines_and_what_was_lost_is_reported() -> None:
    reported = _reported(
        _capture(_break(1, FIRST, explanation="It branches.\n  on this", skipped_frame=True))
    )
    assert "   It branches.\n     on this\n" in reported
    assert "The whole function was given up: it runs eagerly." in reported
    follows = _reported(_capture(_break(1, FIRST), _break(2, SECOND, caused_by="break-1")))
    assert "It follows from number 1." in follows


def test_functions_of_libraries_that_hold_nothing_to_compile_are_counted() -> None:
    reason = "no tensor-related objects found in frame"
    frames = tuple(
        Frame(f"{number}/0", line.function, line.path, line.line, skip_reason=reason)
        for number, line in enumerate((MINE, FIRST, SECOND))
    )
    reported = _reported(_capture(frames=frames))
    assert "  forward  m.py:3\n  2 functions of libraries" in reported


def test_a_callee_that_each_frame_reaches_in_its_own_way_is_one_cause() -> None:
    """An LSTM met from the caller and again in the frame of its own."""
    calls = [
        msgspec.structs.replace(
            _break(number, FIRST), explanation=f"A break when calling `{source}`. Reason: it is"
        )
        for number, source in enumerate(
            ("L['self']._modules['m']._modules['rnn']", "L['self']._modules['rnn']"), 1
        )
    ]
    (row,) = ranked_breaks(_capture(*calls))
    assert row.times == 2
    other = msgspec.structs.replace(calls[1], explanation="A break when calling `x`. Reason: another")
    assert len(ranked_breaks(_capture(calls[0], other))) == 2


def test_what_torch_laid_out_is_not_wrapped_again() -> None:
    """Of a branch on data it prints the lines that the condition comes from, each with its file."""
    row = '  # File "/a/long/path/to/site-packages/transformers/models/bert/modeling_bert.py", line 15, code: if x > 100:'
    reported = _reported(
        _capture(_break(1, FIRST, explanation=f"Detected branching.\n\n{row}\n  gt = gt(x, 100)"))
    )
    assert f"   {row}\n     gt = gt(x, 100)\n" in reported


def test_frames_that_are_given_up_in_turn_for_one_line_of_a_library_are_one_break() -> None:
    breaks = tuple(_break(number, FIRST, callee=name) for number, name in enumerate(("Outer", "Inner", "")))
    assert [len(row.breaks) for row in ranked_breaks(_capture(*breaks))] == [3]
    own = [
        msgspec.structs.replace(item, stack=(MINE,), callee=name)
        for item, name in zip(breaks, ("f", "g", "g"), strict=True)
    ]
    assert [len(row.breaks) for row in ranked_breaks(_capture(*own))] == [1, 2]
