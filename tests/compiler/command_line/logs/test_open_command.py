"""``loupe open``: a session for each log, a table, numbers as JSON, and one message where there is nothing to read."""

import gzip
import json
import lzma
from pathlib import Path

import pytest

from compiler.analysis.session_file.session_file import read_session
from compiler.command_line.main import main
from tests.compiler.analysis.torch_logs.recorded_log import FILE, text


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.delenv("DISPLAY", raising=False)
    monkeypatch.delenv("WAYLAND_DISPLAY", raising=False)
    for rank in (0, 1):
        packed = FILE.with_name(f"torch_trace_rank_{rank}.log.xz").read_bytes()
        trace = tmp_path / "trace"
        trace.mkdir(exist_ok=True)
        (trace / f"dedicated_log_torch_trace_rank_{rank}_x.log").write_bytes(lzma.decompress(packed))
    return tmp_path


def test_a_session_for_each_rank_and_where_they_differ(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    numbers = folder / "numbers.json"
    words = ["open", str(folder / "trace"), "-o", str(folder / "run.loupe"), "--json", str(numbers)]
    assert main(words) == 0
    said = capsys.readouterr().out
    assert "rank 0: 1 compile in" in said
    assert "rank 1: 2 compiles in" in said
    assert "compile ids differ from rank to rank" in said
    assert "graphs ran in another order" in said
    first, second = (read_session(folder / name).captures[0] for name in ("run.loupe", "run.rank1.loupe"))
    assert (first.log.rank, second.log.rank) == ("0", "1")  # type: ignore[union-attr]
    read = json.loads(numbers.read_text())
    assert [row["file"] for row in read["logs"]] == [
        str(folder / name) for name in ("run.loupe", "run.rank1.loupe")
    ]
    assert read["ranks"]["order_differs"] is True


@pytest.mark.thorough
def test_processes_without_a_rank_are_named_by_their_number(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    logs = folder / "plain"
    logs.mkdir()
    (logs / "a.log").write_bytes(text())
    (logs / "b.log.gz").write_bytes(gzip.compress(text()))
    assert main(["open", str(logs), "-o", str(folder / "two.loupe")]) == 0
    written = sorted(path.name for path in folder.glob("two*.loupe"))
    assert len(written) == 2
    assert "two.loupe" in written
    assert "differ from rank to rank" not in capsys.readouterr().out


def test_without_an_output_the_table_is_printed(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    log = folder / "cut.log"
    log.write_bytes(b"garbage\n" + text()[:-1])
    assert main(["open", str(log)]) == 0
    said = capsys.readouterr().out
    assert "4 compiles" in said
    assert "could not be read: 1 lines that are not torch's" in said
    assert "tensor 'x' size mismatch" in said


def test_why_it_was_compiled_again_is_reported_as_of_a_recorded_run(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Torch writes the line, and the end of its file's name, far behind the guard."""
    guard = b"n == 0" + b" " * 51 + b"# return x*n  # mp/o/train.py:10 in g"
    log = text().replace(
        b"tensor 'x' size mismatch", guard + b"\n\tUser stack trace:\n\t  tensor 'x' size mismatch"
    )
    (folder / "again.log").write_bytes(log)
    assert main(["open", str(folder / "again.log")]) == 0
    assert "0/0: n == 0 (train.py:10)\n" in capsys.readouterr().out


@pytest.mark.parametrize("name", ["nowhere", "empty"])
def test_where_there_is_no_log_one_message_says_so(
    folder: Path, name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "empty").mkdir()
    assert main(["open", str(folder / name)]) == 2
    assert len(capsys.readouterr().err.strip().split("\n")) == 1
