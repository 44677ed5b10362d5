"""A program does under the loupe what it does without: as many calls, the same results, the same error, the same code."""

import json
import os
import sys
from pathlib import Path
from typing import Any

import pytest

from compiler.engine.capture.capture import make_capture
from compiler.engine.recompile.edited_program import EditedProgram
from compiler.model.capture.capture_spec import CaptureSpec, RunOptions, TargetSpec
from compiler.model.edits.edits import ReplaceTarget
from compiler.model.ir.stage import StageKind
from tests.helpers.finished_process import ran

pytestmark = pytest.mark.engine

_PROGRAMS = Path(__file__).parents[1] / "observed_programs"
_TARGETS = (
    "retain_graph.py:step",
    "double_backward.py:Wgan",
    "stateful.py:Stateful",
    "counting.py:Net",
    "unasked.py:Net",
    "library_calls.py:Net",
)
_QUICK = ("counting.py:Net", "retain_graph.py:step")
_STATES = ("stateful.py:Stateful", "counting.py:Net")
_RUN = """
import json, os, sys
from pathlib import Path
import torch
from torch._inductor.graph import GraphLowering
from compiler.engine.capture.capture import make_capture
from compiler.engine.errors import EngineError
from compiler.engine.user_program.loading import load_program
from compiler.engine.user_program.stepper import Stepper, set_mode
from compiler.engine.torch_internals.patch.settings import forget_compiled_code
from compiler.model.capture.capture_spec import CaptureSpec, RunOptions, TargetSpec

observed, out, folder, modes, *targets = sys.argv[1:]
step = Stepper.step
for target in targets:
    for training in map(bool, map(int, modes)):
        os.environ["CALLS"] = str(Path(out).with_suffix(".calls"))
        Path(os.environ["CALLS"]).write_text("")
        texts, results, errors = [], [], []
        GraphLowering.save_output_code = texts.append

        def noted(self, function, backward=True):
            if function is self.program.callable:
                return step(self, function, backward)  # whose error it was, asked after a failure
            try:
                found = step(self, function, backward)
            except Exception as error:
                errors.append(f"{type(error).__name__}: {str(error).splitlines()[0]}")
                raise
            results.append({name: tensor.tolist() for name, tensor in found.tensors.items()})
            return found

        Stepper.step = noted
        run = RunOptions(training=training, gradients=training)
        spec = CaptureSpec(TargetSpec(target, folder), run=run)
        if observed == "yes":
            try:
                make_capture(spec, "capture-1", lambda text: None)
            except EngineError:
                assert errors  # the program's own, with and without torch.compile
        else:
            forget_compiled_code()
            torch._inductor.config.fx_graph_cache = False
            torch._functorch.config.enable_autograd_cache = False
            program = load_program(spec.target)
            set_mode(program, spec.run)
            torch.manual_seed(0)
            try:
                Stepper(program, spec.run).step(torch.compile(program.callable))
            except Exception:
                pass
        calls = Path(os.environ["CALLS"]).read_text()
        told = {"code": texts, "results": results, "errors": errors, "calls": calls}
        with open(out, "a") as file:
            file.write(json.dumps([f"{target} {training}", told]) + chr(10))
"""


def _run(observed: str, out: Path, modes: str, targets: tuple[str, ...]) -> dict[str, Any]:
    root = Path(__file__).parents[4]
    done = ran(
        [sys.executable, "-c", _RUN, observed, str(out), str(_PROGRAMS), modes, *targets],
        root,
        {
            **os.environ,
            "PYTHONPATH": os.pathsep.join(filter(None, (str(root), os.environ.get("PYTHONPATH")))),
        },
    )
    assert done.returncode == 0, done.stderr[-3000:]
    return dict(map(json.loads, out.read_text().splitlines()))


