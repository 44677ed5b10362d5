"""``torch_loupe.capture(model, x)``: objects of this process, with real torch."""

import logging.handlers
from pathlib import Path

import pytest
import torch

import torch_loupe
from compiler.model.edits.edits import ChooseFusion
from tests.compiler.api.live_programs import Net, scaled

pytestmark = pytest.mark.engine

RELU_LINE = next(
    number
    for number, line in enumerate(Path(__file__).with_name("live_programs.py").read_text().split("\n"), 1)
    if "relu(" in line
)


@pytest.fixture(scope="module")
def net() -> Net:
    torch.manual_seed(0)
    return Net().eval()


@pytest.fixture(scope="module")
def captured(net: Net) -> torch_loupe.Capture:
    return torch_loupe.capture(net, torch.ones(2, 8), train=True)


@pytest.mark.thorough
def test_a_capture_has_every_stage_and_names_those_that_are_not_clear(captured: torch_loupe.Capture) -> None:
    assert "relu" in captured["joint"].text
    assert captured["0/0:dynamo"].kind == "dynamo_graph"
    assert {kernel.language for kernel in captured.kernels} <= {"cpp", "extern"}
    assert captured.kernels
    assert captured.breaks == ()
    with pytest.raises(torch_loupe.LoupeError, match="forward:kernels"):
        captured["kernels"]
    with pytest.raises(torch_loupe.LoupeError, match="no stage 'nothing'"):
        captured["nothing"]


def test_a_line_is_followed_to_kernels_and_back(captured: torch_loupe.Capture) -> None:
    links = captured.follow(f"live_programs.py:{RELU_LINE}")
    assert any(stage.endswith("backward:kernels") for stage in links)
    (relu,) = (node.id for node in captured["dynamo"].nodes if node.target.endswith(".relu"))
    assert relu in links["0/0:dynamo"]
    (source,) = (stage for stage in captured.follow("dynamo", relu) if stage.startswith("source:"))
    assert f"L{RELU_LINE}" in captured.follow("dynamo", relu)[source]
    with pytest.raises(torch_loupe.LoupeError, match="no 'nobody'"):
        captured.follow("dynamo", "nobody")
    for unknown in ("other.py:3", "live_programs.py:²"):
        with pytest.raises(torch_loupe.LoupeError, match=r"FILE:LINE"):
            captured.follow(unknown)


@pytest.mark.thorough
def test_capturing_leaves_the_process_as_it_was(net: Net) -> None:
    before, calls = torch.get_rng_state(), net.calls
    torch_loupe.capture(net, torch.ones(2, 8), train=True)
    assert not net.training
    assert torch.equal(torch.get_rng_state(), before)
    assert net.calls == calls
    assert net.fc1.weight.grad is None


def test_an_edit_is_compiled_judged_and_edited_again(net: Net, captured: torch_loupe.Capture) -> None:
    torch_loupe.capture(torch.sin, torch.ones(2), grad=False)  # takes its place: it is captured again
    edited = captured.edit(captured["dynamo"].replace("relu", torch.nn.functional.gelu))
    new, verdict = edited.recompile()
    assert verdict.right is True
    assert "edited graph, float64" in str(verdict)
    assert "No times" in str(verdict)  # it counts its calls, which torch compiles again each time
    assert "gelu" in new["dynamo"].text
    assert not net.training
    again, unjudged = new.edit(new["dynamo"].replace("gelu", "torch.tanh")).recompile(judge=False)
    assert unjudged is None
    assert "torch.tanh" in again["dynamo"].text
    assert "gelu" not in again["dynamo"].text
    assert len(again.edits) == 2


@pytest.mark.thorough
@pytest.mark.parametrize("ending", ["fused", "kernels", "nothing"])
def test_an_edit_that_its_stage_does_not_take_is_refused(captured: torch_loupe.Capture, ending: str) -> None:
    """It was left out, and the verdict on the code as it was before said right."""
    edit = ChooseFusion(f"0/0:forward:{ending}", "op0", "op1", fuse=False)
    with pytest.raises(torch_loupe.LoupeError, match=r"does not take it.*loops"):
        captured.edit(edit).recompile()


def test_edits_by_text_and_by_transform(captured: torch_loupe.Capture) -> None:
    graph = captured["dynamo"]
    group = graph.edited(
        graph.text.replace("functional.relu", "functional.silu").replace(", inplace=False", "")
    )
    assert "silu" in str(captured.edit(group))
    both = captured.edit(graph.transform("remove_dropouts")).edit(group)
    assert len(both.edits) == 2
    for wrong in (
        lambda: graph.replace("conv2d", "torch.relu"),
        lambda: graph.transform("no_such"),
        lambda: graph.edited(graph.text),
        lambda: graph.edited(graph.text.replace("return (", "return ((")),
        lambda: captured["source"].replace("relu", "torch.tanh"),
    ):
        with pytest.raises(torch_loupe.LoupeError):
            wrong()


def test_what_was_saved_opens_and_says_that_the_object_is_gone(
    captured: torch_loupe.Capture, tmp_path: Path
) -> None:
    opened = torch_loupe.open(captured.save(tmp_path / "a.loupe"))
    assert opened["joint"].text == captured["joint"].text
    assert str(opened) == str(captured)
    with pytest.raises(torch_loupe.LoupeError, match="not a session file"):
        torch_loupe.open(__file__)


@pytest.mark.thorough
def test_a_function_with_a_break_and_keyword_arguments(capfd: pytest.CaptureFixture[str]) -> None:
    cap = torch_loupe.capture(scaled, torch.ones(3), kwargs={"factor": 2.0}, grad=False)
    assert [item.where.line for item in cap.breaks if item.where] == [
        number
        for number, line in enumerate(Path(scaled.__code__.co_filename).read_text().split("\n"), 1)
        if "print(" in line
    ]
    assert capfd.readouterr().out.count("between") == 1


def test_what_torch_compile_made_and_what_fails() -> None:
    cap = torch_loupe.capture(torch.compile(Net()), torch.ones(2, 8), grad=False)
    assert "relu" in cap["dynamo"].text
    assert "Capture of live:Net#" in repr(cap)
    said = logging.handlers.BufferingHandler(100)
    of_fakes = logging.getLogger("torch._subclasses.fake_tensor")  # which logs a traceback before it raises
    of_fakes.addHandler(said)
    with pytest.raises(torch_loupe.LoupeError, match="fails by itself"):
        torch_loupe.capture(Net(), torch.ones(2, 9))
    of_fakes.removeHandler(said)
    assert said.buffer == []
    with pytest.raises(torch_loupe.LoupeError, match="inputs="):
        torch_loupe.capture(Net(), inputs="torch.ones(2, 8)")
    with pytest.raises(torch_loupe.LoupeError, match="made there"):
        torch_loupe.capture("model.py:Net", torch.ones(2, 8))
