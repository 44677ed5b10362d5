"""The operation that a probe is: it gives what it is given, and while readings are collected says what that was.

Importing this module registers ``torch.ops.loupe.probe``. It is opaque to Inductor, which calls it between kernels.
"""

import contextlib
from collections.abc import Iterator

import torch

from compiler.engine.fx.graph_import import read_value
from compiler.model.capture.probe_readings import ProbeReading
from compiler.model.ir.tensor_types import describe

_BINS = 32
_FIRST = 8
_MOST = 1000
"""Readings kept of one run: a probe in a loop must not fill the memory."""

_readings: list[ProbeReading] | None = None


@contextlib.contextmanager
def collecting() -> Iterator[list[ProbeReading]]:
    """While this is entered, probes write what they see into the list; else they see nothing."""
    global _readings
    before, _readings = _readings, []
    try:
        yield _readings
    finally:
        _readings = before


@torch.library.custom_op("loupe::probe", mutates_args=())
def probe(value: torch.Tensor, label: str, kind: str) -> torch.Tensor:
    """A copy of `value`. `label` is ``"stage node"``."""
    if _readings is not None and len(_readings) < _MOST:
        stage, _, node = label.rpartition(" ")
        _readings.append(_reading(value.detach(), stage, node, kind))
    return value.clone()


@probe.register_fake
def _probe_fake(value: torch.Tensor, label: str, kind: str) -> torch.Tensor:
    return torch.empty_like(value)


def _probe_backward(_context: object, gradient: torch.Tensor) -> tuple[torch.Tensor, None, None]:
    return gradient, None, None


probe.register_autograd(_probe_backward)


def _reading(value: torch.Tensor, stage: str, node: str, kind: str) -> ProbeReading:
    flat = value.reshape(-1)
    kinds = describe(read_value(value))
    first = ", ".join(
        f"{number:.4g}" if isinstance(number, float) else str(number) for number in flat[:_FIRST].tolist()
    )
    if value.is_complex():
        return ProbeReading(stage, node, kind, kinds, value.numel(), int(flat.isnan().sum()), 0, first=first)
    numbers = flat.double()
    finite = numbers[numbers.isfinite()]
    nans, infinities = int(numbers.isnan().sum()), int(numbers.isinf().sum())
    if not finite.numel():
        return ProbeReading(stage, node, kind, kinds, value.numel(), nans, infinities, first=first)
    low, high = float(finite.min()), float(finite.max())
    counts = torch.histc(finite, bins=_BINS, min=low, max=high).tolist() if high > low else [finite.numel()]
    deviation = float(finite.std(correction=0))
    return ProbeReading(
        stage, node, kind, kinds, value.numel(), nans, infinities, low, high, float(finite.mean()), deviation, first,
        tuple(map(int, counts)),
    )  # fmt: skip
