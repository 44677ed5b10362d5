"""Programs whose bodies are trained. The constant 2.5 is in one body of each, in its forward and in its gradient: written
otherwise in a graph, it must give what the same change of the source gives, at every level of the pipeline.
"""

PROGRAM = """import torch
from torch._higher_order_ops.map import map as torch_map
from torch._higher_order_ops.scan import scan as torch_scan
from torch._higher_order_ops.while_loop import while_loop


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.first, self.second = torch.nn.Linear(8, 8), torch.nn.Linear(8, 8)

    def forward(self, x):
        return self.calls(self.first(x)) + 1


class Branches(Net):
    def calls(self, x):
        def yes(x):
            return torch.sin(self.second(x)) * 2.5

        def no(x):
            return torch.cos(x) * 0.5 - 1

        return torch.cond(x.sum() > -1000, yes, no, (x,))


class Loop(Net):
    def calls(self, x):
        def go_on(i, x):
            return i < 3

        def body(i, x):
            return i + 1, torch.tanh(x * 2.5)

        return while_loop(go_on, body, (torch.tensor(0), x))[1]


class Regions(Net):
    def calls(self, x):
        @torch.compiler.nested_compile_region
        def part(y):
            return torch.sin(y) * 2.5

        return part(part(x))


@torch.compiler.nested_compile_region
def region(y):
    return torch.sin(y) * 2.5


class Region(Net):
    def calls(self, x):
        return region(torch.cos(x)) * 0.5


class Mapped(Net):
    def calls(self, x):
        def one(row, y):
            return torch.sin(row) * 2.5 * y

        return torch_map(one, x, self.second.bias)


class Scanned(Net):
    def calls(self, x):
        def step(carry, row):
            new = torch.sin(carry * 0.5 + row)
            return new.clone(), torch.tanh(carry) * 2.5

        return torch_scan(step, torch.zeros(8), x)[1]


def example_inputs():
    return (torch.randn(8, 8),)
"""
