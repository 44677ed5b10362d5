"""Loop nodes and kernels of five layers written by hand stand in the module whose results they hold, and are one box."""

import msgspec
import pytest

from app.graph_layout.arrange import prepare
from app.graph_layout.initial_collapse import collapsed_at_depth
from app.graph_layout.repeated_blocks import runs
from compiler.analysis.queries.computed_modules import by_modules, computed_modules
from compiler.model.capture.capture import Capture
from compiler.model.diagrams.diagrams import diagram
from compiler.model.ir.arguments import SequenceArgument
from compiler.model.ir.graph import Graph, Node
from compiler.model.ir.loop_ir import Dependency, Kernel, KernelSet, LoopNode, LoopProgram
from compiler.model.ir.stage import FxStage, KernelStage, LoopStage, Stage, StageKind
from tests.helpers import sample_capture

LAYERS = 5


def fx(name: str, path: str) -> Node:
    return Node(name, "call_function", "aten.x.default", SequenceArgument("tuple", ()), module_path=path)


def layered() -> Capture:
    """Of each layer a matrix product by a library, and two loops that are one kernel, which the next layer reads."""
    nodes, loops, fused, kernels = [fx("shared", "layers.0.fc")], [], [], []
    nodes.insert(0, Node("x", "placeholder", "x", SequenceArgument("tuple", ())))
    for i in range(LAYERS):
        path = f"layers.{i}"
        nodes += [fx(f"mm_{i}", f"{path}.fc"), fx(f"relu_{i}", path), fx(f"add_{i}", "")]
        before = (f"s{i - 1}",) if i else ()
        given = (Dependency(f"b{i - 1}" if i else "x"),)
        product = LoopNode(
            f"m{i}", "ExternKernelSchedulerNode", "mm", given, inputs=before, computes=(f"mm_{i}",)
        )
        relu = LoopNode(
            f"r{i}", "SchedulerNode", "Pointwise", inputs=(f"m{i}",), computes=(f"relu_{i}", "shared"),
            value_of=f"relu_{i}",
        )  # fmt: skip
        total = LoopNode(
            f"s{i}",
            "SchedulerNode",
            "Pointwise",
            inputs=(f"r{i}",),
            computes=(f"add_{i}",),
            value_of=f"add_{i}",
            buffers=(f"b{i}",),
        )
        both = LoopNode(
            f"r{i}_s{i}", "FusedSchedulerNode", "Pointwise", inputs=(f"m{i}",), children=(f"r{i}", f"s{i}"),
            computes=(f"relu_{i}", "shared", f"add_{i}"), buffers=(f"b{i}",),
        )  # fmt: skip
        loops += [product, relu, total]
        fused += [msgspec.structs.replace(product, inputs=(f"r{i - 1}_s{i - 1}",) if i else ()), both]
        number = f"#{i + 1}" if i else ""
        kernels += [
            Kernel(f"extern_kernels.mm{number}", "extern_kernels.mm", "extern", loop_nodes=(f"m{i}",)),
            Kernel(f"triton_0{number}", "triton_0", "triton", "def f(): pass", loop_nodes=(both.id,)),
        ]
    rows = (
        (StageKind.POST_GRAD_GRAPH, "post_grad", FxStage(Graph(tuple(nodes)))),
        (StageKind.LOOP_IR, "loops", LoopStage(LoopProgram(tuple(loops)))),
        (StageKind.FUSED_LOOP_IR, "fused", LoopStage(LoopProgram(tuple(fused)))),
        (StageKind.KERNELS, "kernels", KernelStage(KernelSet(tuple(kernels)))),
    )
    stages = tuple(Stage(f"0/0:{name}", kind, name, held, "0/0", "forward") for kind, name, held in rows)
    return msgspec.structs.replace(sample_capture.capture(), stages=stages, links=(), frames=(), breaks=())


def test_the_module_is_that_of_the_results() -> None:
    capture = layered()
    loops = computed_modules(capture.stage("0/0:loops"), capture)
    assert loops["m2"] == ("layers", "2", "fc")
    assert loops["r2"] == ("layers", "2"), "what layer 0 made and each computes again does not count"
    assert "s2" not in loops, "torch says no module of it"
    assert computed_modules(capture.stage("0/0:fused"), capture)["r2_s2"] == ("layers", "2")
    assert computed_modules(capture.stage("0/0:kernels"), capture)["triton_0#3"] == ("layers", "2")


def test_a_loop_of_which_torch_says_no_result_is_where_its_last_operation_is() -> None:
    """As one of several results: what it computes again of the layer before goes into that."""
    capture = layered()
    loops = capture.stage("0/0:loops")
    mean = LoopNode("mean", "SchedulerNode", "Reduction", computes=("relu_2", "mm_1", "relu_1"))
    stage = msgspec.structs.replace(loops, content=LoopStage(LoopProgram((mean,))))
    assert computed_modules(stage, capture) == {"mean": ("layers", "2")}


def test_what_is_fused_across_layers_is_in_what_holds_both() -> None:
    capture = layered()
    fused = capture.stage("0/0:fused")
    across = LoopNode("r1_r2", "FusedSchedulerNode", "Pointwise", children=("r1", "r2"))
    stage = msgspec.structs.replace(fused, content=LoopStage(LoopProgram((across,))))
    assert computed_modules(stage, capture) == {"r1_r2": ("layers",)}


@pytest.mark.parametrize("name", ["fused", "kernels"])
def test_equal_layers_are_one_box_of_many(name: str) -> None:
    """The first layer gets the graph's input where the others get what the one before made."""
    capture = layered()
    stage = capture.stage(f"0/0:{name}")
    shown = diagram(stage)
    assert shown is not None
    trees = prepare(by_modules(stage, shown, capture)).trees
    assert [run.repeats for tree in trees for run in runs(tree, collapsed_at_depth(trees, 1))] == [LAYERS]


def test_a_layer_with_another_kernel_is_not_of_them() -> None:
    capture = layered()
    stage = capture.stage("0/0:kernels")
    *most, last = stage.kernels
    kernels = KernelSet((*most, msgspec.structs.replace(last, source="def f(): return")))
    stage = msgspec.structs.replace(stage, content=KernelStage(kernels))
    shown = diagram(stage)
    assert shown is not None
    trees = prepare(by_modules(stage, shown, capture)).trees
    found = [run.repeats for tree in trees for run in runs(tree, collapsed_at_depth(trees, 1))]
    assert found == [LAYERS - 1]
