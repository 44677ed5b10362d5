"""A small MLP as a whole capture made by hand, with a graph break, for tests of panes."""

from collections.abc import Callable, Iterator
from pathlib import Path

import msgspec
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from app.session.facade.session import Session
from app.widgets.code_editor import CodeEditor
from compiler.model.capture.capture import Capture, Environment
from compiler.model.capture.capture_spec import CaptureSpec, TargetSpec
from compiler.model.capture.frames import Frame, GraphBreak
from compiler.model.ir.arguments import ConstantArgument, MappingArgument, NodeArgument, SequenceArgument
from compiler.model.ir.graph import Graph, Node, SourceLine
from compiler.model.ir.ids import place
from compiler.model.ir.links import LinkTable
from compiler.model.ir.loop_ir import Dependency, Kernel, KernelSet, LoopNode, LoopProgram, WrapperCode
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
from compiler.model.session_file.checks import consistent
from tests.helpers.fake_engine import FakeEngine
from tests.helpers.opened_capture import open_capture
from tests.helpers.table_reader import SeenRow

PATH = "/home/me/mlp.py"
SOURCE = f"source:{PATH}"
PROGRAM = '''import torch
from torch import nn


class Mlp(nn.Module):
    """Two layers with a print between."""

    def __init__(self):
        super().__init__()
        self.fc1 = nn.Linear(128, 256)

    def forward(self, x):
        hidden = self.fc1(x)
        hidden = torch.relu(hidden)
        print("mean", hidden.mean())
        return hidden * 0.5
'''

CPP = """#include "/tmp/torchinductor/cpp_prefix.h"
extern "C" void kernel(float* in_out_ptr0)
{
    #pragma omp parallel num_threads(2)
    for(int64_t x0=0; x0<8192; x0+=16)
    {
        auto tmp0 = at::vec::Vectorized<float>::loadu(in_out_ptr0 + x0, 16);
        auto tmp1 = at::vec::clamp_min(tmp0, decltype(tmp0)(0));
        tmp1.store(in_out_ptr0 + x0);
    }
}"""

WRAPPER = """def call(args):
    arg0_1, arg1_1, arg2_1 = args
    buf0 = empty_strided_cpu((32, 256), (256, 1), torch.float32)
    extern_kernels.addmm(arg1_1, arg2_1, arg0_1, out=buf0)
    buf1 = buf0; del buf0  # reuse
    cpp_fused_relu_0(buf1)
    return (buf1, )
"""


def tensor(*shape: int) -> TensorValue:
    count = 4
    for size in shape:
        count *= size
    return TensorValue(tuple(map(str, shape)), "float32", bytes=count, stride=("1",) * len(shape))


def line(number: int) -> SourceLine:
    return SourceLine(PATH, number, "forward", PROGRAM.split("\n")[number - 1].strip())


def call(name: str, target: str, *inputs: str, at: int = 13, **settings: str) -> Node:
    return Node(
        name,
        "call_function",
        target,
        SequenceArgument("tuple", tuple(NodeArgument(used) for used in inputs)),
        MappingArgument(tuple((key, ConstantArgument("int", text)) for key, text in settings.items())),
        tensor(32, 256),
        "fc1" if at == 13 else "",
        "torch.nn.Linear" if at == 13 else "",
        (line(at),),
    )


def placeholder(name: str, role: str = "input") -> Node:
    return Node(name, "placeholder", name, SequenceArgument("tuple", ()), value=tensor(32, 128), role=role)


def output(*names: str) -> Node:
    result = SequenceArgument("tuple", tuple(NodeArgument(name) for name in names))
    return Node("output", "output", "output", SequenceArgument("tuple", (result,)))


def bytecode(title: str, name: str, lines: tuple[tuple[str, str, int], ...], resume: str = "") -> CodeObject:
    instructions = tuple(
        Instruction(f"i{2 * i}", 2 * i, op, argument, at, at, 8, 20, traced=at < 15)
        for i, (op, argument, at) in enumerate(lines)
    )
    return CodeObject(name, PATH, 12, instructions, resume)


BODY = (
    ("RESUME", "0", 12),
    ("LOAD_FAST", "self", 13),
    ("LOAD_ATTR", "fc1", 13),
    ("LOAD_FAST", "x", 13),
    ("CALL", "1", 13),
    ("STORE_FAST", "hidden", 13),
    ("LOAD_GLOBAL", "torch", 14),
    ("LOAD_METHOD", "relu", 14),
    ("LOAD_FAST", "hidden", 14),
    ("CALL", "1", 14),
    ("STORE_FAST", "hidden", 14),
    ("LOAD_GLOBAL", "print", 15),
    ("CALL", "2", 15),
    ("RETURN_VALUE", "", 16),
)
REWRITTEN = (("LOAD_GLOBAL", "__compiled_fn_1", 12), ("CALL", "3", 12), ("RETURN_VALUE", "", 15))


