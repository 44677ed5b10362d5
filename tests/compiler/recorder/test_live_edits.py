"""A graph of a running program is edited between two of its steps, and taken back; what cannot be done changes nothing."""

import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

from compiler.analysis.running.lanes import Lane
from compiler.analysis.running.listener import Listener
from compiler.installation import python_path
from compiler.model.capture.capture import Capture
from compiler.model.edits.edits import ChooseFusion, Edit, ReplaceKernel, ReplaceTarget, ReplaceWrapper
from compiler.model.ir.diagnostics import Problem
from compiler.model.ir.graph import Node
from compiler.model.ir.loop_ir import Kernel
from compiler.model.ir.stage import StageKind
from compiler.model.protocol.frames import FrameReader, FrameWriter
from compiler.model.protocol.messages import (
    Event,
    Failure,
    ListOps,
    MakeCapture,
    Message,
    Preview,
    PreviewEdits,
    Recompile,
    Recompiled,
    Reply,
    Request,
    RequestBody,
)
from compiler.model.protocol.run_events import FollowRun
from compiler.processes.recorded_program import recorded_environment

pytestmark = pytest.mark.engine

_PROGRAM = """
import sys, time, torch
torch.manual_seed(0)
class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.first, self.last = torch.nn.Linear(8, 8), torch.nn.Linear(8, 1)
    def forward(self, x, f=torch.relu):
        return self.last(torch.nn.functional.layer_norm(f(self.first(x)), (8,)))
net = Net()
step = torch.compile(net)
x = torch.randn(4, 8)
while True:
    out = step(x)
    net.zero_grad()
    out.sum().backward()
    same = [bool(torch.allclose(out, net(x, f), atol=1e-6)) for f in (torch.relu, torch.nn.functional.gelu)]
    mine = [p.grad.clone() for p in net.parameters()]
    for f in (torch.relu, torch.nn.functional.gelu):
        net.zero_grad()
        net(x, f).sum().backward()
        same.append(all(torch.allclose(a, p.grad, atol=1e-5) for a, p in zip(mine, net.parameters())))
    print(*same, flush=True)
    time.sleep(0.02)
"""
"""Prints whether result and gradients are those with relu, and with gelu."""
_RELU, _GELU = "True False True False", "False True False True"
_PATIENCE = 200.0


class Run:
    """The program, and somebody who follows it and asks."""

    def __init__(self, folder: Path, editable: bool = True, program: str = _PROGRAM) -> None:
        self._listener = Listener(folder)
        path = folder / "train.py"
        path.write_text(program)
        environment = recorded_environment(self._listener.place, False, editable=editable)
        shim = environment["PYTHONPATH"].split(os.pathsep)[0]
        environment["PYTHONPATH"] = os.pathsep.join(
            (shim, python_path(None), os.environ.get("PYTHONPATH", ""))
        )
        self.out, self.err = folder / "out", folder / "err"
        with self.out.open("w") as out, self.err.open("w") as err:
            self.process = subprocess.Popen(
                [sys.executable, str(path)], stdout=out, stderr=err, env=environment
            )
        self._window = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self._window.connect(str(self._listener.place))
        self._window.settimeout(0.02)
        self._writer, self._reader = FrameWriter(), FrameReader()
        self._send(Event(FollowRun(0)))
        self.lane = Lane()
        self._answers: dict[int, Reply | Failure] = {}
        self._number = 0

    def _send(self, message: Message) -> None:
        self._window.sendall(self._writer.encode(message))

    def turn(self) -> None:
        """Let everybody say what there is to say."""
        self._listener.wait(0.02, lambda _: None)
        try:
            data = self._window.recv(1 << 20)
        except TimeoutError:
            return
        for message in self._reader.feed(data):
            if isinstance(message, Event):
                self.lane.take(message.body)
            elif isinstance(message, Reply | Failure):
                self._answers[message.id] = message

    def until_compiled(self, part: str = "backward") -> None:
        """This part, the last of the program, was compiled, and told."""
        began = time.monotonic()
        while self.lane.capture is None or not any(
            f":{part}:" in stage.id for stage in self.lane.capture.stages
        ):
            self.turn()
            assert time.monotonic() - began < _PATIENCE, self.err.read_text()
            assert self.process.poll() is None, self.err.read_text()

    def ask(self, body: RequestBody) -> Reply | Failure:
        self._number += 1
        number = self._number
        self._send(Request(number, body))
        began = time.monotonic()
        while number not in self._answers:
            self.turn()
            assert time.monotonic() - began < _PATIENCE, self.err.read_text()
            assert self.process.poll() is None, self.err.read_text()
        return self._answers.pop(number)

    def lines_from_now(self, count: int = 3) -> list[str]:
        """What the program prints from its second step from now on."""
        before = len(self.out.read_text().splitlines())
        began = time.monotonic()
        while len(found := self.out.read_text().splitlines()[before + 1 : -1]) < count:
            self.turn()
            assert time.monotonic() - began < _PATIENCE
        return found

    def end(self) -> None:
        self.process.kill()
        self.process.wait()
        self._window.close()
        self._listener.close()


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Run]:
    made = Run(tmp_path_factory.mktemp("run"))
    try:
        made.until_compiled()
        yield made
    finally:
        made.end()


