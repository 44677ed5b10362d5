"""Guards as text for the terminal."""

import msgspec

from compiler.command_line.reports.guard_reports import guard_report
from compiler.model.capture.guards import GuardLeaf, GuardNode, GuardTree
from tests.helpers.sample_capture import capture


def test_a_guard_that_is_too_long_for_its_line_says_that_it_goes_on():
    long = f"not ___dict_contains('attentions', {'registry.' * 30}values)"
    tree = GuardTree("0/0", (GuardNode(-1, "L", leaves=(GuardLeaf("DICT_CONTAINS", (long, "short")),)),))
    found = guard_report(msgspec.structs.replace(capture(), guards=(tree,)), (tree,))
    cut, whole = (line for line in found.splitlines() if "DICT_CONTAINS" in line)
    assert cut.endswith("…")
    assert whole.endswith(": short")
