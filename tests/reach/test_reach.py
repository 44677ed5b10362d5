"""The tool that says what `make test` leaves out."""

import sys
from pathlib import Path

import pytest

from tests.reach.__main__ import read, record, show


def test_what_only_thorough_tests_reach_is_shown(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    Path(tmp_path, "1.tests").write_text("2.000 0 a.py::dear\n0.100 0 a.py::cheap\n4.000 1 b.py::long\n")
    Path(tmp_path, "1.lines").write_text(
        "app/a.py:0\n@a.py::dear\napp/a.py:1\napp/a.py:2\n@a.py::cheap\napp/a.py:1\n"
    )
    Path(tmp_path, "2.lines").write_text("@b.py::long\napp/a.py:1\napp/b.py:1\napp/b.py:2\n")
    show(read(tmp_path))
    shown = capsys.readouterr().out
    assert "2 tests reach 2 lines in 2 s; 1 thorough ones 2 more in 4 s." in shown
    assert "2  app/b.py" in shown
    assert "0.5/s of 2.0 s  a.py::dear" in shown
    assert "0.5/s of 4.0 s  b.py::long" in shown


@pytest.mark.skipif(not hasattr(sys, "monitoring"), reason="sys.monitoring is newer than this Python")
@pytest.mark.thorough
def test_a_test_is_recorded_with_its_lines(tmp_path: Path) -> None:
    name = "tests/compiler/model/ir/test_links.py"
    assert record(tmp_path / "found", [name, "-q", "-p", "no:cacheprovider"]) == 0
    tests = read(tmp_path / "found")
    assert tests
    assert all(test.name.startswith(name) for test in tests)
    assert any(line.startswith("compiler/model/ir/links.py:") for test in tests for line in test.lines)
