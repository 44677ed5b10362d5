"""The page on security names the tests that hold what it says; they are there."""

import re
from pathlib import Path

_TESTS = Path(__file__).resolve().parents[1]
_PAGE = (_TESTS.parent / "resources" / "docs" / "security.md").read_text(encoding="utf-8")
_TEST = re.compile(r"`(test_\w+)`")


def test_every_test_that_is_named_exists() -> None:
    named = set(_TEST.findall(_PAGE))
    assert len(named) > 15
    assert named - {path.stem for path in _TESTS.rglob("test_*.py")} == set()


def test_every_threat_names_a_test() -> None:
    table = _PAGE.partition("## Threat model")[2].partition("\n\nWhat torch")[0]
    rows = [line for line in table.splitlines() if line.startswith("| ")][1:]
    assert len(rows) > 10
    assert [row for row in rows if not _TEST.search(row.rpartition(" | ")[2])] == []
