"""Settings of torch and of the process that a program can change: how each is read, put back and reported."""

import contextlib
import gc
import locale
import os
import resource
import signal
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch

from compiler.model.capture.capture import CONVOLUTIONS, PRODUCTS
from compiler.model.ir.gpu_target import GpuTarget


def plain(value: Any) -> str:
    """A value in a few words."""
    return str(getattr(value, "__name__", value)).removeprefix("torch.")


def _handler(value: Any) -> str:
    """A signal's handler: a function, or what Python writes as a bare number."""
    known = ((signal.SIG_DFL, "default"), (signal.SIG_IGN, "ignored"), (None, "one that is not Python's"))
    return next((text for which, text in known if value is which), None) or plain(value)


def _limit(value: Any) -> str:
    return "unlimited" if value == resource.RLIM_INFINITY else plain(value)


@dataclass(frozen=True)
class Setting:
    """One setting, or a dictionary of such. What is not put back has no `write`."""

    name: str
    read: Callable[[], Any]
    write: Callable[[Any], object] | None = None
    show: Callable[[Any], str] = plain
    by_torch: Callable[[Any, Any], bool] = lambda before, after: False
    """Whether torch itself makes the first value the second, which is then no change of the program's."""


def _cudnn(name: str) -> Setting:
    return Setting(
        f"torch.backends.cudnn.{name}",
        lambda: getattr(torch.backends.cudnn, name),
        lambda value: setattr(torch.backends.cudnn, name, value),
    )


def _device() -> str:
    device = torch.get_default_device()
    return str(device)


def _set_device(name: str) -> None:
    torch.set_default_device(None if name == "cpu" else name)


def _deterministic() -> tuple[bool, bool]:
    return torch.are_deterministic_algorithms_enabled(), torch.is_deterministic_algorithms_warn_only_enabled()


def _inductors_depth(before: int, after: int) -> bool:
    """Inductor raises the recursion limit to 2,000 with its first compile and leaves it there."""
    return after == max(before, 2000)


def _umask() -> int:
    status = Path("/proc/self/status")
    if status.exists():
        line = next(line for line in status.read_text().splitlines() if line.startswith("Umask:"))
        return int(line.split()[1], 8)
    mask = os.umask(0o077)
    os.umask(mask)
    return mask


def _limits() -> dict[str, int]:
    names = [name for name in dir(resource) if name.startswith("RLIMIT_")]
    return {name: resource.getrlimit(getattr(resource, name))[0] for name in names}


def _handlers() -> dict[str, Any]:
    return {number.name: signal.getsignal(number) for number in signal.Signals}


SETTINGS = (
    Setting("default dtype", torch.get_default_dtype, torch.set_default_dtype),
    Setting("default device", _device, _set_device),
    Setting("torch threads", torch.get_num_threads),
    Setting("grad mode", torch.is_grad_enabled, torch.set_grad_enabled),
    Setting("anomaly detection", torch.is_anomaly_enabled, torch.autograd.set_detect_anomaly),
    Setting(
        "deterministic algorithms",
        _deterministic,
        lambda both: torch.use_deterministic_algorithms(both[0], warn_only=both[1]),
    ),
    Setting(
        "autocast", lambda: torch.is_autocast_enabled("cpu"), lambda on: torch.set_autocast_enabled("cpu", on)
    ),
    Setting(
        "float32 matmul precision", torch.get_float32_matmul_precision, torch.set_float32_matmul_precision
    ),
    *map(_cudnn, ("enabled", "benchmark", "deterministic")),
    Setting("working folder", os.getcwd, os.chdir),
    Setting("umask", _umask, os.umask, oct),
    Setting("recursion limit", sys.getrecursionlimit, sys.setrecursionlimit, by_torch=_inductors_depth),
    Setting("limit", _limits, show=_limit),
    Setting("handler of", _handlers, show=_handler),
    Setting(
        "locale", lambda: locale.setlocale(locale.LC_ALL), lambda name: locale.setlocale(locale.LC_ALL, name)
    ),
    Setting("garbage collection", gc.isenabled, lambda on: gc.enable() if on else gc.disable()),
)
"""In the order in which they are reported."""


def allowed_tf32(device: GpuTarget | None) -> tuple[str, ...]:
    """`CONVOLUTIONS` (torch's default) and `PRODUCTS`, as the settings of this process are now; nothing for AMD's GPUs. `device`:
    what is compiled for, where that is not here.
    """
    if torch.version.hip is not None or (device is not None and device.is_amd):
        return ()
    found = []
    places: tuple[tuple[str, Any, str], ...] = (
        (CONVOLUTIONS, torch.backends.cudnn, "conv"),
        (PRODUCTS, torch.backends.cuda, "matmul"),
    )
    for what, place, name in places:
        with contextlib.suppress(AttributeError, RuntimeError):  # settings of two kinds that contradict
            if getattr(place, name).fp32_precision == "tf32":
                found.append(what)
    return tuple(found)
