"""Collectives in graphs and loop IR: what they send to whom, where they end, what runs meanwhile."""

import pytest

from compiler.model.diagrams.diagrams import diagram
from compiler.model.ir.arguments import (
    Argument,
    ConstantArgument,
    NodeArgument,
    SequenceArgument,
)
from compiler.model.ir.collectives import (
    collective_name,
    collective_of,
    flights,
    group_note,
    loop_flights,
)
from compiler.model.ir.graph import Graph, Node
from compiler.model.ir.loop_ir import LoopNode, LoopProgram
from compiler.model.ir.stage import FxStage, LoopStage, Stage, StageKind
from compiler.model.ir.tensor_types import TensorValue
from tests.helpers.sample_capture import graph_with


def value(rows: int) -> TensorValue:
    return TensorValue((str(rows), "4"), "float32", bytes=16 * rows)


def call(name: str, target: str, *args: Argument, rows: int = 8, **facts: object) -> Node:
    return Node(name, "call_function", target, SequenceArgument("tuple", args), value=value(rows), **facts)  # type: ignore[arg-type]


def of(name: str) -> NodeArgument:
    return NodeArgument(name)


def text(words: str) -> ConstantArgument:
    return ConstantArgument("str", repr(words))


def number(amount: int) -> ConstantArgument:
    return ConstantArgument("int", str(amount))


def graph() -> Graph:
    return graph_with(
        Node("x", "placeholder", "x", SequenceArgument("tuple", ()), value=value(8)),
        call("sent", "_c10d_functional.all_reduce_.default", of("x"), text("sum"), text("sum")),
        call("beside", "aten.relu.default", of("x")),
        call(
            "whole",
            "_c10d_functional.all_gather_into_tensor.default",
            of("beside"),
            number(4),
            text("3"),
            rows=32,
        ),
        call("ended", "_c10d_functional.wait_tensor.default", of("sent")),
        call("got", "_c10d_functional.wait_tensor.default", of("whole"), rows=32),
        call("last", "_c10d_functional.broadcast.default", of("ended"), number(0), text("3")),
        Node("out", "output", "output", SequenceArgument("tuple", (of("got"),))),
    )


@pytest.mark.parametrize(
    ("target", "name"),
    [
        ("_c10d_functional.all_reduce.default", "all_reduce"),
        ("torch.ops._c10d_functional.all_reduce_.default", "all_reduce"),
        ("torch._ops._c10d_functional.reduce_scatter_tensor", "reduce_scatter_tensor"),
        ("_c10d_functional.all_gather_into_tensor_out.default", "all_gather_into_tensor"),
        ("_c10d_functional_autograd.all_to_all_single.default", "all_to_all_single"),
        ("_c10d_functional.all_reduce_coalesced_.default", "all_reduce"),
        ("_c10d_functional.wait_tensor.default", "wait_tensor"),
        ("aten.relu.default", ""),
        ("my_c10d_functionals.relu", ""),
    ],
)
def test_operations_are_known_in_every_spelling(target: str, name: str) -> None:
    assert collective_name(target) == name


def test_what_is_sent_to_whom() -> None:
    made = graph()
    sent = collective_of(made, made.node("sent"))
    assert (sent.kind, sent.reduce, sent.group, sent.sent, sent.ranks) == (
        "all_reduce",
        "sum",
        "sum",
        128,
        None,
    )
    whole = collective_of(made, made.node("whole"))
    assert whole.text == "128 B → 512 B, group 3 of 4 ranks"
    assert collective_of(made, made.node("ended")) is None
    assert collective_of(made, made.node("beside")) is None


def test_a_note_of_the_process_says_the_size_of_the_group() -> None:
    noted = call(
        "c",
        "_c10d_functional.all_reduce.default",
        of("x"),
        text("avg"),
        text("0"),
        notes=(group_note("0", "mesh_tp", 2),),
    )
    sent = collective_of(graph_with(graph().nodes[0], noted), noted)
    assert (sent.reduce, sent.group, sent.group_title, sent.ranks) == ("avg", "0", "mesh_tp", 2)


def test_from_start_to_wait_and_what_runs_meanwhile() -> None:
    assert [(row.start, row.wait, row.between) for row in flights(graph())] == [
        ("sent", "ended", ("beside",)),
        ("whole", "got", ()),
        ("last", "", ()),
    ]


def test_waits_of_a_coalesced_collective_are_found_behind_its_parts() -> None:
    made = graph_with(
        graph().nodes[0],
        call(
            "both",
            "_c10d_functional.all_reduce_coalesced.default",
            SequenceArgument("list", (of("x"), of("x"))),
            text("sum"),
            text("0"),
        ),
        call("part", "_operator.getitem", of("both"), number(0)),
        call("more", "aten.relu.default", of("x")),
        call("ended", "_c10d_functional.wait_tensor.default", of("part")),
    )
    assert [(row.start, row.wait, row.between) for row in flights(made)] == [("both", "ended", ("more",))]


def test_the_canvas_marks_them() -> None:
    drawn = diagram(Stage("s", StageKind.POST_GRAD_GRAPH, "s", FxStage(graph())))
    boxes = {node.id: node for node in drawn.nodes}
    assert [boxes[name].role for name in ("sent", "ended", "beside")] == [
        "collective",
        "collective",
        "operation",
    ]
    assert boxes["whole"].detail == "f32[32, 4] · 128 B → 512 B, group 3 of 4 ranks"
    assert boxes["ended"].detail == "f32[8, 4] · 1 node runs meanwhile"
    assert boxes["got"].detail.endswith("waited for at once")
    assert boxes["last"].detail.endswith("nothing waits for it here")
    assert {(edge.source, edge.target) for edge in drawn.edges if edge.flight} == {
        ("sent", "ended"),
        ("whole", "got"),
    }


def loops() -> LoopProgram:
    def node(name: str, operation: str, *inputs: str) -> LoopNode:
        return LoopNode(name, "ExternKernelSchedulerNode", operation, inputs=inputs)

    return LoopProgram(
        (
            node("op0", "torch.ops._c10d_functional.all_reduce_.default"),
            node("op1", "extern_kernels.mm"),
            node("op2", "torch.ops._c10d_functional.all_gather_into_tensor.default", "op1", "op0"),
            node("op3", "torch.ops._c10d_functional.wait_tensor.default", "op0", "op2"),
            node("op4", "Pointwise", "op1"),
            node("op5", "torch.ops._c10d_functional.wait_tensor.default", "op0"),
        )
    )


def test_loop_ir_in_the_scheduler_s_order() -> None:
    """op3 hangs on the first collective too, but ends the second."""
    program = loops()
    assert [(row.start, row.wait, row.between) for row in loop_flights(program.nodes)] == [
        ("op0", "op5", ("op1", "op4")),
        ("op2", "op3", ()),
    ]
    drawn = diagram(Stage("s", StageKind.FUSED_LOOP_IR, "s", LoopStage(program)))
    boxes = {node.id: node for node in drawn.nodes}
    assert (boxes["op0"].title, boxes["op0"].role) == ("all_reduce", "collective")
    assert boxes["op5"].detail == "2 nodes run meanwhile"