def _stage(run: Run, kind: StageKind, part: str = "") -> str:
    return next(stage.id for stage in run.lane.capture.of_kind(kind) if part in stage.id)


def _node(run: Run, stage: str, target: str) -> Node:
    graph = next(row.graph for row in run.lane.capture.stages if row.id == stage)
    return next(node for node in graph.nodes if target in node.target)


def _instead(run: Run, stage: str, old: str, new: str) -> tuple[Edit, ...]:
    node = _node(run, stage, old)
    return (ReplaceTarget(stage, node.id, "call_function", new, node.args),)


def _gelu(run: Run) -> tuple[Edit, ...]:
    return _instead(run, _stage(run, StageKind.DYNAMO_GRAPH), "relu", "torch.nn.functional.gelu")


def _recompiled(run: Run, edits: tuple[Edit, ...], made: str) -> Capture:
    answer = run.ask(Recompile("run", edits, made))
    assert isinstance(answer, Reply), answer
    assert isinstance(answer.body, Recompiled)
    assert answer.body.verdict is None  # nothing of the program is run to judge it
    return answer.body.capture


def _refused(run: Run, body: RequestBody) -> Problem:
    answer = run.ask(body)
    assert isinstance(answer, Failure), answer
    return answer.problem


def test_an_edit_is_compiled_into_the_running_program_and_taken_back(run: Run) -> None:
    assert set(run.lines_from_now()) == {_RELU}
    capture = _recompiled(run, _gelu(run), "capture-1")
    assert (capture.id, capture.parent) == ("capture-1", "run")
    assert set(run.lines_from_now()) == {_GELU}
    assert any("erf" in str(stage.content) for stage in capture.of_kind(StageKind.KERNELS))
    backward = next(row for row in run.lane.calls if row.graph == "0/0")
    assert backward.backward_calls > 0

    _recompiled(run, (), "capture-2")
    assert set(run.lines_from_now()) == {_RELU}
    assert [len(edit.edits) for edit in run.lane.edits] == [1, 0]
    assert run.lane.edits[0].waited > 0
    assert "gelu" in run.lane.edits[0].edits[0]


@pytest.mark.thorough
def test_backwards_of_what_was_edited_are_counted(run: Run) -> None:
    _recompiled(run, _gelu(run), "capture-3")
    before = next(row for row in run.lane.calls if row.graph == "0/0")
    run.lines_from_now(60)
    after = next(row for row in run.lane.calls if row.graph == "0/0")
    assert after.backward_calls > before.backward_calls
    assert abs((after.calls - before.calls) - (after.backward_calls - before.backward_calls)) <= 1
    _recompiled(run, (), "capture-4")


@pytest.mark.thorough
def test_what_fits_and_what_comes_of_it_is_asked_of_the_program(run: Run) -> None:
    stage = _stage(run, StageKind.DYNAMO_GRAPH)
    found = run.ask(ListOps("run", stage, _node(run, stage, "relu").id, ()))
    assert isinstance(found, Reply)
    assert "gelu" in str(found.body)
    preview = run.ask(PreviewEdits("run", _gelu(run)))
    assert isinstance(preview, Reply)
    assert isinstance(preview.body, Preview)
    assert preview.body.graphs
    assert not preview.body.problems


def test_an_edit_that_does_not_compile_changes_nothing(run: Run) -> None:
    wrong = _instead(run, _stage(run, StageKind.DYNAMO_GRAPH), "relu", "torch.nn.functional.not_there")
    assert "not_there" in str(_refused(run, Recompile("run", wrong, "capture-5")))
    assert set(run.lines_from_now()) == {_RELU}
    assert "Traceback" not in run.err.read_text()


def test_a_wrapper_and_what_would_run_the_program_are_refused(run: Run) -> None:
    wrapper = ReplaceWrapper(_stage(run, StageKind.WRAPPER, "forward"), "raise SystemExit", "")
    assert "wrapper is not changed" in _refused(run, Recompile("run", (wrapper,), "capture-6")).what
    assert "runs by itself" in _refused(run, MakeCapture(run.lane.capture.spec, "capture-7")).what
    assert set(run.lines_from_now()) == {_RELU}


