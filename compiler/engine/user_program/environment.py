"""What this machine and this torch offer."""

import functools
import platform
import subprocess
import sys
from importlib import metadata
from pathlib import Path

import torch

from compiler.engine.torch_internals.registry.listening import found_hooks
from compiler.model.capture.capture import Environment
from compiler.model.capture.counted import counted
from compiler.processes.first_environment import first_environment
from compiler.processes.own_tools import find_tool, run_tool
from compiler.processes.started import HASH_SEED


def find_environment() -> Environment:
    """Versions, compiler, devices and hooks. Cheap after the first call."""
    return Environment(
        torch=str(torch.__version__),
        python=platform.python_version(),
        platform=platform.platform(),
        processor=_processor(),
        threads=torch.get_num_threads(),
        compiler=_cpp_compiler(),
        triton=_triton(),
        devices=_devices(),
        hooks=_hooks(),
        hash_seed=first_environment().get(HASH_SEED, ""),
    )


_hooks = functools.cache(found_hooks)


@functools.cache
def _processor() -> str:
    info = Path("/proc/cpuinfo")
    if info.exists():
        for line in info.read_text(encoding="utf-8", errors="replace").splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    return platform.processor()


@functools.cache
def _cpp_compiler() -> str:
    """First line of ``--version`` of the compiler that Inductor would take first, or empty."""
    names = ("clang++",) if sys.platform == "darwin" else ("g++", "clang++", "c++")
    for name in names:
        path = find_tool(name)
        if path is None:
            continue
        try:
            done = run_tool([path, "--version"], timeout=20)
        except (OSError, subprocess.TimeoutExpired):
            continue
        if done.returncode == 0 and done.stdout:
            return done.stdout.splitlines()[0]
    return ""


@functools.cache
def _triton() -> str:
    for name in ("triton", "pytorch-triton", "triton-rocm"):
        try:
            return metadata.version(name)
        except metadata.PackageNotFoundError:
            continue
    return ""


@functools.cache
def _devices() -> tuple[str, ...]:
    found = [f"cpu ({counted(torch.get_num_threads(), 'thread')})"]
    if torch.cuda.is_available():
        found += [torch.cuda.get_device_name(index) for index in range(torch.cuda.device_count())]
    return tuple(found)
