"""vmap in thirty lines, beside torch's own.

Watch: aten::sin, aten::mm
"""

# %% What vmap promises: a function of one example, run for many
import torch


def f(x, w):
    return torch.sin(w @ x).sum()


examples, w = torch.randn(5, 3), torch.randn(4, 3)
one_by_one = torch.stack([f(x, w) for x in examples])
print(one_by_one)

# %% A tensor that hides a dimension, and a rule for each operation
RULES = {}


class Batched:
    """Looks like one example; holds all of them, with the examples along dimension 0."""

    def __init__(self, all_of_them):
        self.all_of_them = all_of_them

    @property
    def shape(self):
        return self.all_of_them.shape[1:]

    @classmethod
    def __torch_function__(cls, function, types, args=(), kwargs=None):
        return Batched(RULES[function](*args, **(kwargs or {})))

    def sum(self):
        return torch.sum(self)


# %% The rules: what the operation does when there is one more dimension
RULES[torch.sin] = lambda x: torch.sin(x.all_of_them)
RULES[torch.sum] = lambda x: torch.sum(x.all_of_them, dim=tuple(range(1, x.all_of_them.dim())))
RULES[torch.Tensor.__matmul__] = lambda w, x: x.all_of_them @ w.T
RULES[torch.Tensor.matmul] = RULES[torch.Tensor.__matmul__]


def vmap_by_hand(function):
    return lambda examples, w: function(Batched(examples), w).all_of_them


# %% The same results: by hand, torch's, one by one
by_hand = vmap_by_hand(f)(examples, w)
by_torch = torch.vmap(f, in_dims=(0, None))(examples, w)
print("by hand", by_hand)
print("torch  ", by_torch)
print("largest difference, by hand to torch:", (by_hand - by_torch).abs().max().item())
print("largest difference, torch to one by one:", (by_torch - one_by_one).abs().max().item())
torch.testing.assert_close(by_hand, by_torch)
torch.testing.assert_close(by_torch, one_by_one)


# %% What is inside: shapes as the function sees them, and what they stand for
def look(x):
    print("the function sees", tuple(x.shape), "of", tuple(torch._C._functorch.get_unwrapped(x).shape))
    return x.sin()


torch.vmap(look)(examples)
torch.vmap(torch.vmap(look))(torch.randn(2, 5, 3))

# %% An operation without a rule is run one by one, and torch says so
import warnings

with warnings.catch_warnings(record=True) as told:
    warnings.simplefilter("always")
    torch.vmap(lambda x: torch.histc(x, 4, 0, 1))(torch.rand(3, 4))
for warning in told:
    print(str(warning.message).split(". ")[0])

# %% [calls] Each call is taken by its batching rule first
torch.vmap(f, in_dims=(0, None))(examples, w)
