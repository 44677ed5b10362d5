"""``python -m tests.links.failing FOLDER``: programs that were once told wrong things, each asked again for just that. A table;
exit status 1 where something is wrong.
"""

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import torch

from compiler.analysis.session_file.session_file import read_session
from compiler.engine.capture.capture import make_capture
from compiler.model.capture.capture import Capture
from compiler.model.capture.capture_spec import CaptureSpec, RunOptions, TargetSpec
from compiler.model.ir.diagnostics import Severity
from compiler.model.ir.ids import place
from compiler.model.ir.links import Provenance
from compiler.model.ir.stage import BytecodeStage, StageKind
from compiler.model.session_file.checks import consistent
from tests.helpers.finished_process import ran
from tests.links.package_programs.times import plain_ratio, said_ratio

_TREE = Path(__file__).resolve().parents[2]
Faults = Iterator[str]


def _captured(folder: Path, target: str, training: bool = False) -> Capture:
    spec = CaptureSpec(TargetSpec(target, str(folder)), run=RunOptions(training=training, gradients=training))
    return make_capture(spec, "capture-1", lambda text: None).capture


def _loupe(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    """The command, as a person gives it."""
    command = [sys.executable, "-m", "app", *words]
    return ran(command, folder, _environment())


def _environment() -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": str(_TREE)}


def _contradictions(capture: Capture) -> Faults:
    yield from (f"contradiction: {fault}" for fault in consistent(capture)[1])
    yield from (
        f"told as an error: {problem.what}"
        for problem in capture.problems
        if problem.severity is Severity.ERROR
    )


def _on_their_lines(capture: Capture) -> Faults:
    """Each node's instruction is on the line that Dynamo wrote down for the node, and the node reaches that line."""
    links, found = Provenance(capture.links), 0
    lines = {
        stage.id: {item.id: item.line for item in stage.content.code.instructions}
        for stage in capture.stages
        if isinstance(stage.content, BytecodeStage) and stage.kind is StageKind.BYTECODE
    }
    for stage in capture.of_kind(StageKind.DYNAMO_GRAPH):
        for node in stage.graph.nodes if stage.graph is not None else ():
            own = {line.line for line in node.stack}
            for name, items in links.ancestors(place(stage.id, node.id)).items():
                for item in items if own and name in lines else ():
                    found += 1
                    if lines[name][item] not in own:
                        yield f"{node.id} is linked to an instruction of line {lines[name][item]}, not {own}"
    if not found:
        yield "no node has an instruction"


def _all_linked(capture: Capture) -> Faults:
    yield from _contradictions(capture)
    links, kernels = Provenance(capture.links), 0
    for stage in capture.stages:
        for kernel in stage.kernels:
            kernels += 1
            above = links.ancestors(place(stage.id, kernel.id))
            if not any(name.startswith("source:") for name in above):
                yield f"{kernel.id} reaches no line"
    if not kernels:
        yield "there is no kernel"


def _shifted(file: str) -> Callable[[Path], Faults]:
    """As written; as read back from a session file; and when the file was changed in between."""

    def check(folder: Path) -> Faults:
        yield from _on_their_lines(_captured(folder, f"{file}:run"))
        done = _loupe(folder, "capture", f"{file}:run", "-o", "a.loupe")
        if done.returncode or (shown := _loupe(folder, "show", "a.loupe")).returncode:
            yield f"the session: {done.stderr or shown.stderr}"
            return
        data = read_session(folder / "a.loupe")
        yield from (f"left out of the session: {fault}" for fault in data.left_out)
        yield from _on_their_lines(data.captures[0])
        path = folder / file
        path.write_text(f"# one more line\n{path.read_text()}")
        yield from _on_their_lines(_captured(folder, f"{file}:run"))

    return check


def _linked(target: str, training: bool = False) -> Callable[[Path], Faults]:
    def check(folder: Path) -> Faults:
        file, _, name = target.partition(":")
        refusal, _ = _refused_by_torch(folder, f"p.{name}" if "hops" in file else f"p.{name}()", file)
        capture = _captured(folder, target, training)
        if not refusal:
            yield from _all_linked(capture)
        elif not any(refusal in problem.what for problem in capture.problems):
            yield f"torch says “{refusal}”, which is not told"

    return check


def _refused_by_torch(folder: Path, made: str, file: str, then: str = "") -> tuple[str, int]:
    """What torch.compile says without us of a program that it does not take, empty for one that it takes; and how many
    modules it generated.
    """
    text = (
        f"import torch, {file.removesuffix('.py')} as p\n"
        "from torch._inductor.graph import GraphLowering\n"
        "written = []\n"
        "GraphLowering.save_output_code = staticmethod(written.append)\n"
        "torch._inductor.config.fx_graph_cache = False\n"
        "torch._functorch.config.enable_autograd_cache = False\n"
        "torch.manual_seed(0)\n"
        "refusal = ''\n"
        f"try:\n    torch.compile({made})(*p.example_inputs()){then}\n"
        "except Exception as error:\n    refusal = str(error).splitlines()[0]\n"
        "print(len(written), refusal)"
    )
    plain = ran([sys.executable, "-c", text], folder, check=True)
    count, _, refusal = plain.stdout.strip().splitlines()[-1].partition(" ")
    return refusal, int(count)


def _retain_graph(folder: Path) -> Faults:
    capture = _captured(folder, "retain_graph.py:step", training=True)
    yield from _contradictions(capture)
    if not any(stage.part == "backward" for stage in capture.stages):
        yield "the backward that the program asks for is not shown"


def _double_backward(folder: Path) -> Faults:
    """What plain torch.compile refuses is reported with torch's words, and what is shown is what it generated."""
    refusal, modules = _refused_by_torch(
        folder, "p.Wgan().train()", "double_backward.py", ".sum().backward()"
    )
    capture = _captured(folder, "double_backward.py:Wgan", training=True)
    reported = " ".join(f"{problem.what} {problem.detail}" for problem in capture.problems)
    if refusal and refusal not in reported:
        yield f"torch says “{refusal}”, which is not told"
    if (shown := len(capture.of_kind(StageKind.WRAPPER))) != modules:
        yield f"{shown} generated modules are shown, without us there are {modules}"
    if not refusal:
        yield from _contradictions(capture)


def _stateful(folder: Path) -> Faults:
    """The program counts its calls and multiplies by 1 + calls / 2: 1.5 and 2.0 where it was called once, and not before."""
    capture = _captured(folder, "stateful.py:Stateful", training=True)
    text = repr([stage.graph for stage in capture.of_kind(StageKind.DYNAMO_GRAPH)])
    missing = [number for number in ("1.5", "2.0") if f"text='{number}'" not in text]
    later = [number for number in ("2.5", "3.0") if f"text='{number}'" in text]
    if missing or later:
        yield f"not of the first call: {missing} are missing, {later} are there"


def _attention(folder: Path) -> Faults:
    made = _loupe(folder, "capture", "sdpa_postgrad.py:Net", "--no-grad", "-o", "a.loupe")
    if made.returncode:
        yield made.stderr
        return
    done = _loupe(folder, "edit", "a.loupe", "--edits", "sdpa_postgrad.json", "-o", "b.loupe", "--json")
    if done.returncode:
        yield done.stderr
        return
    rows = json.loads(done.stdout)["verdict"]["comparisons"]
    if not any(row.get("agrees") for row in rows):
        yield f"not judged: {rows}"


def _no_random_numbers(target: str) -> Callable[[Path], Faults]:
    def check(folder: Path) -> Faults:
        done = _loupe(folder, "compare-front-ends", target, "--eval", "--no-timing")
        if done.returncode:
            yield done.stderr
        for line in done.stdout.splitlines():
            if "andom" in line and "in train mode" not in line:  # only there is dropout
                yield f"nothing is random, and it says: {line.strip()}"

    return check


def _time(folder: Path) -> Faults:
    """The interval that is said and the one measured without us overlap."""
    said = said_ratio(f"{folder}/weightnorm_time_wrong.py:Net", folder)
    plain = plain_ratio(folder, "weightnorm_time_wrong", "Net")
    if said["said"][2] < plain[1] or plain[2] < said["said"][1]:
        yield f"said {said['sentence']}; measured without us {plain}"


CHECKS: dict[str, Callable[[Path], Faults]] = {
    "checkpointing_unlinked.py": _linked("checkpointing_unlinked.py:Net", training=True),
    **{
        f"hops_unlinked.py:{name}": _linked(f"hops_unlinked.py:{name}")
        for name in ("cond", "scanned", "looped", "assoc")
    },
    **{file: _shifted(file) for file in ("extended_arg_shift.py", "is_none_shift.py", "is_none_shift3.py")},
    "retain_graph.py": _retain_graph,
    "double_backward.py": _double_backward,
    "stateful.py": _stateful,
    "sdpa_postgrad.py": _attention,
    "fe_python_wrong_reason.py": _no_random_numbers("fe_python_wrong_reason.py:run"),
    "fe_state_wrong_reason.py": _no_random_numbers("fe_state_wrong_reason.py:Net"),
    "weightnorm_time_wrong.py": _time,
}


def faults_of(name: str, programs: Path) -> list[str]:
    """What is still told wrong of a program, in a copy of the folder."""
    with tempfile.TemporaryDirectory() as folder:
        here = Path(folder)
        for file in programs.iterdir():
            shutil.copyfile(file, here / file.name)
        try:
            return list(CHECKS[name](here))
        except Exception as error:
            return [f"{type(error).__name__}: {error}"]


def main(programs: Path) -> int:
    """One process a program; prints a row each."""
    wrong = 0
    for name in CHECKS:
        command = [sys.executable, "-m", "tests.links.failing", str(programs), name]
        done = ran(command, _TREE, _environment())
        found = re.findall(r"^FAULT (.*)$", done.stdout, re.M)
        if done.returncode and not found:
            found = [f"ended with {done.returncode}: {done.stderr[-300:]}"]
        wrong += bool(found)
        print(f"{name:<34}{'right' if not found else '; '.join(found)[:400]}", flush=True)
    print(f"{len(CHECKS) - wrong} of {len(CHECKS)} right, torch {torch.__version__}")
    return int(bool(wrong))


if __name__ == "__main__":
    folder, *names = sys.argv[1:]
    if not names:
        sys.exit(main(Path(folder).resolve()))
    reported = faults_of(names[0], Path(folder).resolve())
    print("\n".join(f"FAULT {fault}" for fault in reported).replace("\n ", " "))
    sys.exit(int(bool(reported)))
