"""A small capture written by hand: ``relu(x @ w) * 2`` in every kind of stage, with links. No torch needed."""

import msgspec

from compiler.model.capture.capture import Capture, Environment
from compiler.model.capture.capture_spec import CaptureSpec, TargetSpec
from compiler.model.capture.frames import Frame, GraphBreak
from compiler.model.ir.arguments import ConstantArgument, MappingArgument, NodeArgument, SequenceArgument
from compiler.model.ir.diagnostics import Problem, Severity
from compiler.model.ir.graph import Graph, Node, SourceLine
from compiler.model.ir.ids import place
from compiler.model.ir.links import LinkTable
from compiler.model.ir.loop_ir import Dependency, Kernel, KernelSet, LoopNode, LoopProgram, WrapperCode
from compiler.model.ir.passes import FusionStep, PassRun, PassStart
from compiler.model.ir.passes import difference as graph_difference
from compiler.model.ir.programs import CodeObject, Instruction, SourceFile
from compiler.model.ir.stage import (
    BytecodeStage,
    FxStage,
    JointStage,
    KernelStage,
    LoopStage,
    Partition,
    SavedTensor,
    SourceStage,
    Stage,
    StageKind,
    WrapperStage,
)
from compiler.model.ir.tensor_types import TensorValue
from compiler.model.timing.timings import TimingSummary
from compiler.model.timing.verdicts import Comparison, Difference, Verdict

PATH = "/home/me/model.py"
SOURCE = f"source:{PATH}"
BYTECODE = "0/0:bytecode"
REWRITTEN = "0/0:rewritten"
DYNAMO = "0/0:dynamo"
JOINT = "0/0:joint"
FORWARD = "0/0:forward"
POST_GRAD = "0/0:forward:post_grad"
LOOPS = "0/0:forward:loops"
FUSED = "0/0:forward:fused"
KERNELS = "0/0:forward:kernels"
WRAPPER = "0/0:forward:wrapper"

PROGRAM = """import torch


def model(x, w):
    y = x @ w
    z = torch.relu(y)
    return z * 2
"""

WRAPPER_TEXT = """from torch._inductor.runtime import empty_strided_cpu

def call(args):
    primals_1, primals_2 = args
    buf0 = empty_strided_cpu((32, 64), (64, 1))
    extern_kernels.mm(primals_1, primals_2, out=buf0)
    buf1 = buf0; del buf0  # reuse
    cpp_fused_mul_relu_0(buf1)
    return (buf1, )
"""

KERNEL_TEXT = """extern "C" void kernel(float* in_out_ptr0)
{
    auto tmp0 = in_out_ptr0[x0];
    auto tmp1 = tmp0 * (tmp0 > 0);
    auto tmp2 = tmp1 * 2.0;
    in_out_ptr0[x0] = tmp2;
}
"""


def tensor(*shape: int) -> TensorValue:
    count = 4
    for size in shape:
        count *= size
    return TensorValue(tuple(map(str, shape)), "float32", bytes=count, requires_grad=False)


def args(*values: str | float) -> SequenceArgument:
    items = (
        NodeArgument(value) if isinstance(value, str) else ConstantArgument(type(value).__name__, repr(value))
        for value in values
    )
    return SequenceArgument("tuple", tuple(items))


def node(name: str, target: str, *inputs: str | float, line: int = 0, **facts: object) -> Node:
    stack = (SourceLine(PATH, line, "model", PROGRAM.splitlines()[line - 1].strip()),) if line else ()
    op = str(facts.pop("op", "call_function"))
    return Node(name, op, target, args(*inputs), value=tensor(32, 64), stack=stack, **facts)  # type: ignore[arg-type]


def placeholder(name: str, role: str = "input") -> Node:
    shape = (32, 16) if role == "input" else (16, 64)
    return Node(name, "placeholder", name, args(), value=tensor(*shape), role=role)


def output(name: str) -> Node:
    result = SequenceArgument("tuple", (args(name),))
    return Node("output", "output", "output", result, MappingArgument(()))


def graph_with(*nodes: Node) -> Graph:
    return Graph(nodes)


def dynamo_graph() -> Graph:
    return graph_with(
        placeholder("l_x_"),
        placeholder("l_w_", "parameter"),
        node("y", "_operator.matmul", "l_x_", "l_w_", line=5),
        node("z", "torch.relu", "y", line=6),
        node("mul", "_operator.mul", "z", 2, line=7),
        output("mul"),
    )


