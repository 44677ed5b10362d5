"""Programs of a large table, cross-compiled one by one in forks of a process that has everything loaded: against a recording of a real
GPU, or for what their captures are like.
"""

import importlib
import json
import lzma
import math
import os
import platform
import sys
import tempfile
import traceback
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any, NamedTuple, NoReturn

import msgspec
import torch

from compiler.analysis.session_file.session_file import SessionData, read_session, write_session
from compiler.model.capture import padding_record
from compiler.model.capture.capture import Capture
from compiler.model.capture.capture_spec import CaptureSpec, CompileOptions, RunOptions, TargetSpec
from compiler.model.capture.gpu_assumptions import PADDING
from compiler.model.ir.diagnostics import Severity
from compiler.model.ir.gpu_target import find_target
from compiler.model.ir.ids import place
from compiler.model.ir.links import Provenance
from compiler.model.ir.stage import StageKind
from compiler.model.prediction.parallel_plan import ParallelPlan, StepOptions
from compiler.model.session_file.checks import consistent
from compiler.worker import fake_gpu_setup
from tests.gpu.__main__ import ABOUT, Compared, clean, compare_texts, wrappers_of
from tests.gpu.each_in_a_process import EachInAProcess
from tests.gpu.recorded_padding import as_recorded

_MODULE = "written_case"


class Written(NamedTuple):
    """A case as a module's text, which defines `net` and `example_inputs`."""

    text: str
    trains: bool
    options: tuple[tuple[str, Any], ...] = ()
    """Of torch.compile."""


def _spread() -> dict[str, Any]:
    """Of a spec: one rank of the ``MESH`` in the environment (``dp=8``), with a step; ``DATA`` says how (``fsdp``, ``ddp``)."""
    mesh = tuple((name, int(size)) for name, _, size in (row.partition("=") for row in os.environ.get("MESH", "").split(",")) if name)  # fmt: skip
    if not mesh:
        return {}
    world = math.prod(size for _, size in mesh)
    plan = ParallelPlan(world, mesh, data=os.environ.get("DATA", "fsdp"))
    return {"parallel": plan, "step": StepOptions("adamw")}


def _prepared(
    gpu: str, ahead: Iterable[str]
) -> Callable[[Written, tuple[tuple[str, str], ...], str], Capture]:
    """This process seems to have that GPU from now on, and has the modules `ahead`; gives what captures a case in a fork of it, in a
    folder.
    """
    target = find_target(gpu)
    problem = fake_gpu_setup.pretend(target)
    assert problem is None, problem
    from compiler.engine.cross_compile.fake_capture import capture_on_fakes
    from compiler.worker.child.only_compiling import only_compile

    for module in ahead:
        importlib.import_module(module)

    def captured(case: Written, assume: tuple[tuple[str, str], ...], folder: str) -> Capture:
        only_compile(target, dict(assume))
        os.environ["TORCHINDUCTOR_CACHE_DIR"] = folder
        Path(folder, f"{_MODULE}.py").write_text(case.text)
        spec = CaptureSpec(
            TargetSpec(f"{_MODULE}.py:net", folder),
            run=RunOptions(case.trains, gradients=case.trains),
            compile=CompileOptions(mode=os.environ.get("COMPILE_MODE") or None, options=case.options),
            device=target,
            assume=assume,
            **_spread(),
        )
        return capture_on_fakes(spec, "capture-1", lambda text: None).capture

    return captured


def _in_a_fork(run: Callable[[], Capture], folder: str) -> Capture:
    """What is assumed holds for good in a process."""
    answer = Path(folder, "answer")
    child = os.fork()
    if child == 0:
        try:
            answer.write_bytes(msgspec.msgpack.encode((None, run())))
        except BaseException:  # told by the parent
            answer.write_bytes(msgspec.msgpack.encode((traceback.format_exc()[-1500:], None)))
        finally:
            os._exit(0)
    os.waitpid(child, 0)
    failed, capture = msgspec.msgpack.decode(answer.read_bytes(), type=tuple[str | None, Capture | None])
    if capture is None:
        raise RuntimeError(failed)
    return capture


def _reported(capture: Capture) -> list[str]:
    return [problem.message() for problem in capture.problems if problem.severity is not Severity.NOTE]


def _quietly(run: Callable[[], dict[str, Any]]) -> dict[str, Any]:
    quiet = os.open(os.devnull, os.O_WRONLY)
    os.dup2(quiet, 1)
    os.dup2(quiet, 2)
    try:
        return run()
    except BaseException as failed:
        where = traceback.format_exc()[-600:]
        return {"error": f"{type(failed).__name__}: {str(failed)[:1500]}\n{where}"}