@pytest.mark.thorough
def test_an_edit_of_the_post_grad_graph_of_one_half(run: Run) -> None:
    stage = _stage(run, StageKind.POST_GRAD_GRAPH, "forward")
    answer = run.ask(
        Recompile("run", _instead(run, stage, "relu", "torch.ops.aten.neg.default"), "capture-8")
    )
    assert isinstance(answer, Reply), answer
    assert not set(run.lines_from_now()) & {_RELU, _GELU}
    _recompiled(run, (), "capture-9")
    assert set(run.lines_from_now()) == {_RELU}


def _kernel(run: Run, part: str) -> tuple[str, Kernel]:
    stage = _stage(run, StageKind.KERNELS, part)
    return stage, next(kernel for kernel in run.lane.capture.stage(stage).kernels if kernel.source)


@pytest.mark.thorough
def test_the_text_of_a_kernel_is_changed_where_it_runs(run: Run) -> None:
    stage, kernel = _kernel(run, "forward")
    assert ".store(" in kernel.source
    silent = "\n".join(line for line in kernel.source.split("\n") if ".store(" not in line)
    _recompiled(run, (ReplaceKernel(stage, kernel.name, silent),), "capture-10")
    assert set(run.lines_from_now()) != {_RELU}  # it stores nothing now
    _recompiled(run, (), "capture-11")
    assert set(run.lines_from_now()) == {_RELU}


def test_a_kernel_that_fails_when_it_is_called_is_put_back(run: Run) -> None:
    stage, kernel = _kernel(run, "forward")
    start = kernel.source.index("{", kernel.source.index("void"))
    throws = f'{kernel.source[: start + 1]} throw std::runtime_error("planted"); {kernel.source[start + 1 :]}'
    problem = _refused(run, Recompile("run", (ReplaceKernel(stage, kernel.name, throws),), "capture-12"))
    assert "fails when it is called" in problem.what
    assert "planted" in str(problem)
    assert set(run.lines_from_now()) == {_RELU}


@pytest.mark.thorough
def test_a_fusion_is_forbidden(run: Run) -> None:
    for stage in run.lane.capture.of_kind(StageKind.FUSED_LOOP_IR):
        for node in stage.content.program.nodes:  # type: ignore[union-attr]
            if len(node.children) > 1:
                loops = stage.id.replace(":fused", ":loops")
                apart = ChooseFusion(loops, node.children[0], node.children[1], False)
                capture = _recompiled(run, (apart,), "capture-13")
                assert capture.stage(loops).content.program.choices  # type: ignore[union-attr]
                assert set(run.lines_from_now()) == {_RELU}
                _recompiled(run, (), "capture-14")
                return
    raise AssertionError("nothing is fused")


def _attach(run: Run, *words: str) -> "subprocess.CompletedProcess[str]":
    command = [sys.executable, "-P", "-m", "torch_loupe", "attach", str(run.process.pid), *words]
    environment = {**os.environ, "PYTHONPATH": python_path(None)}
    with subprocess.Popen(
        command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        while process.poll() is None:
            run.turn()
        out, err = process.communicate()
        return subprocess.CompletedProcess(command, process.returncode, out, err)


@pytest.mark.thorough
def test_edits_from_a_terminal(run: Run, tmp_path: Path) -> None:
    recipe = tmp_path / "gelu.json"
    recipe.write_bytes(msgspec.json.encode(_gelu(run)))
    done = _attach(run, "--edits", str(recipe))
    assert done.returncode == 0, done.stderr
    assert "runs with 1 edit from now on" in done.stdout
    assert set(run.lines_from_now()) == {_GELU}
    done = _attach(run, "--take-back")
    assert "runs what it compiled by itself" in done.stdout
    assert set(run.lines_from_now()) == {_RELU}
    wrong = _instead(run, _stage(run, StageKind.DYNAMO_GRAPH), "relu", "torch.nn.functional.not_there")
    recipe.write_bytes(msgspec.json.encode(wrong))
    done = _attach(run, "--edits", str(recipe))
    assert done.returncode == 1
    assert "not_there" in done.stderr


@pytest.mark.thorough
def test_a_program_that_was_not_started_for_it_says_so(tmp_path: Path) -> None:
    run = Run(tmp_path, editable=False)
    try:
        run.until_compiled()
        assert run.lane.began is not None
        assert not run.lane.began.editable
        assert "--editable" in _refused(run, Recompile("run", _gelu(run), "capture-1")).remedy
        assert set(run.lines_from_now()) == {_RELU}
    finally:
        run.end()
