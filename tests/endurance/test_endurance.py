"""Each part of the endurance target runs at a small scale, and finds the fault that is planted for it."""

import sys
from pathlib import Path
from types import ModuleType

import msgspec
import pytest

from compiler.analysis.session_file.session_file import SessionData, write_session
from tests.endurance import (
    installed_models,
    kills,
    random_commands,
    random_user,
    reading,
    slow_link,
    stranger_files,
)
from tests.endurance.drift import captures, saves, timing_day, timing_real
from tests.endurance.drift.process_counts import Counts, grown
from tests.endurance.real_files import make_real_files
from tests.endurance.report import Row, take_row, write_row
from tests.helpers import sample_capture

pytestmark = [pytest.mark.skipif(sys.platform != "linux", reason="it looks into /proc")]


@pytest.mark.thorough
def test_files_of_strangers_are_read_or_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    row = stranger_files.run(0.001, tmp_path, capture=False, jobs=2)
    assert row.faults == ()
    assert "100 session files" in row.figures
    reported = capsys.readouterr()
    rows = [line.split(" (")[0].strip() for line in reported.out.splitlines() if "refused whole" in line]
    assert sorted(rows) == ["100 session files", "20 GPU files", "20 journals", "20 logs", "20 recipes"]
    assert "the real files were made" in reported.err


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("fault", "reported"),
    [
        ("__import__('os').system('true')", "os.system"),
        ("open('/etc/passwd')", "open"),
        ("bytearray(1 << 31)", "MemoryError"),
        ("exec('1')", "compile"),
        ("1 / 0", "ZeroDivisionError"),
    ],
)
def test_a_reader_that_does_what_it_must_not_is_found(tmp_path: Path, fault: str, reported: str) -> None:
    make_real_files(tmp_path, capture=False)
    body = f"""
from pathlib import Path
from tests.endurance import readers, reading
real = readers.READERS["GPU files"][0]
readers.READERS["GPU files"] = (real, lambda path: bool({fault}) if "armed" in str(path) else True)
"""
    planted = f"{body}\nprint(reading.read_many('GPU files', Path({str(tmp_path)!r}), 1, 5, False).faults)"
    planted = planted.replace('if "armed" in str(path) else True', 'if "scratch" in str(path) else True')
    done = stranger_files.in_process(["-c", planted])
    assert done.returncode == 0, done.stderr
    assert reported in done.stdout


_SLOW = """
import sys, time
from pathlib import Path
from tests.endurance import readers, reading
change, _ = readers.READERS["GPU files"]
def read(path):
    if (path.parent / "last.txt").exists() and reading.asked_last(folder, "GPU files", 1).startswith("3 "):
        {slow}
    return True
folder = Path(sys.argv[1])
readers.READERS["GPU files"] = (change, read)
reading._HUNG_SECONDS, reading.SECONDS = 2, 0.2
print(reading.read_many("GPU files", folder, 1, 6, False).faults)
"""


@pytest.mark.thorough
def test_a_file_that_hangs_its_reader_is_named(tmp_path: Path) -> None:
    make_real_files(tmp_path, capture=False)
    done = stranger_files.in_process(["-c", _SLOW.format(slow="time.sleep(60)"), str(tmp_path)])
    assert done.returncode == 1
    assert "in read" in done.stderr
    assert reading.asked_last(tmp_path, "GPU files", 1).startswith("3 (")


@pytest.mark.thorough
def test_a_slow_file_is_named(tmp_path: Path) -> None:
    make_real_files(tmp_path, capture=False)
    slow = "end = time.process_time() + 0.4\n        while time.process_time() < end: pass"
    done = stranger_files.in_process(["-c", _SLOW.format(slow=slow), str(tmp_path)])
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("['3 (")
    assert "0.4 s" in done.stdout


