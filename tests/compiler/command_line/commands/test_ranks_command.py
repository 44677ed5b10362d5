"""``loupe ranks``: of session files, of one of them, of a folder of logs; as text and as JSON."""

import json
import lzma
from pathlib import Path

import pytest

from compiler.command_line.main import main
from tests.compiler.analysis.torch_logs.recorded_log import FILE
from tests.helpers.planted_ranks import rank, with_kernel, written


def test_one_file_stands_for_all_ranks_beside_it(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    paths = written(tmp_path, rank(), rank(), with_kernel(rank(), " // other"), rank())
    assert main(["ranks", str(paths[3]), "--diff"]) == 0
    said = capsys.readouterr().out
    assert "Ranks 0–3 go apart first at 0/0, kernels: ranks 0, 1, 3: " in said
    assert "Ranks 0, 1, 3 did the same; rank 2 goes apart at 0/0, kernels." in said
    assert "+++ rank 2" in said
    assert "// other" in said
    assert main(["ranks", *map(str, paths), "--fail-on-difference"]) == 1
    assert main(["ranks", *map(str, paths[:2]), "--fail-on-difference"]) == 0


def test_as_json(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    paths = written(tmp_path, rank(), rank(guards=("L['n'] == 3",)))
    assert main(["ranks", "--json", *map(str, paths)]) == 0
    reported = json.loads(capsys.readouterr().out)
    assert reported["same"] is False
    assert reported["files"] == {"0": str(paths[0]), "1": str(paths[1])}
    assert [row["what"] for row in reported["compared"]["differences"]] == ["guards"]


def test_logs_of_two_ranks(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for index in (0, 1):
        packed = FILE.with_name(f"torch_trace_rank_{index}.log.xz").read_bytes()
        (tmp_path / f"dedicated_log_torch_trace_rank_{index}_x.log").write_bytes(lzma.decompress(packed))
    assert main(["ranks", str(tmp_path)]) == 0
    said = capsys.readouterr().out
    assert "rank 1: compiled" in said
    assert "rank 0: not compiled" in said


def test_one_rank_is_nothing_to_compare(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (path,) = written(tmp_path, rank())
    assert main(["ranks", str(path)]) == 1
    assert "two ranks are needed" in capsys.readouterr().err
