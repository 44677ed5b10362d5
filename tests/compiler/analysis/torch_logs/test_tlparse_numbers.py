"""Every number that tlparse 0.4.3 reports of three logs, as it was recorded (``python -m tests.logs`` runs tlparse itself on more)."""

import json
import lzma
from functools import cache
from pathlib import Path

import msgspec
import pytest

from compiler.analysis.torch_logs.many_ranks import compare_ranks
from compiler.analysis.torch_logs.rank_facts import rank_facts
from compiler.model.capture.capture import Capture
from tests.compiler.analysis.torch_logs.recorded_log import FILE, capture_of, recorded
from tests.logs import ours
from tests.logs.__main__ import differences

THEIRS = json.loads(FILE.with_name("tlparse_0.4.3.json").read_text(encoding="utf-8"))


@cache
def rank(number: int) -> Capture:
    path = Path(FILE.with_name(f"torch_trace_rank_{number}.log.xz"))
    return capture_of(lzma.decompress(path.read_bytes()), str(number))


@pytest.mark.parametrize("name", ["recorded", "rank 0", "rank 1"])
def test_numbers_of_one_log(name: str) -> None:
    capture = recorded() if name == "recorded" else rank(int(name[-1]))
    assert differences(THEIRS[name], ours.numbers_of(capture)) == []


def test_numbers_of_many_ranks() -> None:
    assert differences(THEIRS["ranks"], ours.ranks_of([rank(0), rank(1)])) == []


def test_records_outside_of_any_compile_are_no_divergence() -> None:
    """tlparse warns of ranks that differ in nothing else."""
    facts = [rank_facts(rank(0)), msgspec.structs.replace(rank_facts(rank(0)), rank="7")]
    facts[1] = msgspec.structs.replace(
        facts[1], attempts=tuple(name for name in facts[1].attempts if name != "-/-")
    )
    report = compare_ranks(facts)
    assert not report.differ("compile ids")


def test_ranks_that_compile_otherwise_are_reported_with_what_they_did() -> None:
    report = compare_ranks([rank_facts(rank(1)), rank_facts(rank(0))])
    assert report.ranks == ("0", "1")
    assert {group.what for group in report.groups} == {"compile ids", "caches", "tensors"}
    assert {group.ranks: group.value for group in report.groups if group.what == "compile ids"} == {
        ("0",): "0/0",
        ("1",): "0/0 1/0",
    }
    assert report.order_differs
