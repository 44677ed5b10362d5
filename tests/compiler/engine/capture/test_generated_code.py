"""Code that stands in no file: its capture holds together, is saved and opens, and shows the text where that is known."""

import linecache
from pathlib import Path

import pytest

from compiler.analysis.session_file.session_file import SessionData, read_session, write_session
from compiler.engine.capture.capture import make_capture
from compiler.model.capture.capture import Capture
from compiler.model.capture.capture_spec import CaptureSpec, CompileOptions, RunOptions, TargetSpec
from compiler.model.ir.stage import SourceStage, StageKind
from compiler.model.session_file.checks import consistent

pytestmark = pytest.mark.engine
_PROGRAMS = Path(__file__).parents[1] / "bytecode_programs"


def _captured(name: str) -> Capture:
    spec = CaptureSpec(
        TargetSpec(f"generated.py:{name}", str(_PROGRAMS)),
        CompileOptions(backend="eager"),
        RunOptions(training=False, gradients=False),
    )
    return make_capture(spec, "capture-1", lambda text: None).capture


@pytest.mark.thorough
@pytest.mark.parametrize("name", ["run", "broken", "made", "twice", "traced"])
def test_a_capture_of_it_is_saved_and_opens_whole(name: str, tmp_path: Path) -> None:
    capture = _captured(name)
    assert not consistent(capture)[1]
    assert not capture.problems
    assert write_session(tmp_path / "a.loupe", SessionData((capture,))) == ()
    assert read_session(tmp_path / "a.loupe").captures == (capture,)


def test_the_text_of_python_c_is_not_taken_for_that_of_generated_code(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Python 3.13 keeps it by the name that all such code has; a process of a pool is started by one."""
    text = "import sys; " + "print(sys.argv)"
    monkeypatch.setitem(linecache.cache, "<string>", (len(text), None, [f"{text}\n"], "<string>"))
    capture = _captured("made")
    assert not [stage for stage in capture.of_kind(StageKind.SOURCE) if stage.id.endswith("<string>")]
    assert not capture.problems


def test_what_torch_fx_generated_shows_its_text() -> None:
    capture = _captured("traced")
    (source,) = [stage for stage in capture.of_kind(StageKind.SOURCE) if "eval_with_key" in stage.id]
    assert isinstance(source.content, SourceStage)
    assert "torch.relu" in source.content.file.text
    assert any(table.source == source.id for table in capture.links)