def aten_graph(prefix: str = "primals") -> Graph:
    return graph_with(
        placeholder(f"{prefix}_1"),
        placeholder(f"{prefix}_2", "parameter"),
        node("mm", "aten.mm.default", f"{prefix}_1", f"{prefix}_2", line=5),
        node("relu", "aten.relu.default", "mm", line=6),
        node("mul", "aten.mul.Tensor", "relu", 2, line=7),
        output("mul"),
    )


def joint_graph() -> Graph:
    forward = aten_graph().nodes[:-1]
    backward = (
        Node(
            "tangents_1",
            "placeholder",
            "tangents_1",
            args(),
            value=tensor(32, 64),
            role="tangent",
            lane="backward",
        ),
        node("mul_1", "aten.mul.Tensor", "tangents_1", 2, line=7, lane="backward"),
        node("le", "aten.le.Scalar", "relu", 0, line=6, lane="backward"),
        node("where", "aten.where.self", "le", "mul_1", line=6, lane="backward"),
    )
    lanes = tuple(
        Node(n.id, n.op, n.target, n.args, n.kwargs, n.value, stack=n.stack, lane="forward", role=n.role)
        for n in forward
    )
    return graph_with(
        *lanes,
        *backward,
        Node("output", "output", "output", SequenceArgument("tuple", (args("mul", "where"),))),
    )


def bytecode(name: str) -> CodeObject:
    rows = (
        (0, "RESUME", "0", 4),
        (2, "LOAD_FAST", "x", 5),
        (4, "LOAD_FAST", "w", 5),
        (6, "BINARY_OP", "@", 5),
        (10, "STORE_FAST", "y", 5),
        (12, "LOAD_GLOBAL", "torch", 6),
        (24, "LOAD_ATTR", "relu", 6),
        (34, "LOAD_FAST", "y", 6),
        (36, "CALL", "1", 6),
        (46, "STORE_FAST", "z", 6),
        (48, "LOAD_FAST", "z", 7),
        (50, "LOAD_CONST", "2", 7),
        (52, "BINARY_OP", "*", 7),
        (56, "RETURN_VALUE", "", 7),
    )
    instructions = tuple(
        Instruction(f"i{offset}", offset, opname, argument, line, traced=True)
        for offset, opname, argument, line in rows
    )
    return CodeObject(name, PATH, 4, instructions)


def loop_program(fused: bool) -> LoopProgram:
    extern = LoopNode(
        "op0", "ExternKernelSchedulerNode", "extern_kernels.mm", buffers=("buf0",), origins=("mm",)
    )
    if fused:
        both = LoopNode(
            "op1_op2",
            "FusedSchedulerNode",
            "Pointwise",
            reads=(Dependency("buf0", "c0", "{c0: 2048}"),),
            writes=(Dependency("buf2", "c0", "{c0: 2048}"),),
            buffers=("buf1", "buf2"),
            inputs=("op0",),
            children=("op1", "op2"),
            origins=("relu", "mul"),
            body="mul(relu(buf0))",
            bytes_moved=16384,
        )
        return LoopProgram((extern, both), (("op0", "op1", "extern kernels cannot be fused here"),))
    relu = LoopNode(
        "op1",
        "SchedulerNode",
        "Pointwise",
        buffers=("buf1",),
        inputs=("op0",),
        origins=("relu",),
        body="relu",
    )
    mul = LoopNode(
        "op2", "SchedulerNode", "Pointwise", buffers=("buf2",), inputs=("op1",), origins=("mul",), body="mul"
    )
    return LoopProgram((extern, relu, mul))


def kernels() -> KernelSet:
    return KernelSet(
        (
            Kernel(
                "extern_kernels.mm",
                "extern_kernels.mm",
                "extern",
                call_line=6,
                loop_nodes=("op0",),
                origins=("mm",),
            ),
            Kernel(
                "cpp_fused_mul_relu_0",
                "cpp_fused_mul_relu_0",
                "cpp",
                KERNEL_TEXT,
                "/tmp/k.cpp",
                8,
                ("op1_op2",),
                ("relu", "mul"),
            ),
        )
    )


