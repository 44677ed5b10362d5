"""Accelerate compiles the model itself; gradients are accumulated over two batches."""

import torch
from accelerate import Accelerator
from accelerate.utils import TorchDynamoPlugin, set_seed
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.norm, self.inner, self.out = nn.LayerNorm(16), nn.Linear(16, 64), nn.Linear(64, 4)

    def forward(self, x):
        return self.out(nn.functional.silu(self.inner(self.norm(x))))


set_seed(0)
plugin = TorchDynamoPlugin(backend="inductor")
accelerator = Accelerator(cpu=True, dynamo_plugin=plugin, gradient_accumulation_steps=2)
data = TensorDataset(torch.randn(40, 16), torch.randint(0, 4, (40,)))
net = Net()
net, optimizer, loader = accelerator.prepare(
    net, torch.optim.SGD(net.parameters(), lr=0.1), DataLoader(data, 8)
)
for index, (x, y) in enumerate(loader):
    with accelerator.accumulate(net):
        loss = nn.functional.cross_entropy(net(x), y)
        accelerator.backward(loss)
        optimizer.step()
        optimizer.zero_grad()
    print(index, loss.item().hex(), flush=True)
