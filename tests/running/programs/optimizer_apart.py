"""Model and optimizer compiled apart; the batch gets smaller at the third step."""

import torch
from torch.nn.functional import cross_entropy

torch.manual_seed(0)
net = torch.nn.Sequential(torch.nn.Linear(16, 32), torch.nn.Dropout(0.1), torch.nn.Linear(32, 8))
model = torch.compile(net)
optimizer = torch.optim.AdamW(net.parameters(), lr=1e-3)


@torch.compile
def optimizer_step():
    optimizer.step()


for index in range(5):
    loss = cross_entropy(
        model(torch.randn(8 if index < 2 else 4, 16)), torch.zeros(8 if index < 2 else 4, dtype=int)
    )
    loss.backward()
    optimizer_step()
    optimizer.zero_grad()
    print(index, loss.item().hex(), flush=True)
