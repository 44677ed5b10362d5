"""Captures of shipped examples; those that are only read are made once for all engine tests of a run."""

import fcntl
from collections.abc import Callable
from pathlib import Path

import pytest

from compiler.analysis.session_file.session_file import SessionData, write_session
from compiler.analysis.session_file.session_reading import read_session
from compiler.engine.capture.capture import LiveCapture, make_capture
from compiler.engine.recompile.edited_program import EditedProgram
from compiler.model.capture.capture import Capture
from compiler.model.capture.capture_spec import CaptureSpec, CompileOptions, RunOptions, TargetSpec

EXAMPLES = Path(__file__).resolve().parents[3] / "resources" / "examples"


def spec(name: str, training: bool = True, **options: object) -> CaptureSpec:
    """An example, trained or not."""
    run = RunOptions(training=training, gradients=training)
    return CaptureSpec(TargetSpec(name, str(EXAMPLES)), CompileOptions(**options), run)


def capture(name: str, training: bool = True, **options: object) -> LiveCapture:
    """A fresh capture of an example."""
    return make_capture(spec(name, training, **options), "capture-1", lambda text: None)


@pytest.fixture(scope="session")
def breaky(run_folder: Path) -> Capture:
    """The example with dropout, a print and a data-dependent if, in training."""
    return _made_once(run_folder, "breaky.py:Breaky")


@pytest.fixture(scope="session")
def transformer(run_folder: Path) -> Capture:
    """The transformer layer, in training."""
    return _made_once(run_folder, "transformer_layer.py:EncoderLayer")


@pytest.fixture(scope="session")
def run_folder(tmp_path_factory: pytest.TempPathFactory, request: pytest.FixtureRequest) -> Path:
    """A folder that all processes of this run share."""
    own = tmp_path_factory.getbasetemp()
    return own.parent if hasattr(request.config, "workerinput") else own


def _made_once(folder: Path, name: str) -> Capture:
    """By the first process that asks; the others read what it wrote."""
    path = folder / f"{name.partition('.')[0]}.loupe"
    with path.with_suffix(".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not path.exists():
            write_session(path, SessionData((capture(name).capture,)), own=True)
    return read_session(path, own=True).captures[0]


@pytest.fixture
def program() -> Callable[[str], EditedProgram]:
    """Makes programs that may be edited; each is captured afresh, since torch's compiled code is global."""
    return lambda name: EditedProgram(capture(name))
