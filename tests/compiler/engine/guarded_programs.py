"""Programs that compile again and again, each time for another reason, for tests of guards."""

import torch
from torch import nn

SCALE = 2.0


class Guarded(nn.Module):
    """Its code depends on the shape, dtype and layout of x, on flag, on SCALE, on times and on the mode."""

    def __init__(self):
        super().__init__()
        self.linear = nn.Linear(4, 4)
        self.flag = True

    def forward(self, x, y, times=3, names=("a", "b")):
        x = x * SCALE + len(names)
        if self.flag:
            x = x + times
        if x.dim() == 2 and x.shape[0] > 5:
            x = x * 2
        if self.training:
            x = x + 1
        return x.sum() + y.sum()


class Recompiles(nn.Module):
    """Calls one block with inputs that differ in one thing each. The break in the loop leaves this frame to Python."""

    def __init__(self):
        super().__init__()
        self.block = Guarded()

    def forward(self, x, y):
        global SCALE
        cases = {
            "shape": torch.randn(9, 4),
            "dtype": x.double(),
            "requires_grad": x.detach().requires_grad_(),
        }
        total = 0
        for case in ("first", "shape", "dtype", "requires_grad", "flag", "grad mode", "global"):
            torch._dynamo.graph_break()
            self.block.flag = case != "flag"
            SCALE = 3.0 if case == "global" else 2.0
            with torch.set_grad_enabled(case != "grad mode"):
                total = total + self.block(cases.get(case, x), y).detach().float()
        SCALE = 2.0
        return total


class Rates(nn.Module):
    """Its rate differs from call to call: a symbol that dropout makes a number, which torch checks twice."""

    def __init__(self):
        super().__init__()
        self.rate = 0.0

    def drop(self, x):
        x = nn.functional.dropout(x, self.rate) if self.rate > 0 else x
        return x + self.rate

    def forward(self, x, y):
        for rate in (0.0, 0.1):
            torch._dynamo.graph_break()
            self.rate = rate
            x = self.drop(x)
        return x


class Sizes(nn.Module):
    """Each block is called with several sizes, and fixes them in its own way."""

    def asks(self, x):
        return x + 1 if x.shape[0] == 4 else x - 1

    def bounds(self, x):
        x = x.relu()
        return x + 1 if x.shape[0] < 6 else x - 1

    def marked(self, x):
        return x * 3

    def forward(self, x, y):
        for size in (3, 4, 0, 7):
            torch._dynamo.graph_break()
            self.asks(torch.ones(size))
            torch._dynamo.graph_break()
            self.bounds(torch.ones(size))
        for size in (3, 5, 7):
            z = torch.ones(size)
            torch._dynamo.mark_static(z, 0)
            torch._dynamo.graph_break()
            self.marked(z)
        return x


class Lowered(nn.Module):
    """A size that Inductor fixes, behind Dynamo."""

    def cuts(self, x):
        return nn.functional.conv2d(torch.ones(1, len(x), 8, 8), torch.ones(4, len(x), 3, 3))

    def forward(self, x, y):
        for size in (3, 5, 7):
            torch._dynamo.graph_break()
            self.cuts(torch.ones(size))
        return x


def example_inputs():
    return torch.randn(8, 4), torch.randn(3)
