"""``torchrun --nproc-per-node 2 -m tests.gpu.host_costs OUT``: what the host takes, for the entry of a machine in `resources/machines.json`.

Plain torch, of programs so small that the GPU never keeps the host waiting; each is another program than those that predictions
are checked with. Medians of rounds and their quartiles, in microseconds.
"""

import json
import os
import statistics
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import torch
import torch.distributed as dist
import torch.distributed._functional_collectives as collectives
from torch import nn
from torch.distributed.device_mesh import DeviceMesh, init_device_mesh
from torch.distributed.fsdp import fully_shard
from torch.distributed.tensor import Shard, distribute_tensor
from torch.distributed.tensor.experimental import context_parallel
from torch.nn import functional

_ROUNDS = 15


def host(work: Callable[[], Any], calls: int = 1, ahead: int = 20) -> list[float]:
    """Microseconds of one call, a number for each round: until the host is through, which does not wait for the GPU."""
    found = []
    for _ in range(_ROUNDS + 3):
        torch.cuda.synchronize()
        began = time.perf_counter()
        for _ in range(ahead):
            work()
        found.append((time.perf_counter() - began) / ahead / calls * 1e6)
    torch.cuda.synchronize()
    return found[3:]


def reported(rounds: list[float]) -> dict[str, float]:
    """Median and quartiles."""
    low, median, high = statistics.quantiles(rounds, n=4)
    return {"median": round(median, 1), "low": round(low, 1), "high": round(high, 1)}


def less(more: list[float], fewer: list[float], calls: int) -> list[float]:
    """What one of `calls` more takes, round by round."""
    return [(one - other) / calls for one, other in zip(more, fewer, strict=True)]


class _Chain(nn.Module):
    """Products and what lies between them: a library's kernel and one of Triton for each layer."""

    def __init__(self, layers: int) -> None:
        super().__init__()
        self.layers = nn.ModuleList(nn.Linear(32, 32, bias=False) for _ in range(layers))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        for layer in self.layers:
            x = torch.sin(layer(x))
        return x


class _Reduced(nn.Module):
    """A chain with a collective behind each of the first layers."""

    def __init__(self, layers: int, reduced: int, group: Any) -> None:
        super().__init__()
        self.chain, self.reduced, self.group = _Chain(layers), reduced, group

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        for index, layer in enumerate(self.chain.layers):
            x = torch.sin(layer(x))
            if index < self.reduced:
                x = collectives.all_reduce(x, "sum", self.group)
        return x


def launches() -> dict[str, list[float]]:
    """A kernel of a compiled forward, one of a compiled backward, and entering a graph."""
    x = torch.randn(8, 32, device="cuda")
    few, many = (torch.compile(_Chain(count).cuda()) for count in (4, 44))
    with torch.no_grad():
        short, long = host(lambda: few(x)), host(lambda: many(x))
    kernel = less(long, short, 80)
    steps = [host(lambda net=net: net(x).sum().backward()) for net in (few, many)]
    both = less(steps[1], steps[0], 80 + 120)  # a backward has a product more for each layer
    entered = [one - 8 * each for one, each in zip(short, kernel, strict=True)]
    return {"kernel": kernel, "kernel of a step": both, "graph": entered}


def entered() -> dict[str, list[float]]:
    """Entering the graph of a layer in a step, forward and backward: layers that are compiled one by one, against the same
    compiled as a whole. Once for a graph, and for each of its parameters.
    """
    x = torch.randn(8, 32, device="cuda")
    count = 16

    def steps(linears: int, one_by_one: bool) -> tuple[list[float], list[float]]:
        model = nn.Sequential(*(_Chain(linears) for _ in range(count))).cuda()
        for layer in model if one_by_one else ():
            layer.compile()
        called = model if one_by_one else torch.compile(model)
        forward = host(lambda: called(x), ahead=5)
        return forward, host(lambda: called(x).sum().backward(), ahead=5)

    small = [less(one, whole, count) for one, whole in zip(steps(2, True), steps(2, False), strict=True)]
    large = [less(one, whole, count) for one, whole in zip(steps(10, True), steps(10, False), strict=True)]
    return {
        "graph of a step, forward, 2 parameters": small[0],
        "graph of a step, forward, 10 parameters": large[0],
        "graph of a step, both ways, 2 parameters": small[1],
        "graph of a step, both ways, 10 parameters": large[1],
    }


