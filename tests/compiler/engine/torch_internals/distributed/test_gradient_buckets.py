"""DDP's buckets without torch telling other ranks of them: as torch's own reducer makes them, step by step."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel

from compiler.engine.torch_internals.distributed.gradient_buckets import Buckets, noting_arguments

pytestmark = pytest.mark.engine

_Rows = list[tuple[tuple[int, ...], ...]]


class _Net(nn.Module):
    """Defined in another order than it is called in; 66 MB, one of them in float64."""

    def __init__(self) -> None:
        super().__init__()
        self.last = nn.Linear(2048, 64)
        self.first, self.second, self.third = (nn.Linear(2048, 2048) for _ in range(3))
        self.scale = nn.Parameter(torch.ones(2048, 1024, dtype=torch.float64))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        x = torch.relu(self.second(torch.relu(self.first(x))))
        return self.last(self.third(x)).sum() * self.scale.sum()


@pytest.fixture
def group(tmp_path: Path) -> Iterator[None]:
    """A group of this process alone."""
    dist.init_process_group("gloo", init_method=f"file://{tmp_path}/store", rank=0, world_size=1)
    yield
    dist.destroy_process_group()


def _hook(rows: _Rows, bucket: Any) -> Any:
    rows.append(tuple(tuple(parameter.shape) for parameter in bucket.parameters()))
    done: Any = torch.futures.Future()
    done.set_result(bucket.buffer())
    return done


_hook.__annotations__.clear()  # torch wants its own names there, or none


def _steps(net: DistributedDataParallel, rows: _Rows, between: Callable[[], None]) -> list[_Rows]:
    """The buckets of three steps, each as the shapes of its parameters; `between` the first and the second."""
    found = []
    for number in range(3):
        rows.clear()
        if number == 1:
            between()
        net(torch.ones(2, 2048)).backward()
        found.append(list(rows))
    return found


@pytest.mark.thorough
def test_buckets_are_those_of_torch(group: None) -> None:
    theirs: _Rows = []
    real = DistributedDataParallel(_Net())
    real.register_comm_hook(theirs, _hook)
    wanted = _steps(real, theirs, lambda: None)
    ours: _Rows = []
    with noting_arguments() as arguments:
        net = DistributedDataParallel(_Net())
    net.register_comm_hook(ours, _hook)
    buckets = Buckets(net.reducer, arguments[-1], ours, _hook)
    net.reducer = buckets
    found = _steps(net, ours, buckets.rebuild)
    assert found == wanted
    assert len(found[0]) < len(found[1]) == len(found[2])  # it was rebuilt at all
    for parameter, other in zip(net.parameters(), real.parameters(), strict=True):
        assert parameter.grad.shape == other.grad.shape


def test_without_all_gradients_buckets_stay(group: None) -> None:
    with noting_arguments() as arguments:
        net = DistributedDataParallel(_Net())
    before = net.reducer
    buckets = Buckets(before, arguments[-1], [], _hook)
    buckets.rebuild()
    assert buckets._reducer is before
