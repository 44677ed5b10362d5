"""``loupe diff``: two files in, words or JSON out, and the exit status that a check in CI needs."""

import json
from pathlib import Path

import msgspec
import pytest

from compiler.analysis.session_file.session_file import SessionData, write_session
from compiler.command_line.main import main
from compiler.model.capture.capture import Capture
from compiler.model.ir.graph import Graph
from compiler.model.ir.loop_ir import KernelSet
from compiler.model.ir.stage import FxStage, KernelStage
from tests.helpers.sample_capture import DYNAMO, KERNELS, capture

replace = msgspec.structs.replace


def _edited() -> Capture:
    """No break, gelu for relu, another number in the kernel."""
    base = capture()
    stages = []
    for stage in base.stages:
        content = stage.content
        if stage.id == DYNAMO and isinstance(content, FxStage):
            nodes = content.graph.nodes
            content = FxStage(Graph(tuple(replace(n, target="gelu") if n.id == "z" else n for n in nodes)))
        if stage.id == KERNELS and isinstance(content, KernelStage):
            first, second = content.kernels.kernels
            other = replace(second, source=second.source.replace("2.0", "3.0"))
            content = KernelStage(KernelSet((first, other)))
        stages.append(replace(stage, content=content))
    return replace(base, stages=tuple(stages), breaks=(), seconds=1.25)


@pytest.fixture
def files(tmp_path: Path) -> tuple[str, str]:
    paths = tmp_path / "a.loupe", tmp_path / "b.loupe"
    for path, made in zip(paths, (capture(), _edited()), strict=True):
        write_session(path, SessionData((made,)))
    return str(paths[0]), str(paths[1])


def test_the_report_says_the_whole_first_then_the_parts(
    files: tuple[str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["diff", *files]) == 0
    printed = capsys.readouterr().out
    assert printed.startswith(
        "a.loupe → b.loupe\n1 graph break gone · 1 graph changed (~1 nodes) · 1 kernel changed\n"
    )
    assert "− gone: Data-dependent branching  # model.py:6" in printed
    assert "model (model.py): 1 graph as before, 3 ops as before; −torch.relu, +gelu" in printed
    assert "0/0:dynamo: ~1 nodes" in printed
    assert "~ cpp_fused_mul_relu_0  # 0/0:forward:kernels: +1 −1 lines" in printed
    assert "seconds" in printed
    assert "tmp1 * 3.0" not in printed


def test_nodes_and_texts_on_demand(files: tuple[str, str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["diff", *files, "--graphs", "--kernels"]) == 0
    printed = capsys.readouterr().out
    assert "~ z: calls torch.relu → gelu" in printed
    assert "+    auto tmp2 = tmp1 * 3.0;" in printed


def test_json_holds_everything(files: tuple[str, str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["diff", *files, "--json", "--kernels"]) == 0
    reported = json.loads(capsys.readouterr().out)
    assert reported["same"] is False
    assert reported["diff"]["breaks"]["gone"][0]["kind"] == "Data-dependent branching"
    assert "+    auto tmp2 = tmp1 * 3.0;" in reported["kernel_texts"]["cpp_fused_mul_relu_0"]


def test_the_exit_status_says_whether_anything_changed_when_asked(
    files: tuple[str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    before, after = files
    assert main(["diff", before, after, "--fail-on-change"]) == 1
    assert main(["diff", before, before, "--fail-on-change"]) == 0
    assert "Nothing changed" in capsys.readouterr().out
    assert main(["diff", before, "/nowhere.loupe"]) == 1
    assert "cannot be read" in capsys.readouterr().err


def test_one_stage_is_matched_node_by_node(
    files: tuple[str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["diff", *files, "--stage", DYNAMO, "--fail-on-change"]) == 1
    printed = capsys.readouterr().out
    assert "1 changed (1 with another call) · 5 equal" in printed
    assert "~     z = gelu(y)" in printed
    assert "calls torch.relu → gelu" in printed
    assert main(["diff", *files, "--stage", DYNAMO, "--json"]) == 0
    value = json.loads(capsys.readouterr().out)
    assert [pair["after"] for pair in value["match"]["pairs"] if pair["kind"] == "changed"] == ["z"]


def test_a_stage_that_is_not_there_is_reported_with_those_that_are(
    files: tuple[str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["diff", *files, "--stage", "nope"]) == 1
    assert DYNAMO in capsys.readouterr().err
    assert main(["diff", files[0]]) == 1
    assert "one file only" in capsys.readouterr().err


def test_one_file_compares_its_stage_as_captured_with_the_edited_one(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "edited.loupe"
    write_session(path, SessionData((capture(), replace(_edited(), id="capture-2"))))
    assert main(["diff", str(path), "--stage", DYNAMO]) == 0
    assert "1 changed" in capsys.readouterr().out
    assert main(["diff", str(path), "--stage", DYNAMO, "--stage-after", DYNAMO]) == 0
    assert "No difference" in capsys.readouterr().out