def _same(folder: Path, modes: str, targets: tuple[str, ...]) -> dict[str, Any]:
    """What the programs do without the loupe, once it is seen that they do it with the loupe too."""
    plain, observed = (_run(how, folder / how, modes, targets) for how in ("no", "yes"))
    assert len(plain) == len(modes) * len(targets)
    for name, reported in plain.items():
        # a double backward: torch 2.15 leaves it to eager, older torch compiles the forward and refuses it
        assert reported["code"] or name.startswith("double_backward"), name
        for what, value in reported.items():
            assert observed[name][what] == value, (name, what)
    return plain


@pytest.mark.thorough
def test_programs_do_the_same_with_and_without_the_loupe(tmp_path: Path) -> None:
    plain = _same(tmp_path, "1", _QUICK)
    assert plain["counting.py:Net True"]["calls"] == "net 1\n"


@pytest.mark.thorough
def test_more_programs_do_the_same_with_and_without_the_loupe(tmp_path: Path) -> None:
    plain = _same(tmp_path, "1", tuple(target for target in _TARGETS if target not in _QUICK))
    double = plain["double_backward.py:Wgan True"]
    assert bool(double["code"]) == bool(double["errors"])


@pytest.mark.thorough
def test_programs_without_gradients_do_the_same_too(tmp_path: Path) -> None:
    _same(tmp_path, "0", _STATES)


@pytest.mark.slow
def test_every_program_does_the_same_without_gradients(tmp_path: Path) -> None:
    """The others have their peculiarity in the backward."""
    _same(tmp_path, "0", tuple(target for target in _TARGETS if target not in _STATES))


def _spec(name: str) -> CaptureSpec:
    return CaptureSpec(TargetSpec(name, str(_PROGRAMS)), run=RunOptions(training=True))


@pytest.mark.thorough
def test_a_backward_is_shown_where_the_program_asked_for_one() -> None:
    live = make_capture(_spec("unasked.py:Net"), "capture-1", lambda text: None)
    backward = [stage.id for stage in live.capture.of_kind(StageKind.WRAPPER) if ":backward:" in stage.id]
    assert [stage.partition(":")[0] for stage in backward] == ["1/0"], backward


@pytest.mark.thorough
def test_what_runs_later_begins_where_the_capture_began(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("CALLS", str(tmp_path / "calls"))
    edited = EditedProgram(make_capture(_spec("counting.py:Net"), "capture-1", lambda text: None))
    stepper = edited.base.stepper
    one, two = (stepper.compared_step(edited.base.compiled).tensors for _ in range(2))
    eager = stepper.compared_step(edited.base.program.callable).tensors
    assert all(one[name].equal(two[name]) for name in one)
    assert all(one[name].allclose(eager[name], atol=1e-5) for name in eager)
    assert (tmp_path / "calls").read_text() == "net 1\n" * 4


@pytest.mark.thorough
def test_a_backward_in_another_thread_is_shown_again_and_again() -> None:
    for _ in range(2):  # the second time torch has it in its cache
        live = make_capture(_spec("threaded.py:step"), "capture-1", lambda text: None)
        shown = {stage.id for stage in live.capture.of_kind(StageKind.WRAPPER)}
        assert shown == {"0/0:forward:wrapper", "0/0:backward:wrapper"}
        assert [phase.name for phase in live.capture.phases].count("GraphLowering.run") == 2


@pytest.mark.thorough
def test_an_edited_graph_can_be_asked_for_gradients_twice_too() -> None:
    edited = EditedProgram(make_capture(_spec("retain_graph.py:step"), "capture-1", lambda text: None))
    node = next(node for node in edited.base_graph("0/0:dynamo", ()).nodes if "tanh" in node.target)
    to_sine = ReplaceTarget("0/0:dynamo", node.id, "call_function", "torch.sin", node.args)
    edited.recompile((to_sine,), "capture-2", lambda text: None)
    wrappers = {stage.id for stage in edited.base.capture.of_kind(StageKind.WRAPPER)}
    assert wrappers == {"0/0:forward:wrapper", "0/0:backward:wrapper"}
    edited.base.stepper.compared_step(edited.base.compiled)
