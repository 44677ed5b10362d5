"""What counts as a graph and as a break: what torch runs compiled, and where it stopped."""

from pathlib import Path

import pytest
from torch._dynamo.utils import counters

from compiler.analysis.batch.capture_figures import figures_of_session
from compiler.analysis.session_file.session_data import SessionData
from compiler.analysis.text_format.result_line import result_line
from compiler.command_line.reports.break_reports import break_report
from compiler.command_line.reports.capture_report import stage_table
from compiler.engine.capture.capture import LiveCapture, make_capture
from compiler.model.capture.capture_spec import CaptureSpec, CompileOptions, TargetSpec
from compiler.model.capture.frames import BreakCategory
from compiler.model.graph_breaks.ranked_breaks import ranked_breaks

pytestmark = [pytest.mark.engine, pytest.mark.filterwarnings("ignore")]

GIVEN_UP = """
import torch

TABLE = torch.linspace(0, 1, 1000)

def step(t, x):
    first = TABLE[t]
    before = t - 100
    second = TABLE[before] if before >= 0 else x
    return first * second

def program(t, x):
    return step(t, x * 2)

def example_inputs():
    return torch.tensor(10), torch.ones(3)
"""


def _live(folder: Path, text: str) -> LiveCapture:
    (folder / "counted.py").write_text(text)
    spec = CaptureSpec(TargetSpec("counted.py:program", str(folder)), CompileOptions(backend="aot_eager"))
    return make_capture(spec, "capture-1", lambda text: None)


def test_a_graph_of_a_function_that_was_given_up_is_not_counted(tmp_path: Path) -> None:
    """The backend cannot compile what was traced up to the break, so the function runs eagerly: torch counts one graph."""
    counters.clear()
    found = _live(tmp_path, GIVEN_UP).capture
    assert any("Backend compiler exception" in item.kind for item in found.breaks)
    assert counters["stats"]["unique_graphs"] == 1
    assert len([stage for stage in found.stages if stage.id.endswith(":dynamo")]) == 2
    assert result_line(found).startswith("1 op in 1 graph · ")
    assert ", 1 graph, " in stage_table(found)
    assert figures_of_session(SessionData((found,))).graphs == 1
    assert break_report(found, ranked_breaks(found), None).split("\n")[0].endswith(", 1 graph.")


def test_a_function_of_a_library_that_dynamo_leaves_by_its_name_is_no_break(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Diffusers' outputs ask their fields in a generator expression, which torch leaves alone and logs no break for."""
    library = tmp_path / "site-packages" / "diffusers" / "utils"
    library.mkdir(parents=True)
    (library / "outputs.py").write_text("def empty(values):\n    return all(v is None for v in values)\n")
    monkeypatch.syspath_prepend(str(library))
    text = GIVEN_UP.replace("import torch\n", "import torch\nimport outputs\n").replace(
        "    return first", "    outputs.empty([x])\n    return first"
    )
    live = _live(tmp_path, text)
    if not any(skip.code.co_name == "<genexpr>" for skip in live.recorder.skips):
        pytest.skip("torch 2.11 is not asked about the generator")
    assert not [item for item in live.capture.breaks if item.sort is BreakCategory.SKIPPED_FRAME]
