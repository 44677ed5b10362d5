"""Inductor's own way from a Triton kernel's text to machine code, on a machine without the GPU.

GIVES: every intermediate form, shared memory, warps; with the assemblers that Triton brings along, registers and spills.
NEEDS: ``PyCodeCache.load``, ``CachingAutotuner._precompile_config``, ``triton_helpers.set_driver_to_gpu``,
``StaticTritonCompileResult.can_statically_launch``; ``ptxas`` and ``nvdisasm`` in the triton wheel.
"""

import re
import subprocess
import tempfile
import time
from pathlib import Path
from typing import Any

from compiler.model.lowering import Form, Lowered, LowerOrder

_USED = re.compile(
    r"(\d+) bytes stack frame, (\d+) bytes spill stores, (\d+) bytes spill loads.*?Used (\d+) registers",
    re.DOTALL,
)
_TARGET = re.compile(r"\.target (\w+)")
_PTX_FILE = re.compile(r'\s*\.file\s+(\d+)\s+"([^"]*)"(?:\s+"([^"]*)")?')
_PTX_PLACE = re.compile(r"\s*\.loc\s+(\d+)\s+(\d+)")
_PTX_INSIDE = re.compile(r"@\[\s*(\S+?):(\d+):\d+\s*\]")
_SASS_PLACE = re.compile(r'\s*//## File "([^"]+)", line (\d+)(?: inlined at "([^"]+)", line (\d+))?')
_SASS_INSTRUCTION = re.compile(r"\s+/\*[0-9a-f]{4,}\*/")
_IR_ALIAS = re.compile(r"^(#loc\d*) = loc\((.*)\)$")
_IR_FILE = re.compile(r'"([^"]+)":(\d+):\d+')
_IR_USE = re.compile(r"loc\((#loc\d*)\)")
_AMD_NEEDS = re.compile(r"\.(vgpr_count|vgpr_spill_count):\s+(\d+)")
_ASSEMBLY_S = 120


def prepare() -> None:
    """No driver is asked for; call once, in a process that lowers and does nothing else."""
    from torch._inductor.runtime import triton_helpers, triton_heuristics

    triton_helpers.set_driver_to_gpu = lambda: None
    triton_heuristics.StaticTritonCompileResult.can_statically_launch = staticmethod(
        lambda *_args, **_kwargs: None
    )


def lower(order: LowerOrder) -> tuple[tuple[Lowered, ...], int]:
    """Lower the first configurations of a kernel; gives them and how many there are. Triton's errors pass through."""
    from torch._inductor.codecache import PyCodeCache

    module = PyCodeCache.load(order.source)
    tuner: Any = getattr(module, order.name)
    file_name = Path(str(module.__file__)).name
    configurations = list(tuner.configs)
    lowered = [_one(tuner, chosen, order, file_name) for chosen in configurations[: order.configurations]]
    return tuple(lowered), len(configurations)


def _one(tuner: Any, configuration: Any, order: LowerOrder, file_name: str) -> Lowered:
    started = time.perf_counter()
    kernel: Any = tuner._precompile_config(configuration).kernel
    seconds = time.perf_counter() - started
    texts = {name: text for name, text in kernel.asm.items() if isinstance(text, str)}
    forms = [
        Form(name, texts[name], _lines(name, texts[name], file_name))
        for name in order.forms
        if name in texts and name != "sass"
    ]
    if "sass" in order.forms and "cubin" in kernel.asm:
        began = time.perf_counter()
        text = _disassembled(kernel.asm["cubin"])
        lines = _sass_lines(text, file_name, _inlined(texts.get("ptx", ""), file_name))
        forms.append(Form("sass", text, lines, time.perf_counter() - began))
    registers, spilled = _needs(texts)
    metadata = kernel.metadata
    return Lowered(
        str(configuration),
        tuple(forms),
        metadata.num_warps,
        metadata.num_stages,
        metadata.shared,
        registers,
        spilled,
        seconds,
    )


def _needs(texts: dict[str, str]) -> tuple[int | None, int | None]:
    """Registers a thread and bytes spilled."""
    if "ptx" in texts:
        target = _TARGET.search(texts["ptx"])
        if target is None:
            return None, None
        with tempfile.NamedTemporaryFile("w", suffix=".ptx") as file:
            file.write(texts["ptx"])
            file.flush()
            command = [_tool("ptxas"), "-v", f"--gpu-name={target[1]}", file.name, "-o", "/dev/null"]
            told = subprocess.run(
                command, capture_output=True, text=True, timeout=_ASSEMBLY_S, check=False
            ).stderr
        used = _USED.search(told)
        return (int(used[4]), int(used[2]) + int(used[3])) if used else (None, None)
    found = {name: int(count) for name, count in _AMD_NEEDS.findall(texts.get("amdgcn", ""))}
    spills = found.get("vgpr_spill_count")
    return found.get("vgpr_count"), 4 * spills if spills is not None else None