def test_the_file_that_ends_its_process_is_named(tmp_path: Path) -> None:
    """Through the same door as the real ones; a folder without real files ends it at once."""
    row = stranger_files._read(
        tmp_path, stranger_files._Batch("logs", 1, 5, False), stranger_files._Progress(5)
    )
    assert row.faults[0].startswith("none yet: the process ended with 1:")
    assert "Traceback" in row.faults[0]


@pytest.mark.slow
@pytest.mark.worker
@pytest.mark.engine
def test_kills_lose_nothing(tmp_path: Path) -> None:
    assert kills.run(0.01, tmp_path).faults == ()


@pytest.mark.thorough
def test_lost_edits_are_found(tmp_path: Path) -> None:
    (fault,) = kills.run(0.1, tmp_path, planted="silent").faults
    assert "in no journal" in fault


@pytest.mark.slow
@pytest.mark.worker
@pytest.mark.engine
@pytest.mark.parametrize(
    ("part", "planted", "found"),
    [
        (timing_day, "", ""),
        (timing_day, "grow", "memory"),
        (captures, "", ""),
        (captures, "leak", "descriptors"),
        (saves, "", ""),
        (saves, "leak", "descriptors"),
        (timing_real, "", ""),
        (timing_real, "leak", "descriptors"),
        (timing_real, "grow", "memory"),
        (timing_real, "stall", "ended by itself"),
    ],
)
def test_what_processes_hold_does_not_grow(
    tmp_path: Path, part: ModuleType, planted: str, found: str
) -> None:
    faults = part.run(0.001, tmp_path, planted).faults
    assert any(found in fault for fault in faults) if planted else faults == (), faults


def test_what_grew_is_named() -> None:
    before = Counts(100, 20, 5, 1, 3)
    assert grown("x", before, Counts(105, 20, 5, 1, 3)) == []
    assert [fault.split()[1] for fault in grown("x", before, Counts(107, 21, 6, 2, 4))] == [
        "memory_mb", "descriptors", "threads", "children", "files",
    ]  # fmt: skip


@pytest.mark.slow
@pytest.mark.worker
@pytest.mark.engine
@pytest.mark.parametrize(("planted", "reported"), [("", ""), ("lose", "round 0"), ("block", "stood still")])
def test_a_slow_link_costs_nothing_but_time(tmp_path: Path, planted: str, reported: str) -> None:
    faults = slow_link.run(0.01, tmp_path, planted).faults
    assert any(reported in fault for fault in faults) if planted else faults == ()


@pytest.mark.slow
@pytest.mark.worker
@pytest.mark.engine
@pytest.mark.thorough
@pytest.mark.parametrize(
    ("planted", "found"),
    [("", ""), ("raise", "ZeroDivisionError"), ("stand", "stood still"), ("crash", "killed by SIGSEGV")],
)
def test_what_a_window_does_wrong_before_a_random_user_is_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, planted: str, found: str
) -> None:
    monkeypatch.setattr(random_user, "_STEPS", 12)
    faults = random_user.run(0.01, tmp_path, planted).faults
    assert any(found in fault for fault in faults) if planted else faults == (), faults


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("planted", "found"),
    [
        ("raise ValueError", "Traceback"),
        ("raise SystemExit(1)", "status 1"),
        ("import os; os.abort()", "status -6"),
        ("print('no'); raise SystemExit(2)", ""),
    ],
)
def test_a_command_that_does_not_end_in_a_message_is_found(tmp_path: Path, planted: str, found: str) -> None:
    faults = random_commands.run(0.001, tmp_path, planted).faults
    assert all(found in fault for fault in faults) and len(faults) == 3 if found else faults == (), faults


def test_a_program_that_does_not_open_is_reported_in_one_message(tmp_path: Path) -> None:
    row = installed_models.run(1, tmp_path, planted="1 / 0")
    assert row.faults == ()
    assert "ZeroDivisionError" in row.figures
    ended = installed_models.run(1, tmp_path, planted="__import__('os')._exit(0)")
    assert ended.faults == ()
    assert "ended with exit code 0" in ended.figures
    wordy = "__import__('sys').stderr.write('Traceback (most recent call last):') / 0"
    (first, *_) = installed_models.run(1, tmp_path, planted=wordy).faults
    assert "planted" in first


