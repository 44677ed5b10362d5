"""The files of one run: found by one of them, distinguished from others that lie there."""

from pathlib import Path

import pytest

from compiler.analysis.ranks.rank_files import files_of, rank_of, siblings
from compiler.analysis.torch_logs.opening import NoLogsError
from tests.helpers import sample_capture
from tests.helpers.planted_ranks import as_rank


def made(folder: Path, *names: str) -> list[Path]:
    for name in names:
        (folder / name).touch()
    return [folder / name for name in names]


def test_the_ranks_of_a_run_in_their_order(tmp_path: Path) -> None:
    first, two, ten, *_ = made(
        tmp_path,
        "run.loupe",
        "run.rank2.loupe",
        "run.rank10.loupe",
        "run.4711.loupe",
        "other.rank1.loupe",
        "a.log",
    )
    for path in (first, two, ten):
        assert siblings(path) == (first, two, ten)
    assert siblings(tmp_path / "run.4711.loupe") == (tmp_path / "run.4711.loupe",)
    assert siblings(tmp_path / "gone.loupe") == (tmp_path / "gone.loupe",)


def test_logs_of_a_folder(tmp_path: Path) -> None:
    rows = made(
        tmp_path, "dedicated_log_torch_trace_rank_0_x.log", "dedicated_log_torch_trace_rank_1_y.log.gz"
    )
    assert siblings(rows[1]) == tuple(rows)
    assert files_of([tmp_path]) == tuple(rows)
    (tmp_path / "none").mkdir()
    with pytest.raises(NoLogsError):
        files_of([tmp_path / "none"])


def test_the_rank_is_reported_by_the_run_else_by_the_file() -> None:
    plain = sample_capture.capture()
    assert rank_of(as_rank(plain, "3"), Path("run.rank7.loupe")) == "3"
    assert rank_of(plain, Path("run.rank7.loupe")) == "7"
    assert rank_of(plain, Path("run.loupe")) == ""
