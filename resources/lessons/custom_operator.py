"""Registering an operator of your own, one kernel after another.

Watch: lab::scale
"""

# %% An operator begins as a name and a schema
import torch

torch.library.define("lab::scale", "(Tensor x, float factor) -> Tensor")
scale = torch.ops.lab.scale
try:
    scale(torch.ones(3), 2.0)
except NotImplementedError as error:
    print(str(error).partition(" This could be")[0])


# %% A kernel for every backend
@torch.library.impl("lab::scale", "CompositeExplicitAutograd")
def scale_anywhere(x, factor):
    return x * factor


print(scale(torch.ones(3), 2.0))

# %% Nothing can trace it: whoever traces has shapes and no numbers
try:
    torch.compile(lambda x: scale(x, 2.0), backend="eager", fullgraph=True)(torch.ones(3))
except Exception as error:
    print(type(error).__name__, str(error).split("\n")[0])


# %% A fake kernel says which shape comes out
@torch.library.register_fake("lab::scale")
def scale_shape(x, factor):
    return torch.empty_like(x)


print(torch.compile(lambda x: scale(x, 2.0), backend="eager", fullgraph=True)(torch.ones(3)))


# %% A derivative, for autograd
def keep_factor(ctx, inputs, output):
    ctx.factor = inputs[1]


def scale_backward(ctx, grad):
    return grad * ctx.factor, None


torch.library.register_autograd("lab::scale", scale_backward, setup_context=keep_factor)
x = torch.ones(3, requires_grad=True)
scale(x, 3.0).sum().backward()
print("gradient", x.grad)


# %% A kernel for one device goes before the one for all
@torch.library.impl("lab::scale", "CPU")
def scale_on_cpu(x, factor):
    return x.mul(factor)


# %% A batching rule, for vmap
@torch.library.register_vmap("lab::scale")
def scale_many(info, in_dims, x, factor):
    return scale(x, factor), in_dims[0]


print(torch.vmap(lambda row: scale(row, 2.0))(torch.ones(2, 3)))

# %% [calls] The way of one call through all of them
torch.vmap(lambda row: scale(row, 2.0))(torch.ones(2, 3, requires_grad=True))


# %% A schema that lies: calling the operator does not tell, opcheck does
@torch.library.custom_op("lab::lying", mutates_args=())
def lying(x: torch.Tensor) -> torch.Tensor:
    x.add_(1)
    return x.clone()


print("called:", lying(torch.ones(2)))
try:
    torch.library.opcheck(lying, (torch.ones(2),))
except Exception as error:
    print("opcheck:", str(error).split("\n")[0])