def compare(
    path: Path,
    gpu: str,
    wanted: Callable[[str], bool],
    written: Callable[[str, Any], Written],
    count: int,
    ahead: Iterable[str] = (),
) -> NoReturn:
    """Compile each recorded case in a fork of this process, which has the modules `ahead`; a line for each that differs, and for each
    that failed on the GPU and is not told to fail here. Status 1 where there is one.
    """
    recording: dict[str, Any] = json.loads(lzma.decompress(path.read_bytes()))
    release, theirs = recording.pop("v"), recording.get("python", "unknown")
    print(f"recorded with torch {release}, Python {theirs}")
    print(f"emulated {gpu} with torch {torch.__version__}, Python {platform.python_version()}")
    for about in ABOUT:
        recording.pop(about, None)
    captured = _prepared(gpu, ahead)
    work = [key for key, found in recording.items() if wanted(key)]
    failing = {key: recording[key]["error"] for key in work if "error" in recording[key]}

    def texts(key: str) -> dict[str, Any]:
        found = recording[key]

        def once(assume: tuple[tuple[str, str], ...]) -> Capture:
            with tempfile.TemporaryDirectory() as folder:
                return _in_a_fork(lambda: captured(written(key, found), assume, folder), folder)

        if "padded" in found:
            decided = {padding_record.product_of(key): value for key, value in found["padded"].items()}
            capture = once(((PADDING, padding_record.written("the recording", decided)),))
        elif key in failing:
            capture = once(())
        else:
            capture = as_recorded(found["src"], once)
        if capture is not None and (failed := _reported(capture)):
            raise RuntimeError(failed[0])
        return {"src": wrappers_of(capture)}

    found = EachInAProcess(work, count, lambda key: _quietly(lambda: texts(key)), fresh=False)
    good = _reported(recording, failing, found)
    sys.stdout.flush()
    os._exit(int(not good))  # C++ still points at what we pretend with


def _reported(
    recording: Mapping[str, Any], failing: Mapping[str, str], cases: Iterable[tuple[str, dict[str, Any]]]
) -> bool:
    """A line for each that differs, and the totals. Whether none does."""
    rows: list[Compared] = []
    differing, unreported = 0, 0
    for key, found in cases:
        if key in failing:
            if "error" not in found:
                unreported += 1
                print(f"  {key} failed on the GPU, and is not told to fail here: {failing[key]}", flush=True)
            continue
        theirs = [clean(text) for text in recording[key]["src"]]
        row = compare_texts(key, theirs, [clean(text) for text in found.get("src", ())])
        rows.append(row)
        same = (row.same_kernels, row.same_wrappers, row.more) == (row.kernels, row.wrappers, 0)
        if not same or "error" in found:
            differing += 1
            print(f"  {key} {row.counts}", flush=True)
            print((found.get("error") or row.difference)[:1500])
    print(
        f"{len(rows)} cases, {differing} differ; {len(failing)} failed on the GPU, {unreported} of them not here"
    )
    same, kernels = sum(row.same_kernels for row in rows), sum(row.kernels for row in rows)
    whole, wrappers = sum(row.same_wrappers for row in rows), sum(row.wrappers for row in rows)
    commented, more = sum(row.but_for_comments for row in rows), sum(row.more for row in rows)
    print(
        f"kernels of identical text: {same} of {kernels}; whole wrappers: {whole} of {wrappers}, {commented} more but for comments, "
        f"{more} only here"
    )
    return not differing and not unreported


def look_at(
    work: list[str],
    gpu: str,
    written: Callable[[str], Written],
    out: Path,
    count: int,
    ahead: Iterable[str] = (),
) -> NoReturn:
    """Capture each case in a fork of this process: how many kernels and nodes are linked, whether the capture contradicts itself and
    reads back from its file, what was reported; into a file of JSON, and the totals.
    """
    captured = _prepared(gpu, ahead)

    def looked(key: str) -> dict[str, Any]:
        with tempfile.TemporaryDirectory() as folder:
            capture = captured(written(key), (), folder)
            file = Path(folder, "case.loupe")
            write_session(file, SessionData(captures=(capture,)))
            read = read_session(file)
        return _links(capture) | {
            "faults": list(consistent(capture)[1][:5]),
            "problems": [text[:300] for text in _reported(capture)],
            "same": read.captures[0] == capture and not read.left_out,
        }

    found: dict[str, Any] = {}
    for key, row in EachInAProcess(work, count, lambda key: _quietly(lambda: looked(key)), fresh=False):
        found[key] = row
        if len(found) % 20 == 0:
            print(len(found), len(work), flush=True)
        out.write_text(json.dumps(found))
    whole = [row for row in found.values() if "error" not in row]
    totals = {name: sum(row[name] for row in whole) for name in ("kernels", "reached", "nodes", "linked")}
    print(f"{len(found)} cases, {len(found) - len(whole)} failed; {totals}")
    print(sum(bool(row["faults"]) for row in whole), "contradict themselves")
    print(sum(bool(row["problems"]) for row in whole), "report a problem")
    print(sum(not row["same"] for row in whole), "read back otherwise")
    sys.stdout.flush()
    os._exit(0)


def _links(capture: Capture) -> dict[str, Any]:
    links = Provenance(capture.links)
    kernels, lost = 0, []
    nodes, lone = 0, []
    for stage in capture.stages:
        for kernel in stage.kernels:
            kernels += 1
            if not any(name.startswith("source:") for name in links.ancestors(place(stage.id, kernel.id))):
                lost.append(f"{stage.id}:{kernel.id}")
        graph = None if stage.kind is StageKind.DYNAMO_GRAPH else stage.graph
        for node in graph.nodes if graph is not None else ():
            if node.op in ("output", "placeholder", "get_attr"):
                continue
            nodes += 1
            if not links.ancestors(place(stage.id, node.id)):
                lone.append(f"{stage.id}:{node.id}")
    return {
        "kernels": kernels,
        "reached": kernels - len(lost),
        "nodes": nodes,
        "linked": nodes - len(lone),
        "lost": lost[:10],
        "lone": lone[:10],
    }
