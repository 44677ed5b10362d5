"""The commands as a person or a program meets them: output, exit status, files."""

import json
from pathlib import Path

import pytest

from compiler.analysis.session_file.session_file import read_session
from compiler.command_line.main import main
from compiler.model.edits.edits import ReplaceTarget
from compiler.model.ir.stage import StageKind
from tests.compiler.engine.conftest import EXAMPLES
from tests.helpers import sample_capture

pytestmark = [pytest.mark.engine, pytest.mark.worker]

_RELU_TO_GELU = [
    {
        "type": "replace_target",
        "stage": "0/0:dynamo",
        "node": "x",
        "op": "call_function",
        "target": "torch.nn.functional.gelu",
        "args": {"type": "sequence", "kind": "tuple", "items": [{"type": "node", "node": "linear"}]},
    }
]


@pytest.fixture(scope="module")
def captured(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A session file of the MLP, made by the command."""
    path = tmp_path_factory.mktemp("captured") / "mlp.loupe"
    assert main(["capture", f"{EXAMPLES}/mlp.py:MLP", "--train", "-o", str(path)]) == 0
    return path


@pytest.mark.thorough
def test_capture_prints_stages_and_counts(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "b.loupe"
    assert main(["capture", f"{EXAMPLES}/breaky.py:Breaky", "--train", "-o", str(out)]) == 0
    printed = capsys.readouterr()
    assert "0/0:joint" in printed.out
    assert "2 graph breaks" in printed.out
    assert "hidden layer done" not in printed.out, "the program's own output goes to the error stream"
    assert "hidden layer done" in printed.err
    assert read_session(out).captures[0].of_kind(StageKind.KERNELS)


@pytest.mark.thorough
def test_show_lists_prints_and_gives_json(captured: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["show", str(captured)]) == 0
    assert "stages" in capsys.readouterr().out
    assert main(["show", str(captured), "0/0:dynamo"]) == 0
    assert "torch.relu" in capsys.readouterr().out
    assert main(["show", str(captured), "joint_graph", "--json"]) == 0
    stage = json.loads(capsys.readouterr().out)
    assert stage["kind"] == "joint_graph"
    assert main(["show", str(captured), "post_grad"]) == 1
    assert "could be several" in capsys.readouterr().err


@pytest.mark.thorough
def test_edit_recompiles_judges_and_keeps(
    captured: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    edits = tmp_path / "edits.json"
    edits.write_text(json.dumps(_RELU_TO_GELU))
    out = tmp_path / "edited.loupe"
    assert main(["edit", str(captured), "--edits", str(edits), "-o", str(out), "--json"]) == 0
    verdict = json.loads(capsys.readouterr().out)["verdict"]
    assert [
        row["agrees"] for row in verdict["comparisons"] if row["reference"] == "edited graph, float64"
    ] == [True]
    session = read_session(out)
    assert len(session.captures) == 2
    assert session.journals[0].applied
    assert main(["time", str(out), "--iterations", "20", "--json"]) == 0
    report = json.loads(capsys.readouterr().out)
    assert any("gelu" in row["kernel"]["name"] for row in report["kernels"])
    assert report["compiled"]["count"] == 20
    assert main(["time", str(out), "--states", "captured", "s1"]) == 0
    assert "rounds interleaved" in capsys.readouterr().out
    assert main(["time", str(out), "--states", "captured", "s9"]) == 1
    assert "no state 's9'" in capsys.readouterr().err


@pytest.mark.slow
def test_edits_that_do_not_fit(captured: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    edits = tmp_path / "edits.json"
    for content, words in (
        ("[{", "not a list of edits"),
        (json.dumps([{**_RELU_TO_GELU[0], "node": "nope"}]), "no node nope"),
        (json.dumps([{**_RELU_TO_GELU[0], "target": "torch.nope"}]), "torch.nope"),
        (json.dumps([{**_RELU_TO_GELU[0], "stage": "9/9:dynamo"}]), "9/9"),
    ):
        edits.write_text(content)
        assert main(["edit", str(captured), "--edits", str(edits), "-o", str(tmp_path / "x.loupe")]) == 1
        assert words in capsys.readouterr().err
        assert not (tmp_path / "x.loupe").exists()


@pytest.mark.thorough
def test_edits_follow_a_program_that_changed_since(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    program = tmp_path / "twice.py"
    text = "import torch\n\ndef f(x):\n    y = torch.relu(x)\n    return torch.tanh(y)\n\n"
    text += "def example_inputs():\n    return (torch.randn(64),)\n"
    program.write_text(text)
    session, out, edits = tmp_path / "s.loupe", tmp_path / "out.loupe", tmp_path / "edits.json"
    assert main(["capture", f"{program}:f", "-o", str(session)]) == 0
    to_gelu = {**_RELU_TO_GELU[0], "node": "y"}
    to_gelu["args"] = {"type": "sequence", "kind": "tuple", "items": [{"type": "node", "node": "l_x_"}]}
    gone = {"type": "bypass_node", "stage": "0/0:dynamo", "node": "tanh", "replacement": "y"}
    edits.write_text(json.dumps([to_gelu, gone]))
    program.write_text(
        text.replace("    y =", "    x = torch.relu(x) + 1\n    y =").replace("torch.tanh", "torch.sin")
    )
    command = ["edit", str(session), "--edits", str(edits), "-o", str(out)]
    assert main(command) == 1
    assert "tanh is gone; the nearest is sin" in capsys.readouterr().err
    assert main([*command, "--skip-unfit"]) == 0
    assert "left out, Remove tanh" in capsys.readouterr().err
    journal, made = read_session(out).journals
    assert made.applied == journal.applied
    stage = read_session(out).captures[0].stage("0/0:dynamo")
    (edit,) = journal.applied
    assert isinstance(edit, ReplaceTarget)
    assert stage.graph.node(edit.node).stack[-1].text == "y = torch.relu(x)"


@pytest.mark.thorough
def test_time_prints_tables_and_writes_files(
    captured: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    table, trace = tmp_path / "times.csv", tmp_path / "steps.json"
    asked = ["--roofline", "--memory", "--compile-time", "--csv", str(table), "--trace", str(trace)]
    assert main(["time", str(captured), "--iterations", "80", *asked]) == 0
    printed = capsys.readouterr().out
    assert "extern_kernels.addmm" in printed
    assert "µs" in printed
    assert "than eager (95 %" in printed or "compiled cannot be " in printed  # of a busy machine: compared
    assert "Kernels that Inductor generated" in printed
    assert "most expensive lines" in printed
    assert " · " in printed.split("most expensive lines")[0]  # kernels by what and where
    assert "of what a float32 matrix product reaches here" in printed or "of what copying" in printed
    assert "planned: at most" in printed
    assert "whole compile" in printed
    assert table.read_text(encoding="utf-8").startswith("row,name,graph")
    assert json.loads(trace.read_text(encoding="utf-8"))["traceEvents"]
    assert list((tmp_path / "torch-loupe").glob("ceilings-*.json"))


def test_doctor_says_what_is_there(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["doctor", "--json", "--quick"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["torch"]
    assert all(hook["found"] for hook in found["hooks"])


@pytest.mark.parametrize(
    ("arguments", "status", "words"),
    [
        ([], 2, "add COMMAND (capture, show"),
        (["capture"], 2, "add TARGET"),
        (["nonsense"], 2, "invalid choice"),
        (["show", "/no/such/file.loupe"], 1, "cannot be read"),
        (["capture", "x.py:f", "-o", "/no/such/folder/x.loupe"], 1, "no folder"),
        (["time", "x.py:f", "--iterations", "0"], 2, "at least 1"),
        (["capture", "x.py:f", "-o", "x.loupe", "--option", "bad"], 2, "NAME=VALUE"),
    ],
)
def test_exit_status(
    arguments: list[str], status: int, words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(arguments) == status
    assert words in capsys.readouterr().err


@pytest.mark.thorough
def test_showing_a_session_loads_no_torch(tmp_path: Path) -> None:
    import subprocess
    import sys

    from compiler.analysis.session_file.session_file import SessionData, write_session

    path = tmp_path / "sample.loupe"
    write_session(path, SessionData((sample_capture.capture(),)))
    code = (
        "import sys; from compiler.command_line.main import main; status = main(['show', sys.argv[1]]); "
        "assert not {'torch', 'PySide6'} & set(sys.modules); sys.exit(status)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, str(path)], cwd=EXAMPLES.parents[1], capture_output=True, check=False
    )
    assert done.returncode == 0, done.stderr


@pytest.mark.thorough
def test_an_edit_of_one_layer_is_made_in_all_equal_ones(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The graphs are those of the program with the same edit in its source, and the verdict judges it."""
    text = """import torch

class Layer(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = torch.nn.Linear(8, 8)

    def forward(self, x):
        return x + torch.relu(self.fc(x))

class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = torch.nn.ModuleList(Layer() for _ in range(4))

    def forward(self, x):
        for layer in self.layers:
            x = layer(x)
        return x.sum()

def example_inputs():
    return (torch.randn(4, 8),)
"""
    program, source = tmp_path / "relus.py", tmp_path / "gelus.py"
    program.write_text(text)
    source.write_text(text.replace("torch.relu", "torch.nn.functional.gelu"))
    session, out, edits = tmp_path / "s.loupe", tmp_path / "out.loupe", tmp_path / "edits.json"
    assert main(["capture", f"{program}:Net", "--train", "-o", str(session)]) == 0
    assert main(["capture", f"{source}:Net", "--train", "-o", str(tmp_path / "gelus.loupe")]) == 0
    graph = read_session(session).captures[0].stage("0/0:dynamo").graph
    relu = [node for node in graph.nodes if node.target == "torch.relu"][2]
    to_gelu = {**_RELU_TO_GELU[0], "node": relu.id}
    to_gelu["args"] = {
        "type": "sequence",
        "kind": "tuple",
        "items": [{"type": "node", "node": relu.inputs()[0]}],
    }
    edits.write_text(json.dumps([to_gelu]))
    command = ["edit", str(session), "--edits", str(edits), "-o", str(out)]
    capsys.readouterr()
    assert main([*command, "--equal-layers"]) == 0
    printed = capsys.readouterr()
    assert "layers.2 are made in 3 equal layers" in printed.err
    edited, written = read_session(out).captures[-1], read_session(tmp_path / "gelus.loupe").captures[0]
    for stage in ("0/0:dynamo", "0/0:joint"):
        made, wanted = edited.stage(stage).graph, written.stage(stage).graph
        assert [node.target for node in made.nodes] == [node.target for node in wanted.nodes]
    assert read_session(out).verdicts
    to_gelu["args"] = {"type": "sequence", "kind": "tuple", "items": [{"type": "node", "node": "l_x_"}]}
    edits.write_text(json.dumps([to_gelu]))
    assert main([*command, "--equal-layers"]) == 1
    assert "neither in" in capsys.readouterr().err
