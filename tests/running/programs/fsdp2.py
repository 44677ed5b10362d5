"""fully_shard on gloo, or NCCL where there are GPUs: torchrun --nproc-per-node 2 fsdp2.py"""

import os

import torch
import torch.distributed as dist
from torch.distributed.device_mesh import init_device_mesh
from torch.distributed.fsdp import fully_shard


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.first, self.second = torch.nn.Linear(8, 32), torch.nn.Linear(32, 4)

    def forward(self, x):
        return self.second(torch.nn.functional.gelu(self.first(x)))


ON_GPUS = 0 < int(os.environ["WORLD_SIZE"]) <= torch.cuda.device_count()
dist.init_process_group("nccl" if ON_GPUS else "gloo")
rank = dist.get_rank()
device = torch.device("cuda", rank) if ON_GPUS else torch.device("cpu")
if ON_GPUS:
    torch.cuda.set_device(device)
mesh = init_device_mesh(device.type, (dist.get_world_size(),))
torch.manual_seed(0)
net = Net().to(device)
for layer in (net.first, net.second):
    fully_shard(layer, mesh=mesh)
fully_shard(net, mesh=mesh)
model = torch.compile(net)
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
torch.manual_seed(rank)
lines = []
for index in range(3):
    loss = model(torch.randn(6, 8, device=device)).square().mean()
    loss.backward()
    optimizer.step()
    optimizer.zero_grad()
    lines.append(f"{index} {loss.item().hex()}")
gathered = [None] * dist.get_world_size()
dist.all_gather_object(gathered, lines)
if rank == 0:
    print(gathered, flush=True)
dist.destroy_process_group()
