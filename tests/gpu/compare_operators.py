"""What we cross-compile of torch's operators against a recording of `tests.gpu.operators`."""

import json
import lzma
import os
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any, NoReturn

import torch

from compiler.model.capture.capture_spec import CaptureSpec, RunOptions, TargetSpec
from compiler.model.ir.diagnostics import Severity
from compiler.model.ir.gpu_target import find_target
from compiler.model.ir.stage import WrapperStage
from compiler.worker import fake_gpu_setup
from tests.gpu.__main__ import Compared, assumed_of, clean, compare_texts
from tests.gpu.each_in_a_process import EachInAProcess
from tests.gpu.operators import cases, parsed


def _prepared(gpu: str) -> Callable[[dict[str, Any]], list[str]]:
    """This process seems to have that GPU from now on; gives what compiles a case in a fork of it."""
    target = find_target(gpu)
    problem = fake_gpu_setup.pretend(target)
    assert problem is None, problem
    from compiler.engine.cross_compile.fake_capture import capture_on_fakes
    from compiler.worker.child.only_compiling import only_compile

    def compiled(asked: dict[str, Any]) -> list[str]:
        case = parsed(asked["key"])
        assume = assumed_of(asked["src"])
        only_compile(target, dict(assume))
        with tempfile.TemporaryDirectory() as folder:
            os.environ["TORCHINDUCTOR_CACHE_DIR"] = folder
            written = f"from tests.gpu.operators import Case, OperatorProgram\nnet = OperatorProgram(Case{tuple(case)!r}, {asked['only']!r})\n"
            Path(folder, "operator_case.py").write_text(f"{written}\ndef example_inputs():\n    return ()\n")
            spec = CaptureSpec(
                TargetSpec("operator_case.py:net", folder),
                run=RunOptions(case.trains, gradients=case.trains),
                device=target,
                assume=assume,
            )
            live = capture_on_fakes(spec, "capture-1", lambda text: None)
        failed = [
            problem.message() for problem in live.capture.problems if problem.severity is not Severity.NOTE
        ]
        if failed:
            raise RuntimeError(failed[0])
        return [
            stage.content.code.text
            for stage in live.capture.stages
            if isinstance(stage.content, WrapperStage)
        ]

    return compiled


def compare(path: Path, gpu: str, names: list[str], count: int) -> NoReturn:
    """Compile each recorded case in a fork of this process; a line for each that differs. Status 1 where one does."""
    recording: dict[str, Any] = json.loads(lzma.decompress(path.read_bytes()))
    print(f"recorded with torch {recording.pop('v')}, emulated {gpu} with torch {torch.__version__}")
    recording.pop("gpu", None)
    compiled = _prepared(gpu)
    known = {case.key for case in cases(names)}
    work = [key for key, found in recording.items() if key in known and "src" in found]
    failing = sum("error" in found for found in recording.values())

    def run(key: str) -> dict[str, Any]:
        quiet = os.open(os.devnull, os.O_WRONLY)
        os.dup2(quiet, 1)
        os.dup2(quiet, 2)
        try:
            return {"src": compiled(recording[key] | {"key": key})}
        except BaseException as failed:
            return {"error": f"{type(failed).__name__}: {str(failed)[:1500]}"}

    rows: list[Compared] = []
    differing = 0
    for key, found in EachInAProcess(work, count, run, anew=False):
        theirs = [clean(text) for text in recording[key]["src"]]
        row = compare_texts(key, theirs, [clean(text) for text in found.get("src", ())])
        rows.append(row)
        if (row.same_kernels, row.same_wrappers) != (row.kernels, row.wrappers) or "error" in found:
            differing += 1
            print(
                f"  {key} kernels {row.same_kernels}/{row.kernels}, whole wrappers {row.same_wrappers}/{row.wrappers}",
                flush=True,
            )
            print((found.get("error") or row.difference)[:1500])
    print(f"{len(work)} cases ({failing} failed on the GPU), {differing} differ")
    same, kernels = sum(row.same_kernels for row in rows), sum(row.kernels for row in rows)
    whole, wrappers = sum(row.same_wrappers for row in rows), sum(row.wrappers for row in rows)
    print(f"kernels of identical text: {same} of {kernels}; whole wrappers: {whole} of {wrappers}")
    sys.stdout.flush()
    os._exit(int(bool(differing)))  # C++ still points at what we pretend with
