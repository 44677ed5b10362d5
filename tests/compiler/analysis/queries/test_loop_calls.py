"""Layers of loops and kernels are one box only where bodies, sizes, sources and the buffers they use are the same."""

import re

import msgspec
import pytest

from app.graph_layout.arrange import prepare
from app.graph_layout.initial_collapse import collapsed_at_depth
from app.graph_layout.repeated_blocks import runs
from compiler.analysis.queries.computed_modules import by_modules
from compiler.model.capture.capture import Capture
from compiler.model.diagrams.diagrams import diagram
from compiler.model.ir.arguments import ConstantArgument, NodeArgument, SequenceArgument
from compiler.model.ir.graph import Graph, Node
from compiler.model.ir.loop_ir import Dependency, Kernel, KernelSet, LoopNode, LoopProgram
from compiler.model.ir.stage import FxStage, KernelStage, LoopStage, Stage, StageKind
from compiler.model.ir.tensor_types import TensorValue
from tests.helpers import sample_capture

LAYERS = 11
ODD = 5
"""The layer that is changed."""
ROW = TensorValue(("4", "4"), "float32")


def fx(
    name: str, path: str, *given: str | float, op: str = "call_function", target: str = "aten.x.default"
) -> Node:
    items = (
        NodeArgument(item) if isinstance(item, str) else ConstantArgument("float", repr(item))
        for item in given
    )
    return Node(name, op, target, SequenceArgument("tuple", tuple(items)), value=ROW, module_path=path)


def body(first: str, second: str, store: str, seed: int, factor: float = 0.5, third: str = "") -> str:
    return f"""var_ranges = {{p0: 16}}
index0 = {seed}
index1 = p0
def body(self, ops):
    load_seed = ops.load_seed('seeds', {seed})
    get_index = self.get_index('index1')
    load = ops.load('{first}', get_index)
    load_1 = ops.load('{second}', get_index)
    constant = ops.constant({factor}, torch.float32)
    mul = ops.mul(load, constant)
    sub = ops.sub(mul, load_1)
    load_2 = ops.load('{third or first}', get_index)
    add = ops.add(sub, load_2)
    store = ops.store('{store}', get_index, add, None)
    return store"""


def source(name: str, seed: int) -> str:
    return f"void {name}(float* in0) {{ auto tmp0 = in0[static_cast<int64_t>({seed}L)]; }}"


def layered() -> Capture:
    """Of each layer a matrix product of the last result with a weight, and a loop over both of them with a seed of its own."""
    nodes = [fx("x", "", op="placeholder", target="x"), fx("seeds", "")]
    nodes += [fx(f"w{i}", "", op="placeholder", target=f"w{i}") for i in range(LAYERS)]
    loops = [LoopNode("seeding", "ExternKernelSchedulerNode", "seeds", buffers=("seeds",), value_of="seeds")]
    kernels = []
    last = "x"
    for i in range(LAYERS):
        nodes += [
            fx(f"mm_{i}", f"layers.{i}.fc", last if last == "x" else f"out_{i - 1}", f"w{i}", 1.0),
            fx(f"out_{i}", f"layers.{i}", f"mm_{i}"),
        ]
        made, out, seed = f"buf{2 * i + 1}", f"buf{2 * i + 2}", 3 * i + 20
        loops += [
            LoopNode(
                f"m{i}", "ExternKernelSchedulerNode", "mm", value_of=f"mm_{i}", computes=(f"mm_{i}",),
                reads=tuple(map(Dependency, sorted((last, f"w{i}")))), buffers=(made,), writes=(Dependency(made),),
            ),
            LoopNode(
                f"r{i}", "SchedulerNode", "Pointwise", value_of=f"out_{i}", computes=(f"out_{i}",), buffers=(out,),
                reads=tuple(map(Dependency, sorted((made, last, "seeds")))), writes=(Dependency(out),),
                body=body(made, last, out, seed), sizes="([16], [])",
            ),
        ]  # fmt: skip
        number = f"#{i + 1}" if i else ""
        name = f"cpp_fused_{i}"
        kernels += [
            Kernel(f"extern_kernels.mm{number}", "extern_kernels.mm", "extern", loop_nodes=(f"m{i}",)),
            Kernel(name, name, "cpp", source(name, seed), loop_nodes=(f"r{i}",)),
        ]
        last = out
    rows = (
        (StageKind.POST_GRAD_GRAPH, "post_grad", FxStage(Graph(tuple(nodes)))),
        (StageKind.LOOP_IR, "loops", LoopStage(LoopProgram(tuple(loops)))),
        (StageKind.FUSED_LOOP_IR, "fused", LoopStage(LoopProgram(tuple(without_bodies(loops))))),
        (StageKind.KERNELS, "kernels", KernelStage(KernelSet(tuple(kernels)))),
    )
    stages = tuple(Stage(f"0/0:{name}", kind, name, held, "0/0", "forward") for kind, name, held in rows)
    return msgspec.structs.replace(sample_capture.capture(), stages=stages, links=(), frames=(), breaks=())


def without_bodies(loops: list[LoopNode]) -> list[LoopNode]:
    """As they are after fusion."""
    return [msgspec.structs.replace(node, body="", sizes="") for node in loops]


