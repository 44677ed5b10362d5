"""The measure itself: which loops count as still there without an operation."""

from compiler.model.ir.loop_ir import Dependency, LoopNode, LoopProgram
from compiler.model.ir.stage import LoopStage, Stage, StageKind
from tests.links.judging import _still_there

OPERATOR = "torch.ops.torch_loupe_links.probe.default"


def loop(name: str, body: str, *reads: str) -> LoopNode:
    buffer = name.replace("op", "buf")
    return LoopNode(
        name,
        "SchedulerNode",
        "Pointwise",
        tuple(Dependency(item, "") for item in reads),
        (Dependency(buffer, ""),),
        (buffer,),
        body=f"ops.load({', '.join(reads)}) {body} ops.store({buffer})",
    )


def call(name: str, operation: str, *reads: str) -> LoopNode:
    buffer = name.replace("op", "buf")
    read = tuple(Dependency(item, "") for item in reads)
    return LoopNode(
        name, "ExternKernelSchedulerNode", operation, read, (), (buffer,), layout="layout size=[8]"
    )


def stage(*nodes: LoopNode) -> Stage:
    return Stage("0/0:forward:loops", StageKind.LOOP_IR, "", LoopStage(LoopProgram(nodes)))


SIN, MEAN = "ops.sin()", "ops.mean()"


def test_what_reads_the_operator_in_the_place_of_what_is_gone_is_still_there() -> None:
    before = stage(loop("op0", SIN, "arg0_1"), loop("op1", MEAN, "buf0"))
    without = stage(call("op0", OPERATOR, "arg0_1"), loop("op1", MEAN, "buf0"))
    assert _still_there(before, without) == {"op1"}


def test_the_same_done_to_something_else_is_another_loop() -> None:
    """The mean of the sine is gone; what has its text now is the mean of the operator's result."""
    before = stage(
        loop("op0", SIN, "arg0_1"), loop("op1", MEAN, "buf0"), loop("op2", "ops.sub()", "buf0", "buf1")
    )
    without = stage(loop("op0", SIN, "arg0_1"), call("op1", OPERATOR, "buf0"), loop("op2", MEAN, "buf1"))
    assert _still_there(before, without) == {"op0"}


def test_what_the_operator_brings_along_is_not_taken_for_a_loop_of_the_program() -> None:
    copy = LoopNode(
        "op0",
        "SchedulerNode",
        "Pointwise",
        (Dependency("arg0_1", ""),),
        (),
        ("buf0",),
        body="ops.load(arg0_1) ops.store(buf0)",
    )
    conv = call("op1", "torch.ops.aten.convolution_backward.default", "buf0")
    assert _still_there(stage(copy, conv), stage(copy, call("op1", OPERATOR, "buf0"))) == set()


def test_of_several_alike_none_is_taken_for_there_when_one_is_gone() -> None:
    before = stage(loop("op0", SIN, "arg0_1"), loop("op1", SIN, "arg1_1"))
    assert _still_there(before, stage(loop("op0", SIN, "arg0_1"))) == set()
    assert _still_there(before, before) == {"op0", "op1"}


def test_a_product_is_a_product_whatever_is_added_to_it() -> None:
    before = stage(call("op0", "extern_kernels.mm", "arg0_1"), call("op1", "extern_kernels.addmm", "arg1_1"))
    without = stage(call("op0", "extern_kernels.addmm", "arg1_1"))
    assert _still_there(before, without) == set()
