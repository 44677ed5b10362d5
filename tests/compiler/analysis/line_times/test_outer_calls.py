"""The calls above a frame that was compiled by itself."""

import msgspec

from compiler.analysis.line_times.outer_calls import outer_calls
from compiler.model.capture.frames import BreakCategory, Frame, GraphBreak
from compiler.model.ir.graph import SourceLine
from tests.helpers import sample_capture

USER, LIBRARY = SourceLine("/me/net.py", 12), SourceLine("/lib/generic.py", 940)


def stopped(name: str, *lines: SourceLine) -> GraphBreak:
    return GraphBreak(name, "0/0", BreakCategory.BREAK, "a break", "a reason", stack=lines)


def calls(*breaks: GraphBreak) -> tuple[SourceLine, ...]:
    own = tuple(item.id for item in breaks if item.id != "b-1")
    frames = (
        Frame("0/0", "forward", "/me/net.py", 10, breaks=own),
        Frame("1/0", "wrapper", "/lib/generic.py", 930, breaks=("b-1",), caller="0/0"),
        Frame("2/0", "forward", "/lib/gpt2.py", 645, caller="1/0"),
    )
    capture = msgspec.structs.replace(sample_capture.capture(), frames=frames, breaks=breaks)
    assert outer_calls(capture, "0/0") == ()
    assert outer_calls(capture, "7/7") == ()
    return outer_calls(capture, "2/0")


def test_a_break_on_one_line_is_where_the_call_was() -> None:
    inner = stopped("b-1", LIBRARY)
    assert calls(stopped("b-0", USER, LIBRARY), stopped("b-2", USER), inner) == (USER, LIBRARY)


def test_the_stack_of_an_own_break_says_it_whole() -> None:
    outer, other = stopped("b-0", USER), stopped("b-2", SourceLine("/me/net.py", 13))
    assert calls(outer, other, stopped("b-1", USER, LIBRARY)) == (USER, LIBRARY)


def test_with_breaks_on_two_lines_it_is_not_known_which() -> None:
    other = SourceLine("/me/net.py", 13)
    assert calls(stopped("b-0", USER), stopped("b-2", other), stopped("b-1", LIBRARY)) == (LIBRARY,)