def stages() -> tuple[Stage, ...]:
    x, weight, bias = placeholder("x"), placeholder("weight", "parameter"), placeholder("bias", "parameter")
    linear = call("linear", "torch._C._nn.linear", "x", "weight", "bias")
    relu = call("relu", "torch.relu", "linear", at=14, dim="1")
    dynamo = Graph((x, weight, bias, linear, relu, output("relu")))
    addmm = call("addmm", "aten.addmm.default", "bias", "x", "weight")
    relu_1 = call("relu_1", "aten.relu.default", "addmm", at=14)
    backward = msgspec.structs.replace(
        call("le", "aten.le.Scalar", "relu_1", at=14), lane="backward", stack=(line(14),)
    )
    joint = Graph((x, weight, bias, addmm, relu_1, backward, output("relu_1", "le")))
    lowered = Graph((x, weight, bias, addmm, relu_1, output("relu_1")))
    loops = (
        LoopNode(
            "op0", "ExternKernelSchedulerNode", "extern_kernels.addmm", (), (Dependency("buf0"),), ("buf0",)
        ),
        LoopNode(
            "op1",
            "SchedulerNode",
            "Pointwise",
            (Dependency("buf0", "c0", "8192"),),
            (Dependency("buf1", "c0", "8192"),),
            ("buf1",),
            ("op0",),
            origins=("relu_1",),
            body="def body(self, ops):\n    load = ops.load('buf0', c0)\n    return ops.relu(load)",
            bytes_moved=65536,
            flops=8192,
        ),
    )
    kernels = (
        Kernel("extern_kernels.addmm", "extern_kernels.addmm", "extern", call_line=4, loop_nodes=("op0",)),
        Kernel("cpp_fused_relu_0", "cpp_fused_relu_0", "cpp", CPP, "/tmp/ti/x.cpp", 6, ("op1",), ("relu_1",)),
    )
    file = SourceFile(
        PATH, PROGRAM, ((13, "0/0"), (14, "0/0"), (16, "1/0")), (12, 13, 14, 16), (12, 13, 14, 15, 16)
    )

    def first(
        name: str, kind: StageKind, title: str, content, origin: str, part: str = "", ms: float = 5
    ) -> Stage:
        prefix = f"0/0:{part}:" if part else "0/0:"
        made_from = (
            (f"0/0:{origin}" if origin and not origin.startswith("source") else origin,) if origin else ()
        )
        return Stage(
            prefix + name,
            kind,
            title,
            content,
            "0/0",
            part,
            "torch/_some/where.py:function",
            made_from,
            ms / 1e3,
        )

    kind = StageKind
    return (
        Stage(SOURCE, kind.SOURCE, "mlp.py", SourceStage(file)),
        first("bytecode", kind.BYTECODE, "Bytecode", BytecodeStage(bytecode("", "forward", BODY)), SOURCE),
        first(
            "rewritten", kind.REWRITTEN_BYTECODE, "Rewritten bytecode",
            BytecodeStage(bytecode("", "forward", REWRITTEN)), "bytecode",
        ),
        first("dynamo", kind.DYNAMO_GRAPH, "Dynamo graph", FxStage(dynamo), "bytecode", ms=120),
        first(
            "joint", kind.JOINT_GRAPH, "Joint graph",
            JointStage(joint, Partition((SavedTensor("relu_1", 32768),), ())), "dynamo",
        ),
        first("aot", kind.AOT_GRAPH, "AOT forward graph", FxStage(lowered), "joint", "forward"),
        first("post", kind.POST_GRAD_GRAPH, "Post-grad graph", FxStage(lowered), "forward:aot", "forward"),
        first("loops", kind.LOOP_IR, "Loop IR", LoopStage(LoopProgram(loops)), "forward:post", "forward"),
        first("fused", kind.FUSED_LOOP_IR, "Fused loop IR", LoopStage(LoopProgram(loops)), "forward:loops", "forward"),
        first("kernels", kind.KERNELS, "Kernels", KernelStage(KernelSet(kernels)), "forward:fused", "forward", 900),
        first(
            "wrapper", kind.WRAPPER, "Wrapper", WrapperStage(WrapperCode("/tmp/ti/w.py", WRAPPER)),
            "forward:kernels", "forward",
        ),
        first("bwd", kind.AOT_GRAPH, "AOT backward graph", FxStage(lowered), "joint", "backward"),
        Stage(
            "1/0:bytecode", kind.BYTECODE, "Bytecode",
            BytecodeStage(bytecode("", "torch_dynamo_resume_in_forward_at_15", (("RETURN_VALUE", "", 16),), "forward")),
            "1/0", made_from=(SOURCE,),
        ),
        Stage(
            "1/0:dynamo", kind.DYNAMO_GRAPH, "Dynamo graph",
            FxStage(Graph((x, call("mul", "_operator.mul", "x", at=16), output("mul")))),
            "1/0", made_from=("1/0:bytecode",),
        ),
    )  # fmt: skip


