"""DTensor: a net whose layers are cut by columns and rows: torchrun --nproc-per-node 2 tensor_parallel.py"""

import os

import torch
import torch.distributed as dist
from torch.distributed.device_mesh import init_device_mesh
from torch.distributed.tensor.parallel import ColwiseParallel, RowwiseParallel, parallelize_module


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.up, self.down = torch.nn.Linear(16, 64), torch.nn.Linear(64, 16)

    def forward(self, x):
        return x + self.down(torch.relu(self.up(x)))


ON_GPUS = 0 < int(os.environ["WORLD_SIZE"]) <= torch.cuda.device_count()
dist.init_process_group("nccl" if ON_GPUS else "gloo")
rank = dist.get_rank()
device = torch.device("cuda", rank) if ON_GPUS else torch.device("cpu")
if ON_GPUS:
    torch.cuda.set_device(device)
mesh = init_device_mesh(device.type, (dist.get_world_size(),), mesh_dim_names=("tp",))
torch.manual_seed(0)
net = parallelize_module(Net().to(device), mesh, {"up": ColwiseParallel(), "down": RowwiseParallel()})
model = torch.compile(net)
optimizer = torch.optim.SGD(net.parameters(), lr=0.1, foreach=False)
lines = []
for index in range(3):
    loss = model(torch.randn(8, 16, device=device)).square().mean()
    loss.backward()
    optimizer.step()
    optimizer.zero_grad()
    lines.append(f"{index} {loss.item().hex()}")
gathered = [None] * dist.get_world_size()
dist.all_gather_object(gathered, lines)
if rank == 0:
    print(gathered, flush=True)
dist.destroy_process_group()
