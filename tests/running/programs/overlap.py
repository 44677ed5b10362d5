"""Functional collectives with work beside them: torchrun --nproc-per-node 2 overlap.py"""

import os

import torch
import torch.distributed as dist
import torch.distributed._functional_collectives as collectives

ON_GPUS = 0 < int(os.environ["WORLD_SIZE"]) <= torch.cuda.device_count()
dist.init_process_group("nccl" if ON_GPUS else "gloo")
rank, world = dist.get_rank(), dist.get_world_size()
device = torch.device("cuda", rank) if ON_GPUS else torch.device("cpu")
if ON_GPUS:
    torch.cuda.set_device(device)


def forward(x, w, v):
    total = collectives.all_reduce(x @ w, "sum", dist.group.WORLD)
    beside = torch.relu(x @ v).softmax(-1)
    whole = collectives.all_gather_tensor(beside, 0, dist.group.WORLD)
    more = torch.tanh(v @ v)
    part = collectives.reduce_scatter_tensor(whole, "sum", 0, dist.group.WORLD)
    return total + part @ more


torch.manual_seed(0)
w, v = torch.randn(64, 64, device=device), torch.randn(64, 64, device=device)
torch.manual_seed(rank)
compiled = torch.compile(forward)
lines = [compiled(torch.randn(32, 64, device=device), w, v).sum().item().hex() for _ in range(3)]
gathered = [None] * world
dist.all_gather_object(gathered, lines)
if rank == 0:
    print(gathered, flush=True)
dist.destroy_process_group()
