"""A training loop over a timm network."""

import timm
import torch

torch.manual_seed(0)
model = torch.compile(timm.create_model("resnet10t", num_classes=4))
optimizer = torch.optim.SGD(model.parameters(), lr=0.01, momentum=0.9)
for index in range(4):
    loss = torch.nn.functional.cross_entropy(model(torch.randn(2, 3, 64, 64)), torch.tensor([0, 1]))
    loss.backward()
    optimizer.step()
    optimizer.zero_grad()
    print(index, loss.item().hex(), flush=True)
