"""Measuring what the machine reaches: copies of several sizes and matrix products. Kept on disk for machine and threads."""

import datetime
import hashlib
import os
import time
from collections.abc import Callable

import msgspec
import torch

from compiler.engine.measuring.torch_threads import torch_threads
from compiler.engine.user_program.environment import find_environment
from compiler.model.ir.diagnostics import UNREADABLE
from compiler.model.timing.machine_peaks import CopyCeiling, MachineCeilings, MatmulCeiling, Rate
from compiler.model.timing.timings import summarise
from compiler.processes.own_cache import cache_folder, kept_file

_COPY_BYTES = tuple(1 << power for power in range(14, 29, 2))
"""16 KiB to 256 MiB, read and written together."""
_MATMUL_SIZES = (256, 512, 1024)
_DTYPES = (torch.float32, torch.bfloat16)
_SAMPLES = 15
_SAMPLE_SECONDS = 2e-3
"""At least so long a sample, so that the clock does not count."""


def ceilings(threads: int, again: bool, report_progress: Callable[[str], None]) -> MachineCeilings:
    """The machine's ceilings with so many threads (0: as it is), from the cache unless they are to be measured again."""
    wanted = threads or torch.get_num_threads()
    name = _name(wanted)
    kept = kept_file(name)
    if kept is not None and not again:
        try:
            return msgspec.json.decode(kept.read_bytes(), type=MachineCeilings)
        except (OSError, *UNREADABLE):
            pass
    with torch_threads(wanted):
        found = _measured(wanted, report_progress)
    try:
        (cache_folder() / name).write_bytes(msgspec.json.encode(found))
    except OSError:
        report_progress("The ceilings could not be kept for the next time")
    return found


def _name(threads: int) -> str:
    known = (find_environment().processor, os.cpu_count(), threads, torch.__version__)
    return f"ceilings-{hashlib.sha256(repr(known).encode()).hexdigest()[:16]}.json"


def _measured(threads: int, report_progress: Callable[[str], None]) -> MachineCeilings:
    report_progress("Measuring what copying reaches here")
    copies = tuple(CopyCeiling(size, _copy_rate(size)) for size in _COPY_BYTES)
    report_progress("Measuring what matrix products reach here")
    matmuls = tuple(
        max(map(_matmul(dtype), _MATMUL_SIZES), key=lambda row: row.rate.median) for dtype in _DTYPES
    )
    return MachineCeilings(
        find_environment().processor,
        threads,
        str(torch.__version__),
        copies,
        matmuls,
        datetime.datetime.now().astimezone().isoformat(timespec="seconds"),
    )


def _copy_rate(size: int) -> Rate:
    source = torch.ones(size // 8, dtype=torch.float32, device="cpu")
    target = torch.empty_like(source)
    return _rate(size, lambda: target.copy_(source))


def _matmul(dtype: torch.dtype) -> Callable[[int], MatmulCeiling]:
    def measured(size: int) -> MatmulCeiling:
        first, second = (torch.randn(size, size, device="cpu").to(dtype) for _ in range(2))
        out = torch.empty(size, size, dtype=dtype, device="cpu")
        rate = _rate(2 * size**3, lambda: torch.mm(first, second, out=out))
        return MatmulCeiling(str(dtype).removeprefix("torch."), size, rate)

    return measured


def _rate(amount: int, run: Callable[[], object]) -> Rate:
    """How much of `amount` is done in a second."""
    for _ in range(3):
        run()
    started = time.perf_counter()
    run()
    once = max(time.perf_counter() - started, 1e-7)
    calls = max(1, round(_SAMPLE_SECONDS / once))
    times = []
    for _ in range(_SAMPLES):
        begin = time.perf_counter_ns()
        for _ in range(calls):
            run()
        times.append(time.perf_counter_ns() - begin)
    spent = summarise(times)
    assert spent is not None
    total = amount * calls * 1e9
    return Rate(total / spent.median, total / spent.high, total / spent.low, len(times))
