"""What tensors can do and Dynamo does not trace."""

import operator

import numpy as np
import torch
from torch import nn

_INPUTS = {
    "sparse_input": "torch.eye(3).to_sparse()",
    "nested_input": "torch.nested.nested_tensor([torch.ones(2), torch.ones(3)])",
    "set_with_tensor": "{torch.ones(3)}",
    "index_of_tensor": "torch.tensor(3)",
    "list_of_tensor": "torch.tensor([1])",
    "one_hot": "torch.tensor([1, 2])",
    "slice_by_tensor": "torch.arange(5)",
    "array_as_object": "torch.ones(3)",
}
_SETTINGS = {
    "no_numpy": {"trace_numpy": False},
    "from_numpy": {"trace_numpy": False},
    "numpy_function_off": {"trace_numpy": False},
    "numpy_random": {"use_numpy_random_stream": True},
    "not_compliant": {"only_allow_pt2_compliant_ops": True},
}


def example_inputs():
    return (torch.randn(4),)


def branch(x):
    y = x * 2
    if y.sum() > 0:  # GB0170
        return y + 1
    return y - 1


def conditional_expression(x):
    y = x * 2
    return y + 1 if y.mean() > 0 else y - 1  # GB0170


def boolean_or(x):
    y = x * 2
    return (y.any() or y.all()) & (y > 0)  # GB0170


def while_loop(x):
    while x.sum() > 10:  # GB0170
        x = x - 1
    return x


def print_in_loop(x):
    for i in range(3):
        x = x + i
        print("", end="")  # GB0059 GB7000
    return x


def asserted_with_message(x):
    y = x + 1
    assert y.sum() > -1e9, y  # GB0170
    return y


def item(x):
    return x * x.sum().item()  # GB0124


def float_of_tensor(x):
    return x * float(x.sum())  # GB0124


def to_list(x):
    return x + x.tolist()[0]  # GB0109


def mask(x):
    return x[x > 0]  # GB0036


def nonzero(x):
    return torch.nonzero(x)  # GB0036


def unique(x):
    return torch.unique(x)  # GB0036


def equal(x):
    y = x + 1
    return y * torch.equal(x, y)  # GB0033


def allclose(x):
    y = x + 1
    return y * torch.allclose(x, y)  # GB0033


def slice_by_tensor(x):
    return x[: torch.tensor(2)] + x[x[1] :][:2]  # GB0124


def random_in_place(x):
    return torch.zeros(3).random_() + x.sum()  # GB0107


def uniform_from(x):
    return torch.zeros(3).uniform_(**{"from": 0.0}) + x.sum()  # GB0110


def resize(x):
    return (x + 1).resize_(2)  # GB0126


def resize_as(x):
    return (x + 1).resize_as_(torch.ones(2))  # GB0127


def share_memory(x):
    return (x + 1).share_memory_()  # GB0117


def sparse_input(x):
    return x * 2  # GB0015


def nested_input(x):
    return x * 2  # GB0016


def set_with_tensor(x):
    return next(iter(x)) * 2  # GB0222


def sparse_made(x):
    return torch.sparse_coo_tensor([[0, 1], [1, 0]], [1.0, 2.0], (2, 2)).to_dense() + x.sum()  # GB0007 GB0015


def nested_made(x):
    return torch.nested.nested_tensor([x, x]).to_padded_tensor(0.0)  # GB0016 GB0090


def index_of_tensor(x):
    return x + operator.index(x)  # GB0124


def list_of_tensor(x):
    return x + [1, 2][x]  # GB0124


def size_by_tensor(x):
    return x + x.shape[torch.zeros(1, dtype=torch.int64)]  # GB0124


def one_hot(x):
    return nn.functional.one_hot(x)  # GB0246


def out_of_other_shape(x):
    out = torch.empty(0)
    torch.add(x, x, out=out)  # GB0247
    return out


def out_not_contiguous(x):
    out = torch.empty(4, 4)[:, 0]
    torch.add(x, x, out=out)  # GB0242
    return out


def out_tuple_of_other_shape(x):
    values, indices = torch.empty(0), torch.empty(0, dtype=torch.int64)
    torch.sort(x, out=(values, indices))  # GB0240
    return values


def no_numpy(x):
    return x.numpy().sum() + x  # GB0105 GB0290


def from_numpy(x):
    return torch.from_numpy(np.ones(4, dtype=np.float32)) + x  # GB0231 GB0293


def numpy_function_off(x):
    return x + float(np.sum(np.ones(3)))  # GB0293


def numpy_unsupported(x):
    return x + np.interp(0.5, np.array([0.0, 1.0]), np.array([0.0, 2.0]))  # GB0294


def numpy_random(x):
    return x + np.random.uniform()  # GB0298


def array_as_object(x):
    return x + len(x.numpy().astype(object))  # GB0185 GB0250


def array_attribute(x):
    return x + x.numpy().flags.writeable  # GB0157


def array_method(x):
    y = x.numpy()
    y.dumps()  # GB4315
    return x + 1


def is_inference(x):
    return x * 2 if x.is_inference() else x + 1  # GB0045


def data_pointers(x):
    y = x + 1
    return y * (x.data_ptr() == y.data_ptr())  # GB5976


def sort_tensors(x):
    return sorted([x[0], x[1]], key=lambda value: value)[0]  # GB0207


def in_place_on_input_list(x):
    y = [x, x]
    y[x.argmax()] = x + 1  # GB0124
    return y[0]


def complex_of_tensor(x):
    return x + complex(x.sum()).real  # GB0059


def data_of_other_type(x):
    y = x + 1
    y.data = torch.zeros(4, dtype=torch.float64)  # GB0056
    return y


def data_set(x):
    y = x + 1
    y.data = torch.zeros(3, 3)  # GB0056
    return y


def attribute_of_tensor(x):
    y = x + 1
    y.real = torch.zeros(4)  # GB0058
    return y


def compiled_script(x):
    return x.storage().size() + x  # GB0008 GB0208


def number_of_threads(x):
    return x + torch.get_num_threads()  # GB0208


def pin(x):
    return x.untyped_storage().nbytes() + x  # GB0156


def deep_ndim(x):
    return x.__array__() + 1  # GB4315


def iterate_nonzero(x):
    return [value for value in x.nonzero()]  # GB0036


def iterate_mask(x):
    total = x.sum()
    for value in x[x > -9]:  # GB0036
        total = total + value
    return total


@torch.library.custom_op("registry_cases::plain", mutates_args=())
def _plain_op(x: torch.Tensor) -> torch.Tensor:
    return x.clone()


def operator_without_fake(x):
    return torch.ops.registry_cases.plain(x + 1) * 2  # GB4315


def to_numpy_object(x):
    return x + len(np.array(["a", "b"]))  # GB0087 GB0185


def memory(x):
    return x + memoryview(x.numpy())[0]  # GB0059 GB4880


def apply_function(x):
    return (x + 1).apply_(lambda value: value + 1)  # GB0055


def map_function(x):
    return (x + 1).map_(x, lambda first, second: first + second)  # GB0055


def split_by_tensor(x):
    return torch.repeat_interleave(x, torch.tensor([1, 2, 1, 1]))  # GB0036


def bincount(x):
    return torch.bincount(x.to(torch.int64).abs())  # GB0036


def svd_checked(x):
    return torch.linalg.lstsq(x.view(2, 2), x.view(2, 2)).solution  # GB0036


def masked_select(x):
    return torch.masked_select(x, x > 0)  # GB0036


def deepcopy_parameter(x):
    return nn.Parameter(x.detach().clone()) * 2  # GB0264