def changed(capture: Capture, name: str, **fields: object) -> Capture:
    """With another loop node, before and after fusion."""
    stages = []
    for stage in capture.stages:
        if isinstance(stage.content, LoopStage):
            own = (
                fields
                if stage.kind is StageKind.LOOP_IR
                else {key: fields[key] for key in fields if key != "body"}
            )
            nodes = [
                msgspec.structs.replace(node, **own) if node.id == name else node
                for node in stage.content.program.nodes
            ]
            stage = msgspec.structs.replace(stage, content=LoopStage(LoopProgram(tuple(nodes))))
        stages.append(stage)
    return msgspec.structs.replace(capture, stages=tuple(stages))


def repeats(capture: Capture, name: str) -> list[int]:
    stage = capture.stage(f"0/0:{name}")
    shown = diagram(stage)
    assert shown is not None
    trees = prepare(by_modules(stage, shown, capture)).trees
    return [run.repeats for tree in trees for run in runs(tree, collapsed_at_depth(trees, 1))]


STAGES = ("loops", "fused", "kernels")
SEED = 3 * ODD + 20
MADE, LAST, OUT = f"buf{2 * ODD + 1}", f"buf{2 * ODD}", f"buf{2 * ODD + 2}"
APART = [ODD, LAYERS - 1 - ODD]


@pytest.mark.parametrize("stage", STAGES)
def test_equal_layers_are_one_box_whatever_their_seeds_and_buffers_are_called(stage: str) -> None:
    assert repeats(layered(), stage) == [LAYERS]


@pytest.mark.parametrize(
    "text",
    [
        pytest.param(body(MADE, LAST, OUT, SEED, 0.25), id="another constant"),
        pytest.param(body(LAST, MADE, OUT, SEED), id="swapped buffers"),
        pytest.param(body(MADE, MADE, OUT, SEED), id="the same buffer twice"),
        pytest.param(body(MADE, LAST, OUT, SEED, third=LAST), id="the other buffer once more"),
        pytest.param(body(MADE, "buf4", OUT, SEED), id="the result of another layer"),
        pytest.param(body(MADE, "x", OUT, SEED), id="the input of the graph"),
        pytest.param(body(MADE, LAST, OUT, SEED).replace("p0: 16", "p0: 32"), id="another range"),
        pytest.param(re.sub("index1 = p0", "index1 = 2*p0", body(MADE, LAST, OUT, SEED)), id="another index"),
    ],
)
@pytest.mark.parametrize("stage", STAGES)
def test_a_layer_with_another_body_stands_apart(stage: str, text: str) -> None:
    assert repeats(changed(layered(), f"r{ODD}", body=text), stage) == APART


@pytest.mark.parametrize("stage", STAGES)
@pytest.mark.parametrize(
    "args",
    [
        pytest.param((f"w{ODD}", f"out_{ODD - 1}", 1.0), id="swapped operands"),
        pytest.param((f"out_{ODD - 1}", f"w{ODD}", 2.0), id="another constant"),
    ],
)
def test_a_layer_with_another_library_call_stands_apart(stage: str, args: tuple[str | float, ...]) -> None:
    capture = layered()
    first = capture.stages[0]
    assert isinstance(first.content, FxStage)
    graph = first.content.graph
    odd = graph.with_node(graph.index(f"mm_{ODD}"), fx(f"mm_{ODD}", f"layers.{ODD}.fc", *args))
    first = msgspec.structs.replace(first, content=FxStage(odd))
    assert repeats(msgspec.structs.replace(capture, stages=(first, *capture.stages[1:])), stage) == APART


@pytest.mark.parametrize("stage", STAGES)
def test_a_layer_that_uses_another_result_of_the_same_node_stands_apart(stage: str) -> None:
    """Every product makes two results; all layers use the second but one."""
    capture = layered()
    for i in range(LAYERS):
        made, last, out = f"buf{2 * i + 1}", "x" if not i else f"buf{2 * i}", f"buf{2 * i + 2}"
        capture = changed(capture, f"m{i}", buffers=(f"a{made}", made))
        used = made if i != ODD else f"a{made}"
        capture = changed(capture, f"r{i}", body=body(used, last, out, 3 * i + 20))
    assert repeats(capture, stage) == APART


@pytest.mark.parametrize(
    ("name", "text"),
    [
        pytest.param(f"cpp_fused_{ODD}", source(f"cpp_fused_{ODD}", SEED).replace("float*", "double*"), id="another type"),
        pytest.param(f"cpp_fused_{ODD}", source(f"cpp_fused_{ODD}", 7), id="a number that is no seed"),
    ],
)  # fmt: skip
def test_a_layer_with_another_kernel_stands_apart(name: str, text: str) -> None:
    capture = layered()
    *others, last = capture.stages
    kernels = tuple(
        msgspec.structs.replace(kernel, source=text) if kernel.id == name else kernel
        for kernel in last.kernels
    )
    last = msgspec.structs.replace(last, content=KernelStage(KernelSet(kernels)))
    assert repeats(msgspec.structs.replace(capture, stages=(*others, last)), "kernels") == APART