def _stages() -> tuple[Stage, ...]:
    traced = SourceFile(PATH, PROGRAM, ((5, "0/0"), (6, "0/0"), (7, "0/0")), (5, 6, 7), (4, 5, 6, 7))
    partition = Partition((SavedTensor("relu", 8192, "its backward needs it"),), ("le",), 8192.0)
    return (
        Stage(SOURCE, StageKind.SOURCE, "model.py", SourceStage(traced)),
        Stage(
            BYTECODE,
            StageKind.BYTECODE,
            "Bytecode",
            BytecodeStage(bytecode("model")),
            "0/0",
            made_from=(SOURCE,),
        ),
        Stage(
            REWRITTEN,
            StageKind.REWRITTEN_BYTECODE,
            "Rewritten bytecode",
            BytecodeStage(bytecode("model")),
            "0/0",
            made_by="torch._dynamo.convert_frame._compile",
            made_from=(BYTECODE,),
            seconds=0.3,
        ),
        Stage(
            DYNAMO,
            StageKind.DYNAMO_GRAPH,
            "Dynamo graph",
            FxStage(dynamo_graph()),
            "0/0",
            made_by="torch._dynamo.output_graph.OutputGraph.call_user_compiler",
            made_from=(BYTECODE,),
            seconds=0.2,
        ),
        Stage(
            JOINT,
            StageKind.JOINT_GRAPH,
            "Joint graph",
            JointStage(joint_graph(), partition),
            "0/0",
            made_by="torch._functorch.aot_autograd",
            made_from=(DYNAMO,),
            seconds=0.1,
        ),
        Stage(
            FORWARD,
            StageKind.AOT_GRAPH,
            "Forward graph",
            FxStage(aten_graph()),
            "0/0",
            "forward",
            made_from=(JOINT,),
        ),
        Stage(
            POST_GRAD,
            StageKind.POST_GRAD_GRAPH,
            "Post-grad graph",
            FxStage(aten_graph()),
            "0/0",
            "forward",
            made_from=(FORWARD,),
            seconds=0.05,
        ),
        Stage(
            LOOPS,
            StageKind.LOOP_IR,
            "Loop IR",
            LoopStage(loop_program(False)),
            "0/0",
            "forward",
            made_from=(POST_GRAD,),
        ),
        Stage(
            FUSED,
            StageKind.FUSED_LOOP_IR,
            "Fused loop IR",
            LoopStage(loop_program(True)),
            "0/0",
            "forward",
            made_from=(LOOPS,),
        ),
        Stage(
            KERNELS,
            StageKind.KERNELS,
            "Kernels",
            KernelStage(kernels()),
            "0/0",
            "forward",
            made_from=(FUSED,),
        ),
        Stage(
            WRAPPER,
            StageKind.WRAPPER,
            "Wrapper",
            WrapperStage(WrapperCode("/tmp/w.py", WRAPPER_TEXT, ("allocate buf0",))),
            "0/0",
            "forward",
            made_from=(KERNELS,),
            seconds=1.5,
        ),
    )


def _links() -> tuple[LinkTable, ...]:
    same = (
        ("mm", "mm"),
        ("relu", "relu"),
        ("mul", "mul"),
        ("primals_1", "primals_1"),
        ("primals_2", "primals_2"),
    )
    lines = tuple((f"L{ins.line}", ins.id) for ins in bytecode("model").instructions)
    down = (
        ("l_x_", "primals_1"),
        ("l_w_", "primals_2"),
        ("y", "mm"),
        ("z", "relu"),
        ("z", "where"),
        ("z", "le"),
        ("mul", "mul"),
        ("mul", "mul_1"),
    )
    kernel = "cpp_fused_mul_relu_0"
    return (
        LinkTable(SOURCE, BYTECODE, "compiled", "torch", lines),
        LinkTable(BYTECODE, DYNAMO, "traced", "torch", (("i6", "y"), ("i36", "z"), ("i52", "mul"))),
        LinkTable(DYNAMO, JOINT, "decomposed", "tag", down),
        LinkTable(JOINT, FORWARD, "partitioned", "name", same),
        LinkTable(FORWARD, POST_GRAD, "same", "name", same),
        LinkTable(POST_GRAD, LOOPS, "lowered", "torch", (("mm", "op0"), ("relu", "op1"), ("mul", "op2"))),
        LinkTable(LOOPS, FUSED, "fused", "torch", (("op0", "op0"), ("op1", "op1_op2"), ("op2", "op1_op2"))),
        LinkTable(
            FUSED,
            KERNELS,
            "generated",
            "torch",
            (
                ("op0", "extern_kernels.mm"),
                ("op1_op2", kernel),
                ("op1_op2", f"{kernel}:L4"),
                ("op1_op2", f"{kernel}:L5"),
            ),
        ),
        LinkTable(KERNELS, WRAPPER, "called", "torch", (("extern_kernels.mm", "L6"), (kernel, "L8"))),
    )


