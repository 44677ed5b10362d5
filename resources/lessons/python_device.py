"""A device of its own in Python: PrivateUse1, and how calls find their way to it.

Watch: aten::add.Tensor, aten::mul.out, aten::empty.memory_format
"""

# %% A name for the device that torch keeps free
import torch
from torch.utils import _pytree as pytree
from torch.utils.backend_registration import _setup_privateuseone_for_python_backend

_setup_privateuseone_for_python_backend("labdev")
print(torch.device("labdev"))

# %% Its tensors hold nothing: the numbers are kept beside them, on the CPU
memory = {}


def wrap(values):
    tensor = torch._C._acc.create_empty_tensor(values.shape, values.dtype)
    storage = tensor.untyped_storage()
    memory[storage._cdata] = values, storage
    return tensor


def unwrap(tensor):
    on_device = isinstance(tensor, torch.Tensor) and tensor.device.type == "labdev"
    return memory[tensor.untyped_storage()._cdata][0] if on_device else tensor


# %% Kernels for making a tensor and for copying
kernels = torch.library.Library("aten", "IMPL")


def empty(size, dtype=None, layout=None, device=None, pin_memory=None, memory_format=None):
    return wrap(torch.empty(size, dtype=dtype))


def empty_strided(size, stride, dtype=None, layout=None, device=None, pin_memory=None):
    return wrap(torch.empty_strided(size, stride, dtype=dtype))


def copy_from(source, target, non_blocking=False):
    unwrap(target).copy_(unwrap(source))
    return target


kernels.impl("empty.memory_format", empty, "PrivateUse1")
kernels.impl("empty_strided", empty_strided, "PrivateUse1")
kernels.impl("_copy_from", copy_from, "PrivateUse1")
a, b = torch.ones(3).to("labdev"), torch.full((3,), 2.0).to("labdev")
print("a is on", a.device, "and back on the CPU it is", a.cpu())

# %% Nothing adds yet
try:
    a + b
except NotImplementedError as error:
    print(str(error).partition(" This could be")[0])


# %% A kernel for one operator
def add(one, other, alpha=1):
    print("our kernel for add")
    return wrap(unwrap(one) + alpha * unwrap(other))


kernels.impl("add.Tensor", add, "PrivateUse1")
print((a + b).cpu())

# %% A fallback for all the others
everything = torch.library.Library("_", "IMPL")


def fall_back(operator, *args, **kwargs):
    print("fallback for", operator)
    args, kwargs = pytree.tree_map(unwrap, (args, kwargs))
    kwargs.pop("device", None)
    result = operator(*args, **kwargs)
    return pytree.tree_map(lambda value: wrap(value) if isinstance(value, torch.Tensor) else value, result)


everything.fallback(fall_back, "PrivateUse1")
print(((a + b) * a).relu().cpu())

# %% Autograd comes with it: its kernels are the same for every device
w = torch.ones(3).to("labdev").requires_grad_()
(w * b).sum().backward()
print("gradient", w.grad.cpu())

# %% [calls] The same call on the CPU and on the device
torch.ones(3) * torch.ones(3)
(a * b) + b