def test_a_file_that_does_not_open_whole_is_found(tmp_path: Path) -> None:
    whole = tmp_path / "whole.loupe"
    write_session(whole, SessionData((sample_capture.capture(),)))
    assert installed_models.opens(whole)[1] == []
    cut = tmp_path / "cut.loupe"
    cut.write_bytes(whole.read_bytes()[:-3000])
    (fault,) = installed_models.opens(cut)[1]
    assert "does not open whole" in fault
    cut.write_bytes(b"nothing")
    assert "does not open: " in installed_models.opens(cut)[1][0]
    write_session(cut, SessionData((msgspec.structs.replace(sample_capture.capture(), stages=()),)))
    assert "0 graphs" in installed_models.opens(cut)[1][0]


@pytest.mark.slow
@pytest.mark.worker
@pytest.mark.engine
def test_a_model_without_an_end_and_one_that_we_set_up_wrongly_are_found(tmp_path: Path) -> None:
    text, opened, wrong = installed_models._captured(
        tmp_path, "time", ("sleeper", "time.sleep(600)", "torch.ones(1)"), False, 20
    )
    assert (text, opened, wrong) == ("no end in 20 s", False, ["no end in 20 s"])
    text, opened, wrong = installed_models._captured(
        tmp_path, "math", ("wrong", "math.no_such_model()", "torch.ones(1)"), False, 600
    )
    assert not opened
    assert "no_such_model" in text
    assert "settings for it are wrong" in wrong[0]


def test_a_model_is_noted_when_it_is_done(tmp_path: Path) -> None:
    page = tmp_path / "endurance.md"
    write_row("files", Row("some"), 1, 5, page)
    for graphs in ("1 graphs, 2 s", "3 graphs, 4 s"):
        installed_models._note(page, "transformers Bert", [graphs, "a | b"])
    installed_models._note(page, "timm vgg11", ["5 graphs, 6 s", "7 graphs, 8 s"])
    write_row("files", Row("other"), 1, 5, page)
    text = page.read_text()
    rows = [line.split(" | ")[:3] for line in text.splitlines() if line.startswith("| t")]
    assert rows == [
        ["| transformers Bert", "3 graphs, 4 s", "a / b"],
        ["| timm vgg11", "5 graphs, 6 s", "7 graphs, 8 s"],
    ]
    assert text.count("Not run yet: ") == text.count("## Models") == text.count("| other |") == 1
    assert "transformers Bert," not in text
    assert "transformers Llama," in text


def test_models_on_the_page_are_not_captured_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    page, asked = tmp_path / "endurance.md", list[str]()

    def captured(
        _folder: Path, _package: str, model: installed_models._Model, *_: object
    ) -> tuple[str, bool, list[str]]:
        asked.append(model[0])
        return "1 graphs, 2 s", True, []

    monkeypatch.setattr(installed_models, "models", lambda: {"math": (("a", "", ""), ("b", "", ""))})
    monkeypatch.setattr(installed_models, "_captured", captured)
    installed_models._note(page, "math a", ["3 graphs, 4 s", "5 graphs, 6 s"])
    row = installed_models.run(1, tmp_path, page=page, resume=True)
    assert asked == ["b", "b"]
    assert "1 models were captured before" in row.figures
    assert list(installed_models._rows(page)) == ["math a", "math b"]
    assert "3 graphs, 4 s" in page.read_text()


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
    elsewhere = tmp_path / "elsewhere.md"
    write_row("link", Row("elsewhere"), 0.5, 5, elsewhere)
    take_row("link", elsewhere, page)
    assert "| link | 0.5 | elsewhere |" in page.read_text()
    assert "| other |" not in page.read_text()
    assert "| files | 1 | new" in page.read_text()
