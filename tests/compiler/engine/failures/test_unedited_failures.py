"""Whose fault a failure is."""

import pytest

from compiler.engine.failures.unedited_failures import blamed
from compiler.model.ir.diagnostics import Problem

CAPTURE = Problem(
    "The program fails under torch.compile: A: raised: no rule.", "", "m.py", 7, said="A: raised: no rule."
)


@pytest.mark.parametrize(
    ("said", "line", "own"),
    [
        ("B: no rule.", 7, True),
        ("B: no rule.", 8, False),
        ("B: two.", 7, False),
        ("B: no rule 12.", 7, False),
    ],
)
def test_what_fails_without_the_edit_is_no_fault_of_it(said: str, line: int, own: bool) -> None:
    found = Problem(f"The edited graph does not compile: {said}", "Undo the edit.", "m.py", line, said=said)
    reported = blamed(found, (CAPTURE,))
    assert (reported.what == f"The program fails without the edit too: {said}") is own
    assert (reported == found) is not own


def test_addresses_in_a_message_are_others_each_time() -> None:
    first, again = (
        Problem("It fails.", "", "m.py", 7, said=f"E: not in pool (0, 1) but should be: {{{where}}}.")
        for where in (652188224, 475926912)
    )
    assert blamed(again, (first,)).what.startswith("The program fails without the edit too")
