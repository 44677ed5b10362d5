"""An edit list is data: it names operations, never other functions of the process."""

import math

import pytest
import torch

from compiler.engine.fx.graph_import import target_name
from compiler.engine.fx.resolve_target import find_argument, find_target
from compiler.model.ir.arguments import ConstantArgument

pytestmark = pytest.mark.engine

HOSTILE = [
    "torch.os.system",
    "torch.load",
    "torch.save",
    "torch.hub.load",
    "torch.ops.load_library",
    "torch.classes.load_library",
    "torch.jit.load",
    "torch.from_file",
    "aten.from_file.default",
    "operator.attrgetter",
    "operator.methodcaller",
    "operator.call",
    "torch.sys.exit",
    "math.os",
    "torch.compile",
    "torch.set_num_threads",
    "torch.nn.functional.boolean_dispatch",
    "torch.nn.functional.warnings.warn",
    "torch.functional.itertools.chain",
    "torch.utils.cpp_extension.load",
    "torch.Tensor.apply_",
    "torch.Tensor.register_hook",
    "torch.Tensor.__reduce_ex__",
    "torch.builtins.eval",
    "torch.nn.functional.importlib.import_module",
    "torch._C._jit_pass_inline",
    "torch._dynamo.config.os.system",
    "torch.__dict__",
]
OPERATIONS = [
    "torch.relu",
    "torch.nn.functional.gelu",
    "torch.nn.functional.max_pool2d",
    "torch._C._nn.linear",
    "_operator.add",
    "operator.getitem",
    "math.sqrt",
    "aten.relu.default",
    "torch.ops.aten.relu",
    "prims.sin.default",
    "torch.sym_max",
    "torch.arange",
    "torch.Tensor.add",
    "torch.special.erf",
    "torch.linalg.norm",
    "torch.fft.fft",
    "torch.einsum",
    "torch.nn.functional.scaled_dot_product_attention",
    "torch._assert_async",
]


@pytest.mark.parametrize("target", HOSTILE)
def test_what_is_no_operation_is_refused(target: str):
    with pytest.raises(KeyError):
        find_target("call_function", target)


@pytest.mark.parametrize("target", OPERATIONS)
def test_operations_are_found(target: str):
    assert callable(find_target("call_function", target))


@pytest.mark.parametrize("method", ["__reduce_ex__", "__setstate__", "__class__", "apply_", "_make_subclass"])
def test_methods_that_compute_nothing_are_refused(method: str):
    with pytest.raises(KeyError):
        find_target("call_method", method)


@pytest.mark.parametrize("method", ["view", "add_", "__radd__", "__getitem__", "__and__", "item"])
def test_methods_that_compute_are_found(method: str):
    assert find_target("call_method", method) == method


def test_what_the_programs_graph_calls_already_may_be_called_again():
    own = torch._C._set_grad_enabled
    with pytest.raises(KeyError):
        find_target("call_function", target_name(own))
    assert find_target("call_function", target_name(own), (own,)) is own


def test_a_dtype_is_a_dtype():
    with pytest.raises(KeyError):
        find_argument(ConstantArgument("dtype", "torch.os"), {})
    assert find_argument(ConstantArgument("dtype", "torch.float64"), {}) is torch.float64
    assert math.isnan(find_argument(ConstantArgument("float", "nan"), {}))
