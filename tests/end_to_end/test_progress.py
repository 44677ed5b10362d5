"""What one sees while a capture goes on: each stage when it is made, the checklist, and what stays when it is cancelled."""

from pathlib import Path

import pytest
from torch._inductor.utils import fresh_cache

from app.session.edit_builders.from_selection import relu_to_gelu
from compiler.model.capture.capture_spec import CaptureSpec, RunOptions, TargetSpec
from compiler.model.protocol.progress import Phase, Step
from tests.end_to_end.conftest import EXAMPLES, Desk

_SLOW = """import torch
import torch._inductor.graph as lowering
import time
from pathlib import Path

GO = Path(__file__).with_name("go")


def held(owner, name, file):
    original = getattr(owner, name)

    def replacement(*args, **kwargs):
        Path(__file__).with_name(file).touch()
        while not GO.exists():
            time.sleep(0.02)
        return original(*args, **kwargs)

    setattr(owner, name, replacement)


held(lowering.GraphLowering, "codegen", "lowering")


class Slow(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.up = torch.nn.Linear(8, 16)

    def forward(self, x):
        return torch.relu(self.up(x)).sum()


def example_inputs():
    return (torch.randn(4, 8),)
"""


@pytest.fixture
def held(tmp_path: Path) -> Path:
    """A program whose compile waits, before Inductor writes code, until there is a file ``go``."""
    file = tmp_path / "slow.py"
    file.write_text(_SLOW)
    return file


def begin(desk: Desk, file: Path) -> None:
    spec = CaptureSpec(TargetSpec("slow.py:Slow", str(file.parent)), run=RunOptions(training=True))
    desk.session.open_program(spec)
    desk.until(lambda: stages(desk) >= {"0/0:dynamo", "0/0:joint", "0/0:forward:post_grad"})


def stages(desk: Desk) -> set[str]:
    capture = desk.session.capture
    return {stage.id for stage in capture.stages} if capture is not None else set()


@pytest.mark.thorough
def test_stages_are_seen_while_inductor_still_works(desk: Desk, held: Path) -> None:
    with fresh_cache():
        begin(desk, held)
        assert desk.session.busy
        assert desk.session.captures == ()
        assert any(name.startswith("bytecode:") for name in stages(desk))
        assert not any(name.endswith(":kernels") for name in stages(desk))
        assert desk.session.stage.graph is not None
        work = desk.window.row.work
        desk.until(work.isVisible)
        assert "Dynamo ✓ · AOTAutograd ✓ · Inductor …" in work.steps.text()
        assert desk.window.pages.currentWidget() is desk.window.dock_area
        before = desk.window.pages.geometry()
        (held.parent / "go").touch()
        desk.until(lambda: desk.session.captures != () and desk.settled())
        assert not work.isVisible()
        assert desk.window.pages.geometry() == before
        assert desk.problem_texts() == []


@pytest.mark.thorough
def test_cancelling_a_first_capture_keeps_what_is_on_the_screen(desk: Desk, held: Path) -> None:
    with fresh_cache():
        begin(desk, held)
        seen = stages(desk)
        desk.until(desk.window.row.work.isVisible)
        docks = desk.window.show_panes().docks
        front = {name for name, dock in docks.items() if not dock.visibleRegion().isEmpty()}
        desk.window.row.work.cancel.click()
        desk.until(lambda: desk.settled())
        assert stages(desk) == seen
        assert desk.window.pages.currentWidget() is desk.window.dock_area
        assert any("not finished" in text for text in desk.problem_texts())
        assert {name for name, dock in docks.items() if not dock.visibleRegion().isEmpty()} == front
        assert desk.window.toasts.cards


@pytest.mark.thorough
def test_judging_counts_its_parts(desk: Desk) -> None:
    desk.capture("mlp.py:MLP", EXAMPLES)
    seen: list[Step | None] = []
    desk.session.status_changed.connect(lambda: seen.append(desk.session.engine.step))
    capture = desk.session.capture
    stage = capture.stage("0/0:joint")
    assert stage.graph is not None
    desk.session.make_edit(relu_to_gelu("0/0:joint", stage.graph, "relu"))
    desk.act("edit.recompile")
    desk.until(lambda: desk.session.verdict is not None and desk.settled())
    counted = [step.done for step in seen if step is not None and step.phase is Phase.JUDGING]
    assert counted == sorted(counted)
    assert counted[0] == 0
    assert counted[-1] == 5
    assert {step.total for step in seen if step is not None and step.phase is Phase.JUDGING} == {6}
