"""Processes of a recorded program that are not recorded: which they are, why, and what to do."""

from collections.abc import Sequence

from app.translation.texts import lines_more, tr
from compiler.analysis.text_format.visible_text import visible_line
from compiler.model.capture.run_story import MissedProcess

_MOST, _LONGEST = 3, 90


def missed_text(missed: Sequence[MissedProcess]) -> str:
    """Empty where there are none."""
    if not missed:
        return ""
    lines = [tr("%n process(es) of the program load torch and are not recorded:", None, len(missed))]
    lines += [f"{row.pid}  {visible_line(row.command)[:_LONGEST]}" for row in missed[:_MOST]]
    lines += lines_more(len(missed) - _MOST)
    lines.append(
        tr(
            "python -I, -E and -S leave out what records them, and so does a program that sets PYTHONPATH anew: add to it, as in "
            "PYTHONPATH=.:$PYTHONPATH."
        )
    )
    return "\n".join(lines)
