"""The plan read from wrappers: sizes, lives, reuse, what is saved for the backward, the peak, and what was measured."""

import msgspec

from compiler.analysis.timing.memory_plan import measured_memory, memory_plan
from compiler.analysis.timing.wrapper_buffers import storage_bytes
from compiler.model.capture.capture import Capture
from compiler.model.ir.arguments import NodeArgument, SequenceArgument
from compiler.model.ir.graph import Graph, Node
from compiler.model.ir.ids import place
from compiler.model.ir.loop_ir import Kernel, KernelSet, LoopNode, LoopProgram, WrapperCode
from compiler.model.ir.stage import FxStage, KernelStage, LoopStage, Stage, StageKind, WrapperStage
from compiler.model.timing.step_trace import Span, SpanKind, StepTrace
from compiler.model.timing.timings import TimedKernel
from tests.helpers import sample_capture
from tests.helpers.changed_capture import with_content

FORWARD = """
class Runner:
    def call(self, args):
        primals_1, primals_2 = args
        args.clear()
        buf0 = empty_strided_cpu((8, 4), (4, 1), torch.float32)
        extern_kernels.mm(primals_1, primals_2, out=buf0)
        buf1 = buf0; del buf0  # reuse
        buf2 = empty_strided_cpu((8, ), (1, ), torch.float64)
        cpp_fused_0(buf1, buf2)
        del buf2
        buf3 = torch.ops.aten.convolution(buf1, None)
        return (buf3, primals_1, reinterpret_tensor(buf1, (32, ), (1, ), 0), )
"""
BACKWARD = """
def call(args):
    primals_1, relu, tangents_1 = args
    buf0 = empty_strided_cpu((s0, 4), (4, 1), torch.float32)
    cpp_fused_0(relu, tangents_1, buf0)
    del relu
    buf1 = empty_strided_cpu((2, 4), (4, 1), torch.bfloat16)
    cpp_fused_1(buf0, buf1)
    del buf0
    return (buf1, )
"""


def graph_of(*outputs: str) -> Graph:
    results = SequenceArgument("tuple", tuple(NodeArgument(name) for name in outputs))
    return Graph((Node("output", "output", "output", SequenceArgument("tuple", (results,))),))


def unit(
    part: str, text: str, calls: tuple[tuple[str, str], ...], outputs: tuple[str, ...]
) -> tuple[Stage, ...]:
    lines = text.split("\n")
    kernels = tuple(
        Kernel(name, name, "cpp", call_line=next(i for i, row in enumerate(lines, 1) if words in row))
        for name, words in calls
    )
    layout = LoopNode(
        "op2",
        "ExternKernelSchedulerNode",
        "convolution",
        buffers=("buf3",),
        layout="FixedLayout('cpu', torch.float32, size=[2, 4], stride=[4, 1])",
    )
    prefix = f"0/0:{part}:"
    kinds = StageKind
    return (
        Stage(prefix + "post_grad", kinds.POST_GRAD_GRAPH, "", FxStage(graph_of(*outputs)), "0/0", part),
        Stage(prefix + "loops", kinds.LOOP_IR, "", LoopStage(LoopProgram((layout,))), "0/0", part),
        Stage(prefix + "kernels", kinds.KERNELS, "", KernelStage(KernelSet(kernels)), "0/0", part),
        Stage(prefix + "wrapper", kinds.WRAPPER, "", WrapperStage(WrapperCode("w.py", text)), "0/0", part),
    )


def capture() -> Capture:
    stages = (
        *unit(
            "forward",
            FORWARD,
            (("mm", "extern_kernels.mm"), ("fused", "cpp_fused_0("), ("conv", "aten.convolution")),
            ("conv_out", "primals_1", "relu"),
        ),
        *unit("backward", BACKWARD, (("b0", "cpp_fused_0("), ("b1", "cpp_fused_1(")), ("mm_1",)),
    )
    return msgspec.structs.replace(sample_capture.capture(), stages=stages)


def test_buffers_live_as_long_as_the_wrapper_says() -> None:
    plan = memory_plan(capture())
    assert [location.nodes[0] for location in plan.kernels] == ["mm", "fused", "conv", "b0", "b1"]
    found = {(buffer.wrapper.split(":")[1], buffer.names[0]): buffer for buffer in plan.buffers}
    saved = found["forward", "buf0"]
    assert (saved.bytes, saved.begin, saved.end, saved.role, saved.reused) == (128, 0, 4, "saved", 1)
    assert saved.names == ("buf0", "buf1", "relu")
    short = found["forward", "buf2"]
    assert (short.bytes, short.begin, short.end, short.role) == (64, 1, 2, "temporary")
    made = found["forward", "buf3"]
    assert (made.bytes, made.begin, made.end, made.role) == (32, 2, 5, "result")
    assert found["backward", "buf0"].bytes is None
    assert plan.unknown == 1
    assert found["backward", "buf1"].role == "result"
    assert plan.live() == (128, 192, 160, 160, 48)
    assert plan.live("saved") == (128, 128, 128, 128, 0)
    assert plan.spared == 128
    assert [buffer.names[0] for buffer in plan.at(1)] == ["buf0", "buf2"]


def test_sizes_are_of_storage_not_of_elements() -> None:
    assert storage_bytes((2, 3), (8, 1), "float32") == 4 * (8 + 2 + 1)
    assert storage_bytes((0, 3), (3, 1), "float32") == 0
    assert storage_bytes((4,), (1,), "bool") == 4
    assert storage_bytes((4,), (1,), "quint4x2") is None


def test_a_wrapper_that_is_no_python_has_no_plan() -> None:
    code = WrapperStage(WrapperCode("w.cpp", "void call() {}"))
    assert memory_plan(with_content(capture(), WrapperStage, lambda _: code)).buffers == ()


def test_memory_is_read_off_in_the_middle_of_each_kernel() -> None:
    kernels = tuple(TimedKernel(name, place("s", name), "forward", "cpp") for name in ("a", "b"))
    spans = (Span(10, 20, SpanKind.GENERATED, "a", 0), Span(30, 40, SpanKind.GENERATED, "b", 1))
    trace = StepTrace(True, True, 50, spans, ((5, 100), (12, 8), (25, -100), (36, 7)))
    assert measured_memory(trace, kernels) == {place("s", "a"): 108, place("s", "b"): 8}
