"""A problem as one paragraph: what, where, what to do, none of them twice."""

import pytest

from compiler.model.ir.diagnostics import Problem

PATH = "/home/me/model.py"


@pytest.mark.parametrize(
    ("problem", "message"),
    [
        (Problem("It fails.", "Correct it.", PATH, 7), f"It fails ({PATH}:7). Correct it."),
        (Problem("It fails.", "", PATH), f"It fails ({PATH})."),
        (Problem(f"Could not load {PATH}: SyntaxError.", "Correct it.", PATH, 7), f"Could not load {PATH}: SyntaxError (line 7). Correct it."),
        (Problem(f"{PATH}:7 is no Python.", "", PATH, 7), f"{PATH}:7 is no Python."),
        (Problem(f"{PATH} cannot be read.", "Check its name.", PATH), f"{PATH} cannot be read. Check its name."),
        (Problem("It fails.", "Try again."), "It fails. Try again."),
    ],
)  # fmt: skip
def test_a_message_names_a_file_once(problem: Problem, message: str) -> None:
    assert problem.message() == message