def capture(capture_id: str = "capture-1", parent: str = "") -> Capture:
    """The sample, as the engine would give it."""
    stop = GraphBreak(
        "break-1",
        "0/0",
        "Data-dependent branching",
        "if z.sum() > 0",
        "GB0170",
        "Dynamo cannot know the branch.",
        hints=("Use torch.cond.",),
        stack=(SourceLine(PATH, 6, "model", "z = torch.relu(y)"),),
        instruction=place(BYTECODE, "i36"),
    )
    frame = Frame(
        "0/0", "model", PATH, 4, BYTECODE, REWRITTEN, DYNAMO, breaks=("break-1",), guards=7, seconds=0.5
    )
    return Capture(
        capture_id,
        CaptureSpec(TargetSpec("model.py:model", "/home/me", "torch.randn(32, 16), torch.randn(16, 64)")),
        Environment("2.13.0", "3.11.7", "Linux"),
        _stages(),
        _links(),
        (frame,),
        (stop,),
        (Problem("relu is slow here.", "Try gelu.", severity=Severity.NOTE, place=place(DYNAMO, "z")),),
        2.5,
        parent,
    )


def with_passes() -> Capture:
    """The sample with the passes that made its post-grad graph, and its fusion.

    It began with ``mul(clamp_min(alias(mm)))``; the first pass did nothing, the second took out the alias, the third made
    a relu of the clamp.
    """
    base = capture()
    primals = aten_graph().nodes[:3]
    alias = node("alias", "aten.alias.default", "mm", line=6)
    clamps = [node("clamp_min", "aten.clamp_min.default", used, 0, line=6) for used in ("alias", "mm")]
    mul = node("mul", "aten.mul.Tensor", "clamp_min", 2, line=7)
    start = graph_with(*primals, alias, clamps[0], mul, output("mul"))
    between = graph_with(*primals, clamps[1], mul, output("mul"))

    def run(number: int, name: str, before: Graph, after: Graph, **facts: object) -> PassRun:
        found = graph_difference(before, after)
        fields = {field: getattr(found, field) for field in found.__struct_fields__}
        identity = f"{POST_GRAD}:post_grad:{number}"
        return PassRun(identity, name, "post_grad", POST_GRAD, seconds=0.002 * number, **fields, **facts)  # type: ignore[arg-type]

    runs = (
        run(1, "remove_profiler_ops", start, start),
        run(2, "remove_noop_ops", start, between, replaced=(("alias", "mm"),)),
        run(
            3,
            "pass_pattern_1",
            between,
            aten_graph(),
            replaced=(("clamp_min", "relu"),),
            origins=(("relu", ("clamp_min",)),),
            note="clamp_to_relu",
        ),
    )
    fusions = (
        FusionStep("0/0:forward:fusion:1", FUSED, "create_foreach_nodes"),
        FusionStep(
            "0/0:forward:fusion:2",
            FUSED,
            "fuse",
            round=1,
            parts=("op1", "op2"),
            result="op1_op2",
            saved_bytes=8192,
            relation="producer and consumer",
            seconds=0.0001,
        ),
        FusionStep("0/0:forward:fusion:3", FUSED, "merge_loops"),
    )
    return msgspec.structs.replace(
        base, passes=runs, pass_starts=(PassStart(POST_GRAD, "post_grad", graph=start),), fusions=fusions
    )


def verdict() -> Verdict:
    near = Difference("output 0", 1e-7, 1e-7)
    return Verdict(
        (Comparison("edited", "edited graph, eager", (near,), True),),
        TimingSummary(1000, 900, 1100, 50),
        TimingSummary(800, 700, 900, 50),
        recompile_seconds=0.8,
        cold_seconds=2.5,
        summary="The edited program agrees with eager and is 1.25 times as fast.",
    )