def _disassembled(cubin: bytes) -> str:
    with tempfile.NamedTemporaryFile(suffix=".cubin") as file:
        file.write(cubin)
        file.flush()
        command = [_tool("nvdisasm"), "-c", "-gi", file.name]
        done = subprocess.run(command, capture_output=True, text=True, timeout=_ASSEMBLY_S, check=True)
    return done.stdout


def _tool(name: str) -> str:
    """An assembler from the triton wheel; newer GPUs have one of their own name."""
    import triton

    return str(Path(triton.__file__).parent / "backends" / "nvidia" / "bin" / name)


def _lines(form: str, text: str, file_name: str) -> tuple[tuple[int, int], ...]:
    """Which line of the kernel each line of a form was made from."""
    match form:
        case "ptx" | "amdgcn":
            return _assembly_lines(text, file_name)
        case "ttir" | "ttgir":
            return _ir_lines(text, file_name)
        case _:
            return ()


_Helpers = dict[tuple[str, int], int]


def _inlined(ptx: str, file_name: str) -> _Helpers:
    """For lines of helpers the one line of the kernel that they were inlined into. PTX says that, SASS does not; a helper
    that is used on several lines is left out, since nothing tells which.
    """
    files = _ptx_files(ptx)
    found: dict[tuple[str, int], set[int]] = {}
    for line in ptx.split("\n"):
        place = _PTX_PLACE.match(line)
        inside = [int(row) for name, row in _PTX_INSIDE.findall(line) if name.endswith(file_name)]
        if place is not None and inside:
            helper = files.get(place[1], "").rpartition("/")[2]
            found.setdefault((helper, int(place[2])), set()).add(inside[-1])
    return {spot: next(iter(rows)) for spot, rows in found.items() if len(rows) == 1}


def _ptx_files(text: str) -> dict[str, str]:
    matches = (_PTX_FILE.match(line) for line in text.split("\n"))
    return {match[1]: match[3] or match[2] for match in matches if match is not None}


def _sass_lines(text: str, file_name: str, helpers: _Helpers) -> tuple[tuple[int, int], ...]:
    """``//## File`` lines hold for the instructions below; the outermost inlining is the kernel's own line."""
    pairs, current = [], 0
    fresh = True
    for number, line in enumerate(text.split("\n"), start=1):
        place = _SASS_PLACE.match(line)
        if place is not None:
            if fresh:
                current, fresh = 0, False
            if place[1].endswith(file_name):
                current = int(place[2])
            elif place[3] and place[3].endswith(file_name):
                current = int(place[4])
            else:
                current = helpers.get((place[1].rpartition("/")[2], int(place[2])), current)
        elif _SASS_INSTRUCTION.match(line):
            fresh = True
            if current:
                pairs.append((number, current))
    return tuple(pairs)


def _assembly_lines(text: str, file_name: str) -> tuple[tuple[int, int], ...]:
    """``.loc`` holds for the instructions below; code of helpers says in a comment where it was inlined."""
    files = _ptx_files(text)
    pairs, current = [], 0
    for number, line in enumerate(text.split("\n"), start=1):
        place = _PTX_PLACE.match(line)
        if place is not None:
            inside = [int(row) for name, row in _PTX_INSIDE.findall(line) if name.endswith(file_name)]
            own = int(place[2]) if files.get(place[1], "").endswith(file_name) else 0
            current = own or (inside[-1] if inside else 0)
        elif current and line.startswith(("\t", " ")) and not line.strip().startswith((".", "//", ";")):
            pairs.append((number, current))
    return tuple(pairs)


def _ir_lines(text: str, file_name: str) -> tuple[tuple[int, int], ...]:
    """Operations end in ``loc(#loc7)``; what that stands for is told at the end, perhaps through others."""
    aliases = {
        match[1]: match[2] for match in (_IR_ALIAS.match(line.strip()) for line in text.split("\n")) if match
    }

    def line_of(alias: str, depth: int = 0) -> int:
        meaning = aliases.get(alias, "")
        found = [int(row) for name, row in _IR_FILE.findall(meaning) if name.endswith(file_name)]
        if found or depth > 20:
            return found[-1] if found else 0
        inner = [line_of(other, depth + 1) for other in re.findall(r"#loc\d+", meaning)]
        return next((row for row in reversed(inner) if row), 0)

    pairs = []
    for number, line in enumerate(text.split("\n"), start=1):
        uses = _IR_USE.findall(line)
        row = line_of(uses[-1]) if uses and not line.startswith("#loc") else 0
        if row:
            pairs.append((number, row))
    return tuple(pairs)
