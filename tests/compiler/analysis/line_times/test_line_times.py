"""Times of lines: what is divided, what adds up, what leads nowhere."""

import math

from hypothesis import given
from hypothesis import strategies as st

from compiler.analysis.line_times.format_times import (
    format_line,
    format_unlinked,
    short_text,
    spent_text,
    why,
)
from compiler.analysis.line_times.kernel_origins import KernelOrigin, Stack
from compiler.analysis.line_times.line_times import LineTimes, line_times
from compiler.model.ir.graph import SourceLine
from compiler.model.ir.ids import place
from compiler.model.timing.timings import KernelTiming, TimedKernel, TimingSummary

OUTER, INNER, OTHER = (
    SourceLine("/me/model.py", 3),
    SourceLine("/lib/gpt2.py", 242),
    SourceLine("/lib/gpt2.py", 250),
)


def timed(name: str, median: float | None) -> KernelTiming:
    summary = TimingSummary(median, median * 0.9, median * 1.1, 20) if median is not None else None
    return KernelTiming(TimedKernel(name, place("0/0:forward:kernels", name), "forward", "cpp"), summary)


def found(rows: dict[str, tuple[float | None, tuple[Stack, ...]]]) -> LineTimes:
    origins = {
        place("0/0:forward:kernels", name): KernelOrigin((name,), stacks)
        for name, (_, stacks) in rows.items()
    }
    return line_times([timed(name, median) for name, (median, _) in rows.items()], origins)


def test_a_kernel_of_one_line_is_its_own_and_its_callers_with_callees() -> None:
    times = found({"addmm": (1000, ((OUTER, INNER),))})
    inner, outer = times.at("/lib/gpt2.py", 242), times.at("/me/model.py", 3)
    assert (inner.own.median, inner.total.median, inner.own.divided) == (1000, 1000, False)
    assert (outer.own.median, outer.total.median, outer.total.divided) == (0, 1000, False)
    assert times.hottest == inner
    assert inner.stack == (OUTER, INNER)
    assert (inner.own.low, inner.own.high) == (900, 1100)


def test_a_fused_kernel_is_divided_equally_and_says_so() -> None:
    times = found(
        {"fused": (900, ((OUTER, INNER), (OUTER, OTHER), (OUTER,))), "mm": (500, ((OUTER, INNER),))}
    )
    inner = times.at("/lib/gpt2.py", 242)
    assert (inner.own.median, inner.own.alone, inner.own.most) == (800, 500, 1400)
    outer = times.at("/me/model.py", 3)
    assert (outer.own.median, outer.total.median) == (300, 1400)
    assert not outer.total.divided  # all of both kernels stands below it
    assert spent_text(inner.own).startswith("~0.80 µs [0.72")
    assert short_text(inner.own) == "~0.8µs"
    assert "between 0.50 µs and 1.40 µs" in format_line(inner, {}, times.measured)
    assert why(inner, {place("0/0:forward:kernels", "mm"): "mm · gpt2.py:242"}) == (
        "2 kernels; the largest, 62% of it: mm · gpt2.py:242."
    )


def test_two_ways_to_one_line_count_it_once() -> None:
    second = SourceLine("/me/model.py", 4)
    times = found({"fused": (800, ((OUTER, INNER), (second, INNER), (OUTER, OTHER)))})
    assert [(row.line, row.own.median, row.total.median) for row in times.lines] == [
        (242, 400, 400),
        (250, 400, 400),
        (3, 0, 600),
        (4, 0, 200),
    ]


def test_a_function_that_calls_itself_counts_once() -> None:
    times = found({"mm": (800, ((OUTER, INNER, INNER),))})
    inner = times.at("/lib/gpt2.py", 242)
    assert (inner.own.median, inner.total.median) == (800, 800)


def test_what_leads_to_no_line_is_reported() -> None:
    times = found({"seeds": (200, ()), "mm": (800, ((OUTER,),)), "skipped": (None, ((INNER,),))})
    assert (times.measured, times.unlinked) == (1000, 200)
    assert times.at("/lib/gpt2.py", 242) is None
    assert format_unlinked(times) == (
        "1 kernel (0.20 µs, 20.0% of kernel time) leads to no line of a captured file."
    )
    assert format_unlinked(found({"mm": (800, ((OUTER,),))})) == ""


_FRAMES = st.builds(SourceLine, st.sampled_from(("/a.py", "/b.py")), st.integers(1, 6))
_STACKS = st.lists(_FRAMES, min_size=1, max_size=4).map(tuple)
_ROWS = st.dictionaries(
    st.text("abcdef", min_size=1, max_size=4),
    st.tuples(
        st.none() | st.integers(0, 10**10).map(float), st.lists(_STACKS, max_size=5, unique=True).map(tuple)
    ),
    max_size=8,
)


@given(_ROWS)
def test_own_times_add_up_to_the_kernels(rows: dict[str, tuple[float | None, tuple[Stack, ...]]]) -> None:
    times = found(rows)
    measured = sum(median for median, _ in rows.values() if median is not None)
    assert math.isclose(times.measured, measured, rel_tol=1e-9)
    own = sum(row.own.median for row in times.lines)
    assert math.isclose(own + times.unlinked, measured, rel_tol=1e-9, abs_tol=1e-6)
    for row in times.lines:
        for spent in (row.own, row.total):
            assert spent.alone <= spent.median * (1 + 1e-9) + 1e-6
            assert spent.median <= spent.most * (1 + 1e-9) + 1e-6
        assert row.own.median <= row.total.median * (1 + 1e-9) + 1e-6 <= times.measured * (1 + 1e-9) + 1
        assert all(0 <= part.own <= part.share <= 1 + 1e-9 for part in row.parts)
        assert (row.stack[-1].path, row.stack[-1].line) == (row.path, row.line)
