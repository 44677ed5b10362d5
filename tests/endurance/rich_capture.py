"""A capture with what the examples' captures lack: guards, readings, causes of breaks, lowered kernels, slices, deep results."""

import msgspec

from compiler.model.capture.capture import Capture
from compiler.model.capture.frames import VariableSize
from compiler.model.capture.guards import GuardLeaf, GuardNode, GuardTree
from compiler.model.capture.probe_readings import ProbeReading
from compiler.model.ir.arguments import (
    ConstantArgument,
    MappingArgument,
    NodeArgument,
    SequenceArgument,
    SliceArgument,
)
from compiler.model.ir.graph import Graph, SourceLine
from compiler.model.ir.lowered_kernel import LoweredText
from compiler.model.ir.stage import FxStage, LoweredStage, Stage, StageKind, TextStage
from compiler.model.ir.tensor_types import TupleValue
from tests.helpers import sample_capture

_NONE = ConstantArgument("none", "None")


def rich_capture() -> Capture:
    """Consistent, as the engine would give it."""
    base = msgspec.structs.replace(sample_capture.with_passes(), id="capture-3")
    (stop,), (frame,) = base.breaks, base.frames
    cause = msgspec.structs.replace(stop, id="break-2")
    lines = (SourceLine(sample_capture.PATH, 6, "model", "z = torch.relu(y)"),)
    tree = GuardTree(
        "0/0",
        (
            GuardNode(-1, "L"),
            GuardNode(0, "L['x']", "Tensor", leaves=(GuardLeaf("TENSOR_MATCH", ("check",), 0),)),
            GuardNode(1, "L['x'].shape", leaves=(GuardLeaf("EQUALS_MATCH", ("== 4",)),)),
        ),
        lines,
    )
    return msgspec.structs.replace(
        base,
        stages=(*base.stages, _sliced(), *_texts()),
        breaks=(msgspec.structs.replace(stop, caused_by="break-2"), cause),
        frames=(msgspec.structs.replace(frame, breaks=("break-1", "break-2")),),
        guards=(tree,),
        variables=(VariableSize(sample_capture.PATH, 6, "y", "f32[32, 64]", "0/0", "y"),),
        readings=(ProbeReading(sample_capture.DYNAMO, "y", "print", "f32[32, 64]", 2048, 0, 0, 0.5, 1.5),),
    )


def _sliced() -> Stage:
    """A graph whose arguments are slices and dicts, and whose results are tuples of tuples."""
    tensor = sample_capture.tensor(4, 4)
    part = SliceArgument(NodeArgument("x"), _NONE, ConstantArgument("int", "2"))
    named = MappingArgument((("at", part), ("more", SequenceArgument("list", (part, _NONE)))))
    taken = sample_capture.node("taken", "_operator.getitem", "x")
    value = TupleValue((tensor, TupleValue((tensor,))))
    nodes = (
        sample_capture.placeholder("x"),
        msgspec.structs.replace(
            taken, args=SequenceArgument("tuple", (NodeArgument("x"), named, part)), value=value
        ),
        msgspec.structs.replace(sample_capture.output("taken"), kwargs=named),
    )
    return Stage("1/0:dynamo", StageKind.FRONT_END_GRAPH, "Another graph", FxStage(Graph(nodes)))


def _texts() -> tuple[Stage, ...]:
    kernel = "triton_poi_fused_relu_0"
    lowered = (LoweredText(kernel, "a\nb\n", ((1, 1),)), LoweredText("triton_poi_fused_1", "c\n"))
    return (
        Stage("0/0:text", StageKind.FRONT_END_TEXT, "A report", TextStage("one\ntwo\n", "plain")),
        Stage("0/0:ptx", StageKind.PTX, "PTX", LoweredStage(lowered), made_from=(sample_capture.KERNELS,)),
    )
