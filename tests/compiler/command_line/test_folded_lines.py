"""What a program prints in every step is reported once, with how often it came; our own messages are all told."""

import io
import sys

import pytest

from app import headless_run
from compiler.command_line import main
from compiler.command_line.folded_lines import FoldedLines


def test_a_line_is_reported_once_and_counted_at_the_end() -> None:
    reported = io.StringIO()
    folded = FoldedLines(reported)
    for number in range(412):
        folded.write("half ")
        folded.write(f"way\nstep {number}\n")
    folded.write("loupe: no\nloupe: no\nonce")
    assert reported.getvalue() == "half way\nstep 0\nloupe: no\nloupe: no\n"
    folded.finish()
    assert reported.getvalue().splitlines()[4:] == [
        "once",
        "  printed 412 times: half way",
        "  printed 412 times, with other numbers too: step 0",
    ]


def test_a_question_is_shown_before_its_answer() -> None:
    reported = io.StringIO()
    folded = FoldedLines(reported)
    folded.write("Execute it? [y/N] ")
    folded.flush()
    assert reported.getvalue() == "Execute it? [y/N] "


def test_the_table_comes_last(monkeypatch: pytest.MonkeyPatch) -> None:
    both = io.StringIO()

    def work(words: list[str]) -> int:
        print("the table")
        for _ in range(412):
            sys.stderr.write("half way\n")
        return 0

    monkeypatch.setattr(main, "main", work)
    monkeypatch.setattr(sys, "stdout", both)
    monkeypatch.setattr(sys, "stderr", both)
    assert headless_run._step("Capture", ["capture"]) == 0
    assert both.getvalue().splitlines()[-3:] == ["half way", "  printed 412 times: half way", "the table"]
