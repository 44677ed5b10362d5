"""A compile that was too dear to read when it ended is shown while the program runs, not when it is over."""

from pathlib import Path

import pytest

from tests.compiler.recorder import test_live_edits
from tests.compiler.recorder.test_live_edits import Run

pytestmark = pytest.mark.engine

_SLOWLY_READ = """
import gc, torch
torch.compile(torch.relu)  # the first one attaches
recorders = [held for held in gc.get_objects() if type(held).__name__ == "RunRecorder"]
recorders[0]._read_seconds = 0.4
"""
"""As if reading had taken 0.4 s so far: more than its share of the time that the program's two compiles take."""


@pytest.mark.thorough
def test_it_is_read_as_soon_as_the_run_is_long_enough(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(test_live_edits, "_PATIENCE", 90.0)
    run = Run(tmp_path, program=_SLOWLY_READ + test_live_edits._PROGRAM)
    try:
        run.until_compiled()
        assert run.lane.seconds > 12  # nothing was read before it was affordable
    finally:
        run.end()
