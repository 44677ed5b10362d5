"""``loupe export``: what is written runs with torch alone, and generates the kernels that the window showed."""

import json
from pathlib import Path

import pytest

from compiler.analysis.session_file.session_file import read_session
from compiler.command_line.main import main
from compiler.model.ir.stage import KernelStage, LoopStage, WrapperStage
from tests.compiler.engine.conftest import EXAMPLES
from tests.helpers.exported_tests import run_exported
from tests.helpers.thoroughness import some

pytestmark = [pytest.mark.engine, pytest.mark.worker]


def _call(name: str) -> dict[str, object]:
    return {"type": "sequence", "kind": "tuple", "items": [{"type": "node", "node": name}]}


def _replace(stage: str, node: str, target: str, used: str) -> dict[str, object]:
    return {
        "type": "replace_target", "stage": stage, "node": node, "op": "call_function", "target": target,
        "args": _call(used),
    }  # fmt: skip


_CASES = {
    "mlp_dropout.py:MLP": [
        _replace("0/0:dynamo", "relu", "torch.nn.functional.gelu", "linear"),
        _replace("0/0:dynamo", "relu_1", "torch.nn.functional.gelu", "linear_1"),
    ],
    "breaky.py:Breaky": [
        _replace("0/0:dynamo", "relu", "torch.nn.functional.gelu", "linear"),
        {"type": "bypass_node", "stage": "0/0:dynamo", "node": "x", "replacement": "relu"},
    ],
    "mlp.py:MLP": [
        _replace("0/0:pre_grad", "x", "torch.tanh", "linear"),
        _replace("0/0:joint", "tanh", "aten.sigmoid.default", "addmm"),
        _replace("0/0:forward:aot", "tanh", "aten.sin.default", "addmm"),
        _replace("0/0:forward:post_grad", "tanh", "aten.cos.default", "addmm"),
        {
            "type": "insert_node", "stage": "0/0:backward:post_grad", "index": 11,
            "node": {"id": "neg", "op": "call_function", "target": "aten.neg.default", "args": _call("mm")},
            "uses": [],
        },
    ],
}  # fmt: skip


