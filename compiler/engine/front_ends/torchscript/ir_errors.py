"""What torch says of a TorchScript text that is wrong, in plain words and on its line."""

import re

from compiler.engine.errors import first_line
from compiler.model.ir.diagnostics import Problem

_UNKNOWN = re.compile(r"We don't have an op for (\S+) but it isn't a special case")
_ARGUMENTS = re.compile(r"Argument types: (.*?),?\s*$", re.MULTILINE)
_CANDIDATE = re.compile(r"^\t(\S.*)$", re.MULTILINE)
_PYTHON_FUNCTION = re.compile(r"= \^(\w+)[\[(]")
_HERE = "<--- HERE"
_NOISE = re.compile(r"\s*https?://\S+\s*:?$")


def problem_of(error: BaseException, text: str) -> Problem:
    """The problem, with the line of the text (from 1) where torch names one."""
    said = str(error).strip()
    unknown = _UNKNOWN.search(said)
    if unknown is not None:
        return _no_such_operator(unknown[1], said, text)
    line = _line_here(said, text)
    if line is not None and (python := _PYTHON_FUNCTION.search(text.split("\n")[line - 1])):
        return Problem(
            f"{python[1]} is a torch.autograd.Function: it runs in Python, and TorchScript's text cannot hold it.",
            "Write it with torch's operators to run the program from its text.",
            line=line,
            detail=said,
        )
    first = first_line(error)
    what = _NOISE.sub("", first.removesuffix(" here:")).rstrip(":. ")
    if line is None and "'eof'" in what:
        line = len(text.split("\n"))
    return Problem(f"{what[:1].upper()}{what[1:]}.", "Change the text.", line=line, detail=said)


def _no_such_operator(name: str, said: str, text: str) -> Problem:
    lines = text.split("\n")
    line = next(
        (number for number, row in enumerate(lines, 1) if f" {name}(" in row or f" {name}[" in row), None
    )
    given = _ARGUMENTS.search(said)
    candidates = _CANDIDATE.findall(said.partition("Candidates:")[2])
    if not candidates:
        return Problem(f"This torch has no operator {name}.", "Look for its name.", line=line, detail=said)
    types = f" ({given[1]})" if given is not None else ""
    first = candidates[0].strip()
    return Problem(
        f"{name} does not take these arguments{types}.",
        f"It can be called as {first}.",
        line=line,
        detail=said,
    )


def _line_here(said: str, text: str) -> int | None:
    """The line above torch's marker, found again in the text by its words and, where these stand twice, its surroundings."""
    lines = said.split("\n")
    at = next((index for index, line in enumerate(lines) if _HERE in line), None)
    if at is None or at == 0:
        return None
    own = text.split("\n")
    found = [
        number for number, line in enumerate(own, 1) if line.strip() and line.strip() == lines[at - 1].strip()
    ]
    if len(found) > 1 and at > 1:
        before = lines[at - 2].strip()
        found = [number for number in found if number > 1 and own[number - 2].strip() == before] or found
    return found[0] if found else None
