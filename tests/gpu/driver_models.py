"""Models that ask the GPU's driver for something while they run: streams, events, ranges for a profiler, its memory, random numbers of
their own. Recorded on a real GPU.
"""

import torch
from torch import nn

_ROWS = "torch.randn(8, 16)"


class _Base(nn.Module):
    """Two layers, and between them what a program asks."""

    def __init__(self) -> None:
        super().__init__()
        self.first = nn.Linear(16, 32)
        self.second = nn.Linear(32, 16)

    def between(self, x: torch.Tensor) -> torch.Tensor:
        """What a model does there."""
        return x

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.second(self.between(torch.relu(self.first(x))))


class Synchronized(_Base):
    def between(self, x: torch.Tensor) -> torch.Tensor:
        torch.cuda.synchronize()
        return x + 1


class CurrentStream(_Base):
    def between(self, x: torch.Tensor) -> torch.Tensor:
        torch.cuda.current_stream().synchronize()
        return x + 1


class SideStream(_Base):
    def between(self, x: torch.Tensor) -> torch.Tensor:
        side = torch.cuda.Stream()
        side.wait_stream(torch.cuda.current_stream())
        with torch.cuda.stream(side):
            y = x * 2
        torch.cuda.current_stream().wait_stream(side)
        return y.sin()


class StreamOfIts(_Base):
    """Made with the model."""

    def __init__(self) -> None:
        super().__init__()
        self.side = torch.cuda.Stream()

    def between(self, x: torch.Tensor) -> torch.Tensor:
        with torch.cuda.stream(self.side):
            y = x * 2
        torch.cuda.current_stream().wait_stream(self.side)
        return y.sin()


class TwoStreams(_Base):
    """Two branches, each on a stream, met by events."""

    def __init__(self) -> None:
        super().__init__()
        self.streams = [torch.cuda.Stream(), torch.cuda.Stream()]
        self.events = [torch.cuda.Event(), torch.cuda.Event()]

    def between(self, x: torch.Tensor) -> torch.Tensor:
        parts = []
        for stream, event in zip(self.streams, self.events, strict=True):
            with torch.cuda.stream(stream):
                parts.append(x.sin())
                event.record(stream)
        for event in self.events:
            torch.cuda.current_stream().wait_event(event)
        return parts[0] + parts[1]


class AnyStream(_Base):
    """By torch.Stream, of any device."""

    def between(self, x: torch.Tensor) -> torch.Tensor:
        side = torch.Stream(device=x.device)
        with side:
            y = x * 2
        return y.sin()


class Timed(_Base):
    def between(self, x: torch.Tensor) -> torch.Tensor:
        start, end = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
        start.record()
        y = x * 2
        end.record()
        torch.cuda.synchronize()
        self.milliseconds = start.elapsed_time(end)
        return y


class Memory(_Base):
    def between(self, x: torch.Tensor) -> torch.Tensor:
        self.used = torch.cuda.memory_allocated(), torch.cuda.max_memory_allocated()
        torch.cuda.empty_cache()
        torch.cuda.reset_peak_memory_stats()
        return x * 2


class Properties(_Base):
    def between(self, x: torch.Tensor) -> torch.Tensor:
        device = torch.cuda.get_device_properties(x.device)
        if torch.cuda.is_available() and device.major >= 8 and torch.cuda.is_bf16_supported():
            return x * 2
        return x * 3


class Range(_Base):
    def between(self, x: torch.Tensor) -> torch.Tensor:
        with torch.cuda.nvtx.range("middle"):
            return x * 2


class PushedRange(_Base):
    def between(self, x: torch.Tensor) -> torch.Tensor:
        torch.cuda.nvtx.range_push("middle")
        y = x * 2
        torch.cuda.nvtx.range_pop()
        return y


class OnDevice(_Base):
    def between(self, x: torch.Tensor) -> torch.Tensor:
        with torch.cuda.device(x.device):
            return x * 2


class RecordedStream(_Base):
    def between(self, x: torch.Tensor) -> torch.Tensor:
        x.record_stream(torch.cuda.current_stream())
        return x * 2


class OwnGenerator(_Base):
    def between(self, x: torch.Tensor) -> torch.Tensor:
        generator = torch.Generator(device=x.device)
        generator.manual_seed(3)
        return x + torch.randn(x.shape, generator=generator, device=x.device)


class GeneratorOfIts(_Base):
    """Made with the model."""

    def __init__(self) -> None:
        super().__init__()
        self.generator = torch.Generator(device="cuda").manual_seed(3)

    def between(self, x: torch.Tensor) -> torch.Tensor:
        return x + torch.randn(x.shape, generator=self.generator, device=x.device)


class Seeded(_Base):
    def between(self, x: torch.Tensor) -> torch.Tensor:
        torch.cuda.manual_seed_all(1)
        return x + torch.randn_like(x)


class Captured(_Base):
    def between(self, x: torch.Tensor) -> torch.Tensor:
        return x * 2 if torch.cuda.is_current_stream_capturing() else x * 3


class Pinned(_Base):
    """Copied without waiting."""

    def between(self, x: torch.Tensor) -> torch.Tensor:
        table = torch.ones(32).pin_memory()
        return x * table.to(x.device, non_blocking=True)


INPUTS = {
    name: _ROWS
    for name, found in list(globals().items())
    if isinstance(found, type) and issubclass(found, _Base) and found is not _Base
}
