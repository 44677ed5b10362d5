"""Two ranks with collectives in their compiled graphs; the second compiles something else, as programs do that hang."""

import torch
import torch.distributed as dist
import torch.distributed._functional_collectives as functional
from torch._inductor import config, debug

dist.init_process_group("gloo")
rank = dist.get_rank()
config.log_tlparse = True


@torch.compile
def step(x: torch.Tensor) -> torch.Tensor:
    total = functional.all_reduce(x.relu(), "sum", dist.group.WORLD)
    gathered = functional.all_gather_tensor(total * 2, 0, dist.group.WORLD)
    return gathered.sum(-1)


with debug.record_and_log_graph_execution_order():
    print(step(torch.ones(4, 4)).sum().item())
    if rank:
        torch.compile(lambda x: x.cos() + 1)(torch.ones(3))
    dist.barrier()
    print(step(torch.ones(4, 4)).sum().item())
dist.destroy_process_group()
