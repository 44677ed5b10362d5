"""Lines of a log that somebody wrote so that a regular expression tries without end. Each is read at once or left."""

import time

import pytest

from compiler.analysis.torch_logs.log_guards import _tree
from compiler.analysis.torch_logs.printed.generated_code import read_generated
from compiler.analysis.torch_logs.printed.printed_bytecode import read_bytecode
from compiler.analysis.torch_logs.printed.printed_graphs import _NAMED, _depth

_LONG = 40_000
_AT_MOST_S = 1.0
"""Each takes milliseconds; with what it was read by before, from four seconds to years."""


def _took(call: object, text: str) -> float:
    assert callable(call)
    began = time.process_time()
    call(text)
    return time.process_time() - began


def _read_generated(text: str) -> object:
    return read_generated(text, "made.py")


@pytest.mark.parametrize(
    ("reader", "text"),
    [
        (read_bytecode, "  0 NOP\n" * 20 + " " * 400 + "x"),
        (read_bytecode, "  0 NOP\n" * 20 + "  1 NOP a" + " " * _LONG + "x"),
        (_depth, '"\\' * _LONG),
        (_NAMED.match, "a" + " " * _LONG + "x"),
        (_tree, "+- RootGuardManager: source=L, type=<class '" + "." * _LONG),
        (_read_generated, "def call(args):\n    " + "# Source Nodes: [" * _LONG),
    ],
    ids=["bytecode", "argument", "quotes", "name", "class", "sources"],
)
def test_a_line_is_read_in_time_proportional_to_it(reader: object, text: str) -> None:
    assert _took(reader, text) < _AT_MOST_S


def test_brackets_in_strings_are_no_brackets() -> None:
    assert _depth("""f("(", '[', "\\"(", [1  # (""") == 2
    assert _depth("f('it is not closed (") == 1
