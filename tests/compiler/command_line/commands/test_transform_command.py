"""``loupe transform`` of a session file. No torch is needed."""

from pathlib import Path

import msgspec
import pytest

from compiler.analysis.session_file.session_file import SessionData, write_session
from compiler.analysis.text_format.printer import program
from compiler.command_line.main import main
from compiler.model.edits.edits import Edit, apply_graph_edit
from compiler.model.ir.ids import StageId
from compiler.model.ir.stage import StageKind
from tests.helpers import sample_capture as sample


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "sample.loupe"
    write_session(path, SessionData((sample.capture(),)))
    return path


def test_a_transform_is_written_as_edits(
    file: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "edits.json"
    assert main(["transform", str(file), "relus_to_gelus", "-o", str(out)]) == 0
    assert capsys.readouterr().out == "z: call torch.nn.functional.gelu\n"
    (edit,) = msgspec.json.decode(out.read_bytes(), type=tuple[Edit, ...])
    edited, _ = apply_graph_edit(sample.dynamo_graph(), edit)
    assert edited.node("z").target == "torch.nn.functional.gelu"


def test_the_list_and_what_is_not_in_it(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["transform", str(file)]) == 0
    assert "fold_conv_bn" in capsys.readouterr().out
    assert main(["transform", str(file), "nonsense"]) == 2
    assert main(["transform", str(file), "remove_dropouts"]) == 1
    assert main(["transform", str(file), "probe_nan", "--nodes", "nobody"]) == 1
    assert main(["transform", str(file), "probe_nan", "--stage", "kernels"]) == 1
    assert "no dropout" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("names", "said"),
    [
        (
            ("0/0:dynamo", "1/0:dynamo"),
            "There are several graphs of Dynamo. Name one with --stage: 0/0:dynamo, 1/0:dynamo",
        ),
        ((), "There is no graph of Dynamo. Name a stage with --stage"),
    ],
)
def test_where_no_stage_is_named_and_there_is_not_one_graph_that_is_reported(
    names: tuple[str, ...], said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    capture = sample.capture()
    graph = capture.stage(sample.DYNAMO)
    others = [stage for stage in capture.stages if stage.kind is not StageKind.DYNAMO_GRAPH]
    own = [msgspec.structs.replace(graph, id=StageId(name)) for name in names]
    path = tmp_path / "several.loupe"
    write_session(path, SessionData((msgspec.structs.replace(capture, stages=(*own, *others)),)))
    assert main(["transform", str(path), "relus_to_gelus"]) == 1
    assert said in capsys.readouterr().err
    if names:
        assert main(["transform", str(path), "relus_to_gelus", "--stage", names[0]]) == 0


def test_a_program_changed_by_hand(file: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = program(sample.capture().stage(sample.DYNAMO)).text
    path, out = tmp_path / "graph.py", tmp_path / "edits.json"
    path.write_text(text.replace("z = torch.relu(y)  # f32", "z = torch.tanh(-y)  # f32") + "\n")
    assert main(["transform", str(file), "--text", str(path), "-o", str(out)]) == 0
    (edit,) = msgspec.json.decode(out.read_bytes(), type=tuple[Edit, ...])
    edited, _ = apply_graph_edit(sample.dynamo_graph(), edit)
    assert edited.node("z").inputs() == ("neg",)
    path.write_text(text.replace("torch.relu(y)  #", "torch.relu(nobody)  #"))
    capsys.readouterr()
    assert main(["transform", str(file), "--text", str(path)]) == 1
    assert f"{path}:9:" in capsys.readouterr().err
    path.write_text(text)
    assert main(["transform", str(file), "--text", str(path)]) == 1
