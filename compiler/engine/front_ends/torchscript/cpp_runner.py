"""A saved TorchScript program loaded and run by a C++ program, which is built once for a torch and kept."""

import hashlib
import subprocess
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import torch
from torch.utils import _pytree as pytree

from compiler.engine.accuracy.tolerance import compare
from compiler.engine.errors import EngineError
from compiler.engine.front_ends.torchscript.cpp_runner_source import CPP
from compiler.engine.user_program.stepper import Results
from compiler.model.ir.diagnostics import Problem
from compiler.processes.damaged_files import is_whole
from compiler.processes.first_environment import first_environment
from compiler.processes.own_cache import cache_folder, kept_file
from compiler.processes.own_tools import find_tool, run_tool
from compiler.processes.private_folder import scratch_place

_COMPILERS = ("c++", "g++", "clang++")
_LIMIT_S = 600.0

ReportProgress = Callable[[str], None]


def run_in_cpp(
    scripted: Any,
    args: tuple[Any, ...],
    kwargs: dict[str, Any],
    expected: Results,
    report_progress: ReportProgress,
) -> str:
    """What the C++ program prints, and how far its results are from Python's. Raises EngineError."""
    runner = _runner(report_progress)
    report_progress("Running it in C++")
    with tempfile.TemporaryDirectory(prefix="loupe-cpp-", dir=scratch_place()) as scratch:
        program, inputs, outputs = (
            Path(scratch) / name for name in ("program.pt", "inputs.pt", "outputs.pt")
        )
        torch.jit.save(scripted, str(program))
        torch.save((_plain(args), _plain(kwargs)), inputs)
        ran = run_tool([str(runner), str(program), str(inputs), str(outputs)], _LIMIT_S)
        if ran.returncode:
            raise EngineError(
                Problem(
                    f"The C++ program failed: {ran.stderr.strip().partition(chr(10))[0]}",
                    "The detail has all it said.",
                    detail=ran.stderr,
                    read_detail=True,
                )
            )
        found = torch.load(outputs, weights_only=True)
    tensors = (value for value in pytree.tree_leaves(found) if isinstance(value, torch.Tensor))
    results = Results({f"output {index}": value for index, value in enumerate(tensors)})
    worst = compare("C++", results, "Python", expected).worst
    if worst is None:
        verdict = "It gives no tensors to compare with Python's."
    elif worst.max_absolute == 0:
        verdict = "The same as Python's eager results, bit for bit."
    elif worst.unlike:
        verdict = f"Python's eager result is the reference: {worst.sentence}."
    else:
        verdict = f"{worst.tensor} differs from Python's eager result by up to {worst.max_absolute:.3g}."
    return f"{ran.stdout.rstrip()}\n{verdict}"


def _plain(values: Any) -> Any:
    return pytree.tree_map(lambda value: value.detach() if isinstance(value, torch.Tensor) else value, values)


def _runner(report_progress: ReportProgress) -> Path:
    """The program, built where there is none for this torch and this compiler yet."""
    compiler = first_environment().get("CXX") or find_tool(*_COMPILERS)
    if compiler is None:
        raise EngineError("There is no C++ compiler, so nothing can be run in C++.", "Install g++ or clang.")
    library = Path(torch.__file__).resolve().parent
    key = hashlib.sha256("\0".join((CPP, torch.__version__, str(library), compiler)).encode()).hexdigest()[
        :16
    ]
    name = f"script-runner-{key}"
    kept = kept_file(name)
    if kept is not None and is_whole(kept):
        return kept
    try:
        cache = cache_folder()
    except OSError as error:
        problem = Problem(
            f"The C++ program has no place to be kept: {error}.", "Set LOUPE_CACHE_DIR to a folder of yours."
        )
        raise EngineError(problem) from error
    runner = cache / name
    report_progress("Building the C++ program: a minute or two, once for this torch")
    with tempfile.TemporaryDirectory(dir=cache) as scratch:
        source, made = Path(scratch) / "runner.cpp", Path(scratch) / "runner"
        source.write_text(CPP)
        _build(compiler, library, source, made)
        made.replace(runner)
    return runner


def _build(compiler: str, library: Path, source: Path, made: Path) -> None:
    abi = int(torch.compiled_with_cxx11_abi())
    include = library / "include"
    command = [
        compiler, "-std=c++20", "-O0", f"-D_GLIBCXX_USE_CXX11_ABI={abi}", f"-I{include}",
        f"-I{include / 'torch' / 'csrc' / 'api' / 'include'}", str(source), "-o", str(made), f"-L{library / 'lib'}",
        "-ltorch", "-ltorch_cpu", "-lc10", f"-Wl,-rpath,{library / 'lib'}",
    ]  # fmt: skip
    try:
        built = run_tool(command, _LIMIT_S)
    except (OSError, subprocess.TimeoutExpired) as error:
        raise EngineError(
            "The C++ program could not be built.", "See the detail.", detail=str(error)
        ) from error
    if built.returncode:
        raise EngineError(
            "The C++ program could not be built.", "See the detail.", detail=built.stderr[-8000:]
        )
