"""Two real captures of one program differ in nothing but time; of an edited one, in what the edit did."""

from pathlib import Path

import pytest

from compiler.analysis.diff.diff_summary import summary
from compiler.engine.capture.capture import make_capture
from compiler.model.capture.capture import Capture
from compiler.model.capture.capture_spec import CaptureSpec, RunOptions, TargetSpec
from compiler.model.diff.capture_diff import compare_captures
from tests.compiler.engine.conftest import EXAMPLES
from tests.helpers.thoroughness import some

pytestmark = pytest.mark.engine


def _capture(folder: Path, target: str, text: str) -> Capture:
    folder.mkdir(exist_ok=True)
    (folder / target.partition(":")[0]).write_text(text)
    spec = CaptureSpec(TargetSpec(target, str(folder)), run=RunOptions(training=True))
    return make_capture(spec, "capture-1", lambda text: None).capture


@pytest.mark.thorough
@pytest.mark.parametrize(
    "target", some(("breaky.py:Breaky", "recompiling.py:Changing", "lost_branch.py:Branch"))
)
def test_the_same_program_differs_in_time_alone(target: str, tmp_path: Path) -> None:
    text = (EXAMPLES / target.partition(":")[0]).read_text()
    first, second = (_capture(tmp_path / name, target, text) for name in ("a", "b"))
    diff = compare_captures(first, second)
    assert diff.same, (summary(diff), diff.stages)
    assert len(diff.frames) == len(second.frames)


@pytest.mark.thorough
def test_taking_a_print_out_takes_its_break_and_a_graph_away(tmp_path: Path) -> None:
    text = (EXAMPLES / "breaky.py").read_text()
    before = _capture(tmp_path, "breaky.py:Breaky", text)
    after = _capture(
        tmp_path,
        "breaky.py:Breaky",
        "# one line more\n" + text.replace('        print("hidden layer done")\n', ""),
    )
    diff = compare_captures(before, after)
    assert summary(diff).startswith("1 graph break gone · 3 → 2 graphs · ")
    assert [stop.stack[-1].text for stop in diff.breaks.gone] == ['print("hidden layer done")']
    assert not diff.breaks.new
    grown = next(change for change in diff.stages if change.after == "0/0:dynamo")
    assert not grown.graph.removed
    assert "linear_1" in grown.graph.added
    (function,) = diff.functions
    assert (function.graphs, function.ops_gone, function.ops_new) == ((3, 2), (), ())
    (file,) = diff.files
    assert file.new_lines == (1,)
    assert file.gone_after == (17,)
