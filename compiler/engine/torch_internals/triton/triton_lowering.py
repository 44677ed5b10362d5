"""Inductor's own way from a Triton kernel's text to machine code, on a machine without the GPU.

GIVES: every intermediate form, shared memory, warps; with the assemblers that Triton brings along, registers and spills.
NEEDS: ``PyCodeCache.load``, ``CachingAutotuner._precompile_config`` and ``_dynamic_scale_rblock``,
``triton_helpers.set_driver_to_gpu``, ``StaticTritonCompileResult.can_statically_launch``; ``ptxas`` and ``nvdisasm`` in the
triton wheel.
"""

import ast
import logging
import re
import tempfile
import time
import traceback
from pathlib import Path
from typing import Any

import msgspec

from compiler.engine.error_chain import chain
from compiler.engine.torch_internals.triton.debug_locations import kernel_lines
from compiler.model.gpu.instruction_counts import count_instructions
from compiler.model.ir.lowered_kernel import Form, Lowered, LowerOrder
from compiler.processes.own_tools import run_tool
from compiler.processes.private_folder import scratch_place

_USED = re.compile(
    r"(\d+) bytes stack frame, (\d+) bytes spill stores, (\d+) bytes spill loads.*?Used (\d+) registers",
    re.DOTALL,
)
_TARGET = re.compile(r"\.target (\w+)")
_AMD_TARGET = re.compile(
    r'\.amdgcn_target "[\w.]+-amd-amdhsa-\w*-([\w:+-]+)"'
)  # LLVM spells the triple in two ways
_THREADS = re.compile(r"\.(?:req|max)ntid (\d+)")
_AMD_NEEDS = re.compile(r"\.(vgpr_count|vgpr_spill_count):\s+(\d+)")
_ASSEMBLY_S = 120
_BYTES_OF_A_REGISTER = 4

_stage_times: dict[str, float] = {}
"""Of the compilation that Triton finished last, in seconds by form."""


def prepare() -> None:
    """No driver is asked for; call once, in a process that lowers and does nothing else."""
    import triton
    from torch._inductor.runtime import triton_helpers, triton_heuristics

    triton_helpers.set_driver_to_gpu = lambda: None
    triton_heuristics.StaticTritonCompileResult.can_statically_launch = staticmethod(
        lambda *_args, **_kwargs: None
    )
    logging.getLogger(triton_heuristics.__name__).setLevel(
        logging.CRITICAL
    )  # errors are reported, not logged

    def note_times(*, times: Any, **_others: Any) -> None:
        _stage_times.clear()
        _stage_times.update((name, micros / 1e6) for name, micros in times.lowering_stages)

    triton.knobs.compilation.listener = note_times


def _tuner(module: Any, name: str) -> Any:
    """A kernel of the program's own keeps its name in its source, and is called by another in the wrapper (``plain_0``)."""
    from torch._inductor.runtime.triton_heuristics import CachingAutotuner

    own = [value for value in vars(module).values() if isinstance(value, CachingAutotuner)]
    return getattr(module, name, None) or (own[0] if len(own) == 1 else getattr(module, name))


def lower(order: LowerOrder) -> tuple[tuple[Lowered, ...], int]:
    """Lower the first configurations of a kernel, and those that Inductor makes of them after a first launch; gives them
    and how many there are to begin with. Triton's errors pass through.
    """
    from torch._inductor.codecache import PyCodeCache

    ast.parse(order.source)  # PyCodeCache tells a syntax error without its line
    module = PyCodeCache.load(order.source)
    tuner = _tuner(module, order.name)
    path = Path(str(module.__file__))
    configurations = list(tuner.configs)
    results, lowered = [], []
    for chosen in configurations[: order.configurations]:
        row, result = _one(tuner, chosen, order, path)
        lowered.append(row)
        results.append(result)
    if order.configurations > 1:
        tried = set(map(str, configurations))
        for chosen in _after_launch(tuner, results, lowered):
            if str(chosen) not in tried:
                row, _ = _one(tuner, chosen, order, path)
                lowered.append(msgspec.structs.replace(row, after_launch=True))
    return tuple(lowered), len(configurations)


def _after_launch(tuner: Any, results: list[Any], lowered: list[Lowered]) -> list[Any]:
    """Configurations with smaller blocks that Inductor would try once it knows how many registers these take."""
    for result, row in zip(results, lowered, strict=True):
        result.kernel.n_regs = row.registers
        result.kernel.n_spills = (row.spilled_bytes or 0) // _BYTES_OF_A_REGISTER
    found: list[Any] = []

    class Wanted:
        """Stands for what would be compiled; without registers, Inductor makes no more of it."""

        def __init__(self, config: Any) -> None:
            self.config, self.kernel = config, None
            found.append(config)

    compiled, tuner._precompile_config = tuner._precompile_config, Wanted
    tuner.compile_results, tuner._make_launchers = list(results), lambda: None
    try:
        tuner._dynamic_scale_rblock()
    finally:
        tuner._precompile_config = compiled
    return found