@pytest.mark.thorough
@pytest.mark.parametrize("target", some(_CASES, ("breaky.py:Breaky",)))
def test_the_exported_test_passes_without_torch_loupe(
    target: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    session, edits = tmp_path / "s.loupe", tmp_path / "edits.json"
    edits.write_text(json.dumps(_CASES[target]))
    assert main(["capture", f"{EXAMPLES}/{target}", "--train", "-o", str(session)]) == 0
    out = tmp_path / "out"
    assert main(["export", str(session), "-o", str(out)]) == 1
    assert "has no edits active" in capsys.readouterr().err
    assert not out.exists()
    assert main(["export", str(session), "--edits", str(edits), "-o", str(out), "--name", "mine"]) == 0
    assert sorted(path.name for path in out.iterdir()) == ["mine.json", "mine.py", "test_mine.py"]
    assert "test_mine.py" in capsys.readouterr().out
    printed = run_exported(out, "test_mine.py", fresh=target == "mlp.py:MLP")
    assert ("3 passed" if target == "mlp.py:MLP" else "2 passed") in printed


_KEEPS = """
import torch
from torch import nn

class Keeps(nn.Module):
    def __init__(self):
        super().__init__()
        self.norm, self.online, self.target = nn.BatchNorm1d(4), nn.Linear(4, 4), nn.Linear(4, 4)
        self.register_buffer("last", torch.zeros(0))

    def forward(self, x):
        hidden = self.norm(x)
        self.last = hidden * 2
        return self.online(hidden) + self.target(hidden).detach(), torch.relu(-hidden.abs())

def example_inputs():
    return (torch.randn(6, 4),)
"""
"""Leaves statistics and a new buffer, stops a gradient, and gives nothing but zeros."""


def test_a_test_is_exported_of_what_eager_does_not_have_or_has_as_zeros(tmp_path: Path) -> None:
    """It was no Python where a zero became something, and looked for statistics that it did not take."""
    session, edits, out = tmp_path / "s.loupe", tmp_path / "edits.json", tmp_path / "out"
    (tmp_path / "keeps.py").write_text(_KEEPS)
    assert main(["capture", f"{tmp_path}/keeps.py:Keeps", "--train", "-o", str(session)]) == 0
    graph = read_session(session).captures[0].stage("0/0:dynamo").graph
    assert graph is not None
    relu, stop = (next(node for node in graph.nodes if name in node.target) for name in ("relu", "detach"))
    edits.write_text(
        json.dumps(
            [
                _replace("0/0:dynamo", relu.id, "torch.nn.functional.gelu", relu.inputs()[0]),
                {
                    "type": "bypass_node",
                    "stage": "0/0:dynamo",
                    "node": stop.id,
                    "replacement": stop.inputs()[0],
                },
            ]
        )
    )
    assert main(["export", str(session), "--edits", str(edits), "-o", str(out), "--name", "mine"]) == 0
    text = (out / "test_mine.py").read_text()
    for line in ("'output 1': float(\"inf\")", "'grad of target.weight'", "'norm.running_mean afterwards'"):
        assert line in text
    assert "3 passed" in run_exported(out, "test_mine.py", fresh=True)


@pytest.mark.slow
def test_choices_of_fusion_and_kernel_sources_are_exported_too(tmp_path: Path) -> None:
    """A fusion of the forward, a kernel of the backward; the exported test holds the code to the same text."""
    session, edits = tmp_path / "s.loupe", tmp_path / "edits.json"
    (tmp_path / "waves.py").write_text(
        "import torch\n\ndef waves(x):\n    y = torch.sin(x) + 1\n    return y, torch.cos(y) * 2\n\n"
        "def example_inputs():\n    return (torch.randn(8, 40, requires_grad=True),)\n"
    )
    assert main(["capture", f"{tmp_path}/waves.py:waves", "-o", str(session)]) == 0
    capture = read_session(session).captures[0]
    fused = capture.stage("0/0:forward:fused").content
    kernels = capture.stage("0/0:backward:kernels").content
    assert isinstance(fused, LoopStage)
    assert isinstance(kernels, KernelStage)
    first, second = next(node.children for node in fused.program.nodes if len(node.children) == 2)
    kernel = next(kernel for kernel in kernels.kernels.kernels if kernel.source)
    edits.write_text(
        json.dumps(
            [
                {"type": "choose_fusion", "stage": "0/0:forward:loops", "first": first, "second": second, "fuse": False},
                {
                    "type": "replace_kernel", "stage": "0/0:backward:kernels", "kernel": kernel.name,
                    "source": "// by hand, it's 'so'\n" + kernel.source.strip("\n"),
                },
            ]
        )
    )  # fmt: skip
    out = tmp_path / "out"
    assert (
        main(["export", str(session), "--edits", str(edits), "-o", str(out), "--name", "mine", "--trust"])
        == 0
    )
    assert "3 passed" in run_exported(out, "test_mine.py")
    text = (out / "mine.py").read_text()
    assert f"('{first}', '{second}', False)" in text


@pytest.mark.slow
def test_knobs_and_wrappers_are_exported_too(tmp_path: Path) -> None:
    """The exported test compares the generated kernels with those of the window, so a knob left out is found out."""
    session, edits, out = tmp_path / "s.loupe", tmp_path / "edits.json", tmp_path / "out"
    assert main(["capture", f"{EXAMPLES}/mlp.py:MLP", "--train", "-o", str(session)]) == 0
    (capture,) = read_session(session).captures
    fused, wrapper = capture.stage("0/0:forward:fused").content, capture.stage("0/0:backward:wrapper").content
    assert isinstance(fused, LoopStage)
    assert isinstance(wrapper, WrapperStage)
    node = next(node.id for node in fused.program.nodes if "Extern" not in node.kind).split("_")[0]
    turn = {"type": "choose_knob", "stage": "0/0:forward:loops", "node": node}
    edits.write_text(
        json.dumps(
            [
                {**turn, "knob": "cpp.simdlen", "value": 0},
                {**turn, "knob": "loop_order", "value": "1, 0"},
                {
                    "type": "replace_wrapper", "stage": "0/0:backward:wrapper", "base": wrapper.code.base,
                    "text": wrapper.code.text + "\nBY_HAND = True\n",
                },
            ]
        )
    )  # fmt: skip
    assert (
        main(["export", str(session), "--edits", str(edits), "-o", str(out), "--name", "mine", "--trust"])
        == 0
    )
    text = (out / "mine.py").read_text()
    assert "BY_HAND = True" in text
    assert "'cpp.simdlen', 0" in text
    assert "3 passed" in run_exported(out, "test_mine.py")


@pytest.mark.thorough
def test_edits_of_an_inference_graph_are_made_before_its_joint_passes(tmp_path: Path) -> None:
    """Inductor sends it through the joint passes itself, after which its nodes have other names (here the softmax's)."""
    session, edits, out = tmp_path / "s.loupe", tmp_path / "edits.json", tmp_path / "out"
    (tmp_path / "soft.py").write_text(
        "import torch\n\ndef soft(x):\n    return torch.softmax(torch.sin(x) * 2.0, -1)\n\n"
        "def example_inputs():\n    return (torch.randn(8, 40),)\n"
    )
    assert main(["capture", f"{tmp_path}/soft.py:soft", "-o", str(session)]) == 0
    (capture,) = read_session(session).captures
    fused = capture.stage("0/0:inference:fused").content
    assert isinstance(fused, LoopStage)
    node = fused.program.nodes[0]
    first = (node.children or (node.id,))[0]
    turn = {
        "type": "choose_knob",
        "stage": "0/0:inference:loops",
        "node": first,
        "knob": "cpp.simdlen",
        "value": 0,
    }
    cosine = _replace("0/0:inference:aot", "sin", "aten.cos.default", "arg0_1")
    edits.write_text(json.dumps([cosine, turn]))
    assert main(["export", str(session), "--edits", str(edits), "-o", str(out), "--name", "mine"]) == 0
    assert "3 passed" in run_exported(out, "test_mine.py")


@pytest.mark.thorough
def test_edits_of_a_traced_graph_are_a_function_on_a_graph_module(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    session, edits, code = tmp_path / "net.loupe", tmp_path / "edits.json", tmp_path / "code"
    target = f"{EXAMPLES}/conv_bn_relu.py:Net"
    assert main(["capture", target, "--eval", "--front-end", "fx", "-o", str(session)]) == 0
    assert main(["transform", str(session), "fold_conv_bn", "--stage", "fx:graph", "-o", str(edits)]) == 0
    assert main(["export", str(session), "--edits", str(edits), "-o", str(code)]) == 0
    text = (code / "edits.py").read_text()
    assert "def edit(module: GraphModule) -> GraphModule:" in text
    assert "torch.nn.functional.conv2d" in text
    assert "2 passed" in run_exported(code)


def test_edits_of_an_exported_program_are_refused_as_code(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    session, edits, code = tmp_path / "net.loupe", tmp_path / "edits.json", tmp_path / "code"
    assert main(["capture", f"{EXAMPLES}/mlp.py:MLP", "--front-end", "export", "-o", str(session)]) == 0
    assert (
        main(["transform", str(session), "relus_to_gelus", "--stage", "export:graph", "-o", str(edits)]) == 0
    )
    capsys.readouterr()
    assert main(["export", str(session), "--edits", str(edits), "-o", str(code)]) == 1
    assert "are not written as code" in capsys.readouterr().err


@pytest.mark.thorough
def test_a_verdict_that_the_file_has_is_reported_and_not_made_again(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    session, edits, out, source = (tmp_path / name for name in ("s.loupe", "edits.json", "out", "soft.py"))
    program = (
        "import torch\n\ndef soft(x):\n    return torch.sin(x) * 2.0\n\n"
        "def example_inputs():\n    return (torch.randn(8, 40),)\n"
    )
    source.write_text(program)
    edits.write_text(json.dumps([_replace("0/0:inference:aot", "sin", "aten.cos.default", "arg0_1")]))
    assert main(["capture", f"{source}:soft", "-o", str(session)]) == 0
    assert main(["edit", str(session), "--edits", str(edits), "-o", str(session)]) == 0
    capsys.readouterr()
    assert main(["export", str(session), "-o", str(out)]) == 0
    reported = capsys.readouterr()
    assert "As the file says, which was judged when these edits were made:" in reported.out
    assert "does what the graph says" in reported.out
    assert "Comparing" not in reported.err
    source.write_text(program.replace("2.0", "3.0"))
    assert main(["export", str(session), "-o", str(out)]) == 0
    assert "As judged now:" in capsys.readouterr().out
