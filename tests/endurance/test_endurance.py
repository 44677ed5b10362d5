"""Each part of the endurance target runs at a small scale, and finds the fault that is planted for it."""

import sys
from pathlib import Path

import pytest

from tests.endurance import drift, installed_models, kills, reading, slow_link, stranger_files
from tests.endurance.process_counts import Counts, grown
from tests.endurance.real_files import make_real_files
from tests.endurance.report import Row, write_row

pytestmark = [pytest.mark.skipif(sys.platform != "linux", reason="it looks into /proc")]


def test_files_of_strangers_are_read_or_refused(tmp_path: Path) -> None:
    row = stranger_files.run(0.001, tmp_path, capture=False)
    assert row.faults == ()
    assert "100 session files" in row.figures


@pytest.mark.parametrize(
    ("fault", "told"),
    [
        ("__import__('os').system('true')", "os.system"),
        ("open('/etc/passwd')", "open"),
        ("bytearray(1 << 31)", "MemoryError"),
        ("exec('1')", "compile"),
        ("1 / 0", "ZeroDivisionError"),
    ],
)
def test_a_reader_that_does_what_it_must_not_is_found(tmp_path: Path, fault: str, told: str) -> None:
    make_real_files(tmp_path, capture=False)
    body = f"""
from pathlib import Path
from tests.endurance import readers, reading
real = readers.READERS["GPU files"][0]
readers.READERS["GPU files"] = (real, lambda path: bool({fault}) if "armed" in str(path) else True)
"""
    planted = f"{body}\nprint(reading.read_many('GPU files', Path({str(tmp_path)!r}), 1, 5, False)['faults'])"
    planted = planted.replace('if "armed" in str(path) else True', 'if "scratch" in str(path) else True')
    done = stranger_files.in_process(["-c", planted])
    assert done.returncode == 0, done.stderr
    assert told in done.stdout


def test_a_reader_that_hangs_ends_its_process(tmp_path: Path) -> None:
    body = "import faulthandler, time\nfaulthandler.dump_traceback_later(0.2, exit=True)\ntime.sleep(20)"  # as `reading` does
    assert stranger_files.in_process(["-c", body]).returncode == 1
    assert reading.SECONDS < 10


@pytest.mark.slow
@pytest.mark.worker
@pytest.mark.engine
def test_kills_lose_nothing(tmp_path: Path) -> None:
    assert kills.run(0.01, tmp_path).faults == ()


def test_lost_edits_are_found(tmp_path: Path) -> None:
    (fault,) = kills.run(0.1, tmp_path, planted="silent").faults
    assert "in no journal" in fault


@pytest.mark.slow
@pytest.mark.worker
@pytest.mark.engine
@pytest.mark.parametrize(("planted", "told"), [("", ""), ("leak", "descriptors")])
def test_what_processes_hold_does_not_grow(tmp_path: Path, planted: str, told: str) -> None:
    faults = drift.run(0.001, tmp_path, planted).faults
    assert any(told in fault for fault in faults) if planted else faults == ()


def test_what_grew_is_named() -> None:
    before = Counts(100, 20, 5, 1, 3)
    assert grown("x", before, Counts(105, 20, 5, 1, 3)) == []
    assert [fault.split()[1] for fault in grown("x", before, Counts(107, 21, 6, 2, 4))] == [
        "memory_mb", "descriptors", "threads", "children", "files",
    ]  # fmt: skip


@pytest.mark.slow
@pytest.mark.worker
@pytest.mark.engine
@pytest.mark.parametrize(("planted", "told"), [("", ""), ("lose", "round 0"), ("block", "stood still")])
def test_a_slow_link_costs_nothing_but_time(tmp_path: Path, planted: str, told: str) -> None:
    faults = slow_link.run(0.01, tmp_path, planted).faults
    assert any(told in fault for fault in faults) if planted else faults == ()


@pytest.mark.slow
@pytest.mark.worker
@pytest.mark.engine
def test_a_program_that_does_not_open_is_told_in_one_message(tmp_path: Path) -> None:
    row = installed_models.run(1, tmp_path, planted="1 / 0")
    assert row.faults == ()
    assert "ZeroDivisionError" in row.figures
    ended = installed_models.run(1, tmp_path, planted="__import__('os')._exit(0)")
    assert ended.faults == ()
    assert "ended with exit code 0" in ended.figures
    wordy = "__import__('sys').stderr.write('Traceback (most recent call last):') / 0"
    (first, *_) = installed_models.run(1, tmp_path, planted=wordy).faults
    assert "planted" in first


def test_a_row_takes_the_place_of_the_last_one(tmp_path: Path) -> None:
    page = tmp_path / "endurance.md"
    write_row("files", Row("old"), 0.1, 5, page)
    write_row("link", Row("other"), 1, 5, page)
    write_row("files", Row("new | with a bar", ("a",)), 1, 5, page)
    rows = [line for line in page.read_text().splitlines() if line.startswith(("| files", "| link"))]
    assert [row.split(" | ")[:4] for row in rows] == [
        ["| files", "1", "new / with a bar", "1"],
        ["| link", "1", "other", "none"],
    ]
