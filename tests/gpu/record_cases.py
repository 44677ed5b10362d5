"""Programs of a large table, compiled on this machine's GPU, several processes at once, and written down."""

import contextlib
import json
import lzma
import os
import platform
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import torch

from tests.gpu.each_in_a_process import EachInAProcess


def sets_in_one_order(module: str) -> None:
    """Start this process again as ``python -m MODULE`` with the arguments it has, where sets of strings may have another order than in
    the other one: programs go through them, and then names and nodes come in that order.
    """
    if os.environ.get("PYTHONHASHSEED") != "0":
        command = [sys.executable, "-m", module, *sys.argv[1:]]
        os.execve(sys.executable, command, os.environ | {"PYTHONHASHSEED": "0"})


def tried(compiled: Callable[[], dict[str, Any]]) -> dict[str, Any]:
    """What compiling a case gives, nothing printed; or its error. An error that stays in the GPU ends the process."""
    torch._inductor.config.compile_threads = 1
    with (
        open(os.devnull, "w") as nothing,
        contextlib.redirect_stderr(nothing),
        contextlib.redirect_stdout(nothing),
    ):
        try:
            return compiled()
        except Exception as failed:
            if "CUDA error" in str(failed) or "device-side" in str(failed):
                os._exit(3)
            return {"error": f"{type(failed).__name__}: {str(failed)[:300]}"}


_WRITTEN_S = 15.0
"""Between two times that what there is gets written: large models take half a minute each, and the machine is lent for ten."""


def record(path: Path, work: list[str], count: int, recorded: Callable[[str], dict[str, Any]]) -> None:
    """What came of each, written again and again, since it may be ended at any time. `recorded` is called in other processes."""
    reported: dict[str, Any] = {
        "v": torch.__version__,
        "gpu": torch.cuda.get_device_name(),
        "python": platform.python_version(),
        "sets": os.environ.get("PYTHONHASHSEED", ""),
    }
    written = time.monotonic()
    for number, (key, found) in enumerate(EachInAProcess(work, count, recorded, fresh=True), 1):
        reported[key] = found
        if time.monotonic() - written > _WRITTEN_S or number == len(work):
            written = time.monotonic()
            print(number, len(work), flush=True)
            path.write_bytes(
                lzma.compress(json.dumps(reported).encode(), preset=1 if number < len(work) else 6)
            )
    failed = {
        key: found["error"] for key, found in reported.items() if isinstance(found, dict) and "error" in found
    }
    print(len(work), "compiled;", len(failed), "failed")
    for key, error in failed.items():
        print(" ", key, error[:200])
