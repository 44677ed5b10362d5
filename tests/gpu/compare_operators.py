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
from tests.gpu.__main__ import _KERNEL, _PADDED, _clean, _difference
from tests.gpu.each_in_a_process import EachInAProcess
from tests.gpu.operators import cases, parsed


def _prepared(gpu: str) -> Callable[[dict[str, Any]], list[str]]:
    """This process seems to have that GPU from now on; gives what compiles a case in a fork of it."""
    target = find_target(gpu)
    problem = fake_gpu_setup.pretend(target)
    assert problem is None, problem
    from compiler.engine.cross_compile.fake_capture import capture_on_fakes
    from compiler.engine.torch_internals.fake_gpu import (
        constants_on_gpu,
        library_operators,
        measured_choices,
        operators_of_cuda,
    )
    from compiler.engine.torch_internals.inductor_kernels import unbuilt_cpp
    from compiler.engine.torch_internals.triton import unbuilt_triton

    unbuilt_triton.install()
    unbuilt_cpp.install()
    constants_on_gpu.install()
    operators_of_cuda.install()
    library_operators.install(target)

    def compiled(asked: dict[str, Any]) -> list[str]:
        case = parsed(asked["key"])
        padded = any(_PADDED in text for text in asked["src"])
        assume = (("padding", "yes"),) if padded else ()
        measured_choices.install(target, dict(assume))
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

    same = total = whole = wrappers = 0
    differing: dict[str, str] = {}
    for key, found in EachInAProcess(work, count, run, anew=False):
        theirs = [_clean(text) for text in recording[key]["src"]]
        ours = [_clean(text) for text in found.get("src", ())]
        mine = {kernel: text for wrapper in ours for kernel, text in _KERNEL.findall(wrapper)}
        want = {kernel: text for wrapper in theirs for kernel, text in _KERNEL.findall(wrapper)}
        equal = sum(mine.get(kernel) == text for kernel, text in want.items())
        same, total = same + equal, total + len(want)
        alike = sum(text in ours for text in theirs)
        whole, wrappers = whole + alike, wrappers + len(theirs)
        if equal != len(want) or alike != len(theirs) or "error" in found:
            differing[key] = found.get("error") or _difference(ours, theirs)
            print(f"  {key} kernels {equal}/{len(want)}, whole wrappers {alike}/{len(theirs)}", flush=True)
            print(differing[key][:1500])
    print(f"{len(work)} cases ({failing} failed on the GPU), {len(differing)} differ")
    print(f"kernels of identical text: {same} of {total}; whole wrappers: {whole} of {wrappers}")
    sys.stdout.flush()
    os._exit(int(bool(differing)))  # C++ still points at what we pretend with