def links() -> tuple[LinkTable, ...]:
    def table(source: str, target: str, *pairs: tuple[str, str]) -> LinkTable:
        return LinkTable(source, target, "made", "torch", pairs)

    graph = (("addmm", "addmm"), ("relu_1", "relu_1"))
    loops = (("op0", "op0"), ("op1", "op1"))
    kernel = "cpp_fused_relu_0"
    return (
        table(SOURCE, "0/0:bytecode", ("L13", "i8"), ("L14", "i18"), ("L15", "i24")),
        table("0/0:bytecode", "0/0:dynamo", ("i8", "linear"), ("i18", "relu")),
        table("0/0:dynamo", "0/0:joint", ("linear", "addmm"), ("relu", "relu_1"), ("relu", "le")),
        table("0/0:joint", "0/0:forward:aot", *graph),
        table("0/0:forward:aot", "0/0:forward:post", *graph),
        table("0/0:forward:post", "0/0:forward:loops", ("addmm", "op0"), ("relu_1", "op1")),
        table("0/0:forward:loops", "0/0:forward:fused", *loops),
        table("0/0:forward:fused", "0/0:forward:kernels", ("op0", "extern_kernels.addmm"), ("op1", kernel)),
        table("0/0:forward:kernels", "0/0:forward:wrapper", ("extern_kernels.addmm", "L4"), (kernel, "L6")),
        table(SOURCE, "1/0:bytecode", ("L16", "i0")),
        table("1/0:bytecode", "1/0:dynamo", ("i0", "mul")),
    )


def make_capture(capture_id: str = "capture-1", parent: str = "") -> Capture:
    stopped = GraphBreak(
        "break-1",
        "0/0",
        "Failed to trace builtin operator",
        "Graph break: Dynamo does not know how to trace builtin operator `print`.",
        "GB0059",
        "Dynamo does not know how to trace this builtin.",
        hints=("Use torch._dynamo.config.reorderable_logging_functions.", "Remove the print."),
        stack=(line(15),),
        instruction=place("0/0:bytecode", "i24"),
    )
    frames = (
        Frame("0/0", "forward", PATH, 12, "0/0:bytecode", "0/0:rewritten", "0/0:dynamo", "", ("break-1",), guards=14),
        Frame(
            "1/0", "torch_dynamo_resume_in_forward_at_15", PATH, 15, "1/0:bytecode", "", "1/0:dynamo", "0/0",
            recompile_reasons=("tensor 'hidden' size mismatch at index 0",), guards=3,
        ),
    )  # fmt: skip
    return Capture(
        capture_id,
        CaptureSpec(TargetSpec("mlp.py:Mlp", "/home/me")),
        Environment("2.13.0", "3.11", "Linux", threads=2),
        stages(),
        links(),
        frames,
        (stopped,),
        seconds=3.2,
        parent=parent,
    )


@pytest.fixture
def capture() -> Capture:
    made = make_capture()
    assert not consistent(made)[1]
    return made


@pytest.fixture
def shown(session: Session, engine: FakeEngine, capture: Capture) -> Session:
    """A session that shows the capture, the Dynamo graph in front."""
    open_capture(session, capture)
    session.show_stage("0/0:dynamo")
    return session


@pytest.fixture
def put(qtbot: QtBot) -> Callable[[QWidget], None]:
    """Shows a pane and closes it after the test."""

    def show(widget: QWidget, width: int = 700, height: int = 600) -> None:
        qtbot.addWidget(widget)
        widget.resize(width, height)
        with qtbot.waitExposed(widget):
            widget.show()

    return show


@pytest.fixture
def click_line(qtbot: QtBot) -> Callable[..., None]:
    """Clicks in the middle of a line of a code view."""

    def click(editor: CodeEditor, line: int, modifier=Qt.KeyboardModifier.NoModifier) -> None:
        top, height = next((top, height) for number, top, height in editor.visible_lines() if number == line)
        location = QPoint(40, round(top + height / 2))
        qtbot.mouseClick(editor.viewport(), Qt.MouseButton.LeftButton, modifier, location)

    return click


@pytest.fixture
def click_row(qtbot: QtBot) -> Callable[..., None]:
    """Clicks on the first cell of a row."""

    def click(row: SeenRow, modifier=Qt.KeyboardModifier.NoModifier) -> None:
        location = row.center()
        qtbot.mouseClick(row.tree.viewport(), Qt.MouseButton.LeftButton, modifier, location)

    return click


@pytest.fixture
def second_engine() -> FakeEngine:
    """For what is done beside the capture that is open."""
    return FakeEngine()


@pytest.fixture
def two_engine_session(
    qapp: QApplication, engine: FakeEngine, second_engine: FakeEngine, capture: Capture, tmp_path: Path
) -> Iterator[Session]:
    """A session with a capture and a second engine."""
    made = Session(engine, journals=tmp_path / "journals", trial_engine=lambda: second_engine)
    open_capture(made, capture)
    yield made
    made.close()
