"""Kernels, their calls and the comments above them, as wrappers of Triton and of C++ have them."""

from compiler.analysis.torch_logs.printed.generated_code import read_generated

WRAPPER = """
from torch._inductor.async_compile import AsyncCompile
async_compile = AsyncCompile()
# kernel path: /tmp/x.py
# Topologically Sorted Source Nodes: [x_1], Original ATen: [aten.addmm, aten.relu]
# Source node to ATen node mapping:
#   x_1 => relu
# Graph fragment:
#   %arg1_1 : Tensor "f32[4]" = PlaceHolder[target=arg1_1]
#   %add : [num_users=1] = call_function[target=torch.ops.aten.add.Tensor](args = (%mm, %arg1_1), kwargs = {})
#   %relu : [num_users=1] = call_function[target=torch.ops.aten.relu.default](args = (%add,), kwargs = {})
triton_poi_fused_addmm_relu_0 = async_compile.triton(\'triton_poi_fused_addmm_relu_0\', \'\'\'
import triton
def call(x):
    extern_kernels.never(x)
\'\'\', device_str=\'cuda\')

async_compile.wait(globals())

def call(args):
    arg0_1, arg1_1 = args
    buf0 = empty_strided_cuda((4, ), (1, ), torch.float32)
    # Topologically Sorted Source Nodes: [x], Original ATen: [aten.mm]
    extern_kernels.mm(arg0_1, arg1_1, out=buf0)
    triton_poi_fused_addmm_relu_0.run(buf0, arg1_1, 4, stream=stream0)
    triton_poi_fused_addmm_relu_0.run(buf0, arg1_1, 4, stream=stream0)
    buf1 = torch.ops.mine.op.default(buf0)
    return (buf1, )

def benchmark_compiled_module(times=10, repeat=10):
    extern_kernels.never(1)
"""


def test_triton_kernels_their_calls_and_what_torch_says_of_them() -> None:
    code = read_generated(WRAPPER, "/tmp/w.py")
    assert [(kernel.id, kernel.language) for kernel in code.kernels] == [
        ("extern_kernels.mm", "extern"),
        ("triton_poi_fused_addmm_relu_0", "triton"),
        ("triton_poi_fused_addmm_relu_0#2", "triton"),
        ("torch.ops.mine.op.default", "extern"),
    ]
    assert code.kernels[1].source.startswith("import triton")
    assert code.kernels[1].origins == ("add", "relu")
    lines = WRAPPER.split("\n")
    assert all(kernel.name in lines[(kernel.call_line or 0) - 1] for kernel in code.kernels)
    notes = {note.kernel: note for note in code.notes}
    assert notes["extern_kernels.mm"].operators == ("aten.mm",)
    assert notes["triton_poi_fused_addmm_relu_0"].nodes == ("add", "relu")
    assert notes["triton_poi_fused_addmm_relu_0"].source_nodes == ("x_1",)


def test_a_wrapper_in_cpp_is_kept_as_text() -> None:
    code = read_generated("#include <torch/csrc/x.h>\nvoid run() {}\n", "/tmp/w.cpp")
    assert code.wrapper.language == "cpp"
    assert code.kernels == ()


def test_operators_that_a_wrapper_calls_by_the_short_name_of_their_namespace_are_kernels() -> None:
    call = "    aten.randint.low_out(0, 9, [1], out=buf0)\n    buf2 = _quantized.wrapped(buf0)\n    return (buf1, )"
    code = read_generated(WRAPPER.replace("    return (buf1, )", call), "/tmp/w.py")
    assert [kernel.name for kernel in code.kernels[-2:]] == ["aten.randint.low_out", "_quantized.wrapped"]
