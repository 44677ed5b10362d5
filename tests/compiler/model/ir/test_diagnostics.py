"""A problem as one paragraph: what, where, what to do, none of them twice."""

import ast
import re
from pathlib import Path

import pytest

from compiler.api.errors import LoupeError
from compiler.command_line.worker_client import CommandFailedError
from compiler.model.ir.diagnostics import Problem, without_undo

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


ENGINE = Path(__file__).parents[4] / "compiler"


def test_undo_is_a_word_of_the_window() -> None:
    """Every text that tells a person to undo something says it otherwise where edits are a list."""
    said = {
        str(node.value)
        for path in ENGINE.rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.Constant) and re.match(r"Undo (the|this|that|it)\b", str(node.value))
    }
    reported = [without_undo(Problem("It fails.", text)).remedy for text in said]
    assert len(reported) > 5
    assert not [text for text in reported if re.search(r"undo|version before", text, re.IGNORECASE)]
    assert (
        CommandFailedError("It fails.", "Undo it, or change it.").problem.remedy
        == "Leave it out, or change it."
    )
    still_runs = Problem("It fails.", "Undo the choice; the version before it still runs.")
    assert str(LoupeError(still_runs)) == "It fails. Leave out the choice."
