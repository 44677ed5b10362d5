"""Mixed precision on a GPU, model and loss compiled, a backward that is compiled when it is first asked for."""

import torch

if not torch.cuda.is_available():
    raise SystemExit("needs a GPU")
torch.manual_seed(0)
layer = torch.nn.TransformerEncoderLayer(64, 4, 128, dropout=0.0, batch_first=True)
net = torch.nn.Sequential(torch.nn.Linear(16, 64), layer, torch.nn.Linear(64, 8)).cuda()


@torch.compile
def step(x, wanted):
    with torch.autocast("cuda", dtype=torch.bfloat16):
        return torch.nn.functional.mse_loss(net(x).float(), wanted)


optimizer = torch.optim.AdamW(net.parameters(), lr=1e-3)
for index in range(6):
    size = 8 if index < 3 else 6
    loss = step(torch.randn(size, 32, 16, device="cuda"), torch.ones(size, 32, 8, device="cuda"))
    loss.backward()
    optimizer.step()
    optimizer.zero_grad()
    print(index, loss.item().hex(), flush=True)
