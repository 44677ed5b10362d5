"""Guards as text for the terminal."""

import msgspec

from compiler.command_line.reports.guard_reports import guard_report, recompile_report
from compiler.model.capture.frames import BreakCategory, GraphBreak
from compiler.model.capture.guards import GuardLeaf, GuardNode, GuardTree, RecompileRecord
from compiler.model.diff.capture_diff import figures_of
from tests.helpers.sample_capture import capture


def test_a_guard_that_is_too_long_for_its_line_says_that_it_goes_on():
    long = f"not ___dict_contains('attentions', {'registry.' * 30}values)"
    tree = GuardTree("0/0", (GuardNode(-1, "L", leaves=(GuardLeaf("DICT_CONTAINS", (long, "short")),)),))
    found = guard_report(msgspec.structs.replace(capture(), guards=(tree,)), (tree,))
    cut, whole = (line for line in found.splitlines() if "DICT_CONTAINS" in line)
    assert cut.endswith("…")
    assert whole.endswith(": short")


def test_what_the_recompile_limit_refused_was_not_compiled_again():
    records = tuple(RecompileRecord(f"0/{number}", "f") for number in (1, 2))
    limit = GraphBreak("b", "0/2", "limit", "", "GB0039", sort=BreakCategory.RECOMPILE_LIMIT)
    found = msgspec.structs.replace(capture(), recompiles=records, breaks=(limit,), guards=())
    first, second = recompile_report(found).split("\n\n")
    assert first.startswith("0/1 f: compiled again, since no earlier code fits")
    assert second.startswith("0/2 f: not compiled again, since the recompile limit is reached")
    assert figures_of(found)["recompiles"] == 1


def test_of_a_recorded_run_no_step_is_said_to_be_captured():
    once = msgspec.structs.replace(capture(), recompiles=())
    target = msgspec.structs.replace(once.spec.target, recorded=("train.py",))
    ran = msgspec.structs.replace(once, spec=msgspec.structs.replace(once.spec, target=target))
    assert "in the step that was captured" in recompile_report(once)
    assert recompile_report(ran) == "No recompiles as far as it was recorded: every frame was compiled once."