def sent(mesh: DeviceMesh) -> dict[str, list[float]]:
    """A functional collective of a compiled graph, waited for at once."""
    x = torch.randn(8, 32, device="cuda")
    none, some = (torch.compile(_Reduced(24, count, mesh.get_group())).cuda() for count in (0, 20))
    with torch.no_grad():
        return {"functional collective": less(host(lambda: some(x)), host(lambda: none(x)), 20)}


def sharded(mesh: DeviceMesh) -> dict[str, list[float]]:
    """What FSDP2 does for a group of parameters, three times in a step: gathers it, gathers it again for the backward, reduces
    and scatters. Once for a group, and for each of its parameters.
    """
    x = torch.randn(8, 32, device="cuda")

    def step(linears: int, cut: bool) -> list[float]:
        layers = (nn.Sequential(*(nn.Linear(32, 32) for _ in range(linears))) for _ in range(12))
        model = nn.Sequential(*layers).cuda()
        for layer in model if cut else ():
            fully_shard(layer, mesh=mesh, reshard_after_forward=True)
        if cut:
            fully_shard(model, mesh=mesh)
        for _ in range(3):
            model(x).sum().backward()
        return host(lambda: model(x).sum().backward(), ahead=5)

    small = less(step(1, True), step(1, False), 12 * 3)
    large = less(step(8, True), step(8, False), 12 * 3)
    each = less(large, small, 14)
    group = [whole - 2 * one for whole, one in zip(small, each, strict=True)]
    return {"FSDP2, a group's gather or reduction": group, "each parameter of the group": each}


def distributed(mesh: DeviceMesh) -> dict[str, list[float]]:
    """Operations of an optimizer on DTensors: one parameter at a time, and many at once."""
    whole = [torch.randn(64, 64, device="cuda") for _ in range(40)]
    parts = [distribute_tensor(tensor, mesh, [Shard(0)]) for tensor in whole]
    rows: dict[str, list[list[float]]] = {}
    for kind, tensors in (("plain", whole), ("DTensor", parts)):
        for tensor in tensors:
            tensor.requires_grad_()
        for foreach in (False, True):
            optimizer = torch.optim.AdamW(tensors, foreach=foreach)
            for tensor in tensors:
                tensor.grad = tensor.detach().clone()
            rows[f"{kind} {foreach}"] = [host(optimizer.step, ahead=3)]
    one = [spent / (40 * 8) for spent in rows["plain False"][0]]
    own = [spent / (40 * 8) for spent in rows["DTensor False"][0]]
    many = less(rows["DTensor True"][0], rows["plain True"][0], 8 * 40)
    return {"operation": one, "operation on DTensors": own, "each DTensor of many at once": many}


def ring(mesh: DeviceMesh) -> dict[str, list[float]]:
    """Attention whose keys and values go round, forward and backward."""
    shapes = [
        torch.randn(1, 8, 256, 64, device="cuda", dtype=torch.bfloat16, requires_grad=True) for _ in range(3)
    ]

    def attend() -> torch.Tensor:
        return functional.scaled_dot_product_attention(*shapes, is_causal=True)

    gradient = torch.ones_like(attend())
    with torch.no_grad():
        plain = host(attend, ahead=10)
    plain_step = host(lambda: attend().backward(gradient), ahead=10)
    buffers = [tensor.detach() for tensor in shapes]
    with context_parallel(mesh, buffers=buffers, buffer_seq_dims=[2, 2, 2], no_restore_buffers=set(buffers)):
        with torch.no_grad():
            round_ = host(attend, ahead=10)
        step = host(lambda: attend().backward(gradient), ahead=10)
    return {
        "ring attention": less(round_, plain, 1),
        "ring attention and its backward": less(step, plain_step, 1),
    }


def main() -> None:
    """Each in turn; a failure of one is written in its place."""
    torch.cuda.set_device(int(os.environ["LOCAL_RANK"]))
    dist.init_process_group("nccl")
    mesh = init_device_mesh("cuda", (dist.get_world_size(),), mesh_dim_names=("all",))
    found: dict[str, Any] = {"torch": torch.__version__, "gpu": torch.cuda.get_device_name()}
    for work in (
        launches,
        entered,
        *(lambda work=work: work(mesh) for work in (sent, sharded, distributed, ring)),
    ):
        try:
            found |= {name: reported(rounds) for name, rounds in work().items()}
        except Exception as error:
            found[getattr(work, "__name__", "?")] = f"{type(error).__name__}: {str(error)[:600]}"
        dist.barrier()
    if dist.get_rank() == 0:
        print(json.dumps(found, indent=1), flush=True)
        Path(sys.argv[1]).write_text(json.dumps(found, indent=1))
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