def error_line(error: Exception, order: LowerOrder) -> int | None:
    """The line of the kernel's source that an error of `lower` is about; None where that cannot be told."""
    from triton.compiler.errors import CompilationError

    if isinstance(error, SyntaxError):
        return error.lineno
    start = next(
        (
            number
            for number, line in enumerate(order.source.split("\n"), 1)
            if re.match(rf"\s*def {re.escape(order.name)}\(", line)
        ),
        None,
    )
    for found in chain(error):  # an error in a helper is reported with the kernel's call of it around
        own = isinstance(found, CompilationError) and f"def {order.name}(" in (found.src or "")
        if own and start is not None and hasattr(found.node, "lineno"):
            return start + int(found.node.lineno) - 1
    lines = set(order.source.split("\n"))
    frames = [row for row in traceback.extract_tb(error.__traceback__) if row.line and row.line in lines]
    return frames[-1].lineno if frames else None


def _one(tuner: Any, configuration: Any, order: LowerOrder, path: Path) -> tuple[Lowered, Any]:
    _stage_times.clear()
    started = time.perf_counter()
    result: Any = tuner._precompile_config(configuration)
    kernel = result.kernel
    seconds = time.perf_counter() - started
    texts = {name: text for name, text in kernel.asm.items() if isinstance(text, str)}
    times = dict(_stage_times)
    if "sass" in order.forms and "cubin" in kernel.asm:
        began = time.perf_counter()
        texts["sass"] = _disassembled(kernel.asm["cubin"])
        times["sass"] = times.get("cubin", 0.0) + time.perf_counter() - began
    forms = tuple(
        Form(
            name,
            _without_folder(texts[name], path, order.name),
            kernel_lines(name, texts[name], path.name, texts.get("ptx", "")),
            times.get(name),
        )
        for name in order.forms
        if name in texts
    )
    counted = next((name for name in ("sass", "amdgcn", "ptx") if name in texts), "")
    registers, spilled = _needs(texts)
    metadata = kernel.metadata
    lowered = Lowered(
        str(configuration),
        forms,
        metadata.num_warps,
        metadata.num_stages,
        metadata.shared,
        registers,
        spilled,
        seconds,
        _architecture(texts),
        int(found[1]) if (found := _THREADS.search(texts.get("ptx", ""))) else None,
        tuple((name, int(value)) for name, value in configuration.kwargs.items() if isinstance(value, int)),
        count_instructions(counted, texts.get(counted, "")),
        counted,
    )
    return lowered, result


def _without_folder(text: str, path: Path, kernel: str) -> str:
    """The kernel's file is called as the kernel: its folder is gone by the time that the text is read."""
    for reported, instead in ((f"{path.parent}/", ""), (str(path.parent), "."), (path.name, f"{kernel}.py")):
        text = text.replace(reported, instead)
    return text


def _architecture(texts: dict[str, str]) -> str:
    found = _TARGET.search(texts.get("ptx", "")) or _AMD_TARGET.search(texts.get("amdgcn", ""))
    return found[1] if found is not None else ""


def _needs(texts: dict[str, str]) -> tuple[int | None, int | None]:
    """Registers a thread and bytes spilled."""
    if "ptx" in texts:
        target = _TARGET.search(texts["ptx"])
        if target is None:
            return None, None
        with tempfile.NamedTemporaryFile("w", suffix=".ptx", dir=scratch_place()) as file:
            file.write(texts["ptx"])
            file.flush()
            command = [_assembler(target[1]), "-v", f"--gpu-name={target[1]}", file.name, "-o", "/dev/null"]
            reported = run_tool(command, _ASSEMBLY_S).stderr
        used = _USED.search(reported)
        return (int(used[4]), int(used[2]) + int(used[3])) if used else (None, None)
    found = {name: int(count) for name, count in _AMD_NEEDS.findall(texts.get("amdgcn", ""))}
    spills = found.get("vgpr_spill_count")
    return found.get("vgpr_count"), _BYTES_OF_A_REGISTER * spills if spills is not None else None


def _disassembled(cubin: bytes) -> str:
    with tempfile.NamedTemporaryFile(suffix=".cubin", dir=scratch_place()) as file:
        file.write(cubin)
        file.flush()
        command = [_tool("nvdisasm"), "-c", "-gi", file.name]
        done = run_tool(command, _ASSEMBLY_S)
    done.check_returncode()
    return done.stdout


def _assembler(architecture: str) -> str:
    """The one that Triton takes itself for this GPU: a wheel has several, and older ones do not read newer PTX."""
    from triton.backends.nvidia.compiler import get_ptxas

    return str(get_ptxas(int(re.sub(r"\D", "", architecture) or 0)).path)


def _tool(name: str) -> str:
    """An assembler or disassembler from the triton wheel."""
    import triton

    return str(Path(triton.__file__).parent / "backends" / "nvidia" / "bin" / name)
