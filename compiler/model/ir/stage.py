"""A stage of the pipeline: what it holds, what made it from what, and how long that took."""

import enum
from typing import TypeAlias

import msgspec

from compiler.model.ir.graph import Graph
from compiler.model.ir.ids import StageId
from compiler.model.ir.loop_ir import Kernel, KernelSet, LoopProgram, WrapperCode
from compiler.model.ir.lowered_kernel import LoweredText
from compiler.model.ir.memory_budget_curve import CurvePoint
from compiler.model.ir.programs import NAMED_BY_LOG, CodeObject, SourceFile


class StageKind(enum.Enum):
    """The stages in the order the pipeline makes them."""

    SOURCE = "source"
    BYTECODE = "bytecode"
    REWRITTEN_BYTECODE = "rewritten_bytecode"
    DYNAMO_GRAPH = "dynamo_graph"
    GRAPH_PART = "graph_part"
    """A part of a Dynamo graph that was handed to the compiler by itself: DDPOptimizer cuts graphs at DDP's buckets."""
    PRE_GRAD_GRAPH = "pre_grad_graph"
    JOINT_GRAPH = "joint_graph"
    AOT_GRAPH = "aot_graph"
    """The forward, backward or inference graph that AOTAutograd hands to Inductor."""
    POST_GRAD_GRAPH = "post_grad_graph"
    LOOP_IR = "loop_ir"
    FUSED_LOOP_IR = "fused_loop_ir"
    KERNELS = "kernels"
    WRAPPER = "wrapper"
    RUNTIME_WRAPPERS = "runtime_wrappers"
    """What AOTAutograd generates around the compiled graphs, torch 2.12 and later."""
    BODY = "body"
    """A graph that a higher-order operator of the Dynamo, AOT or post-grad graph calls: a branch of ``cond``, a checkpointed block."""
    FRONT_END_GRAPH = "front_end_graph"
    """A graph that another front end than torch.compile made."""
    FRONT_END_TEXT = "front_end_text"
    """What another front end made that is text: generated code, printed IR, a report."""
    LOG_TEXT = "log_text"
    """A text of torch's structured log that is no stage of a live capture."""
    TRITON_IR = "ttir"
    TRITON_GPU_IR = "ttgir"
    LLVM_IR = "llir"
    PTX = "ptx"
    SASS = "sass"
    AMDGCN = "amdgcn"
    """What Triton and the assembler make of the kernels; the values are `compiler.model.ir.lowered_kernel.FORMS`."""


RUNTIME_WRAPPERS_MADE_BY = "AOTAutograd, torch/_functorch/_aot_autograd/runtime_wrappers.py"


DYNAMO_GRAPHS = (StageKind.DYNAMO_GRAPH, StageKind.GRAPH_PART)
"""The first graph of a compile, or of a part of it."""


class FxStage(msgspec.Struct, frozen=True, tag="graph"):
    """Content: an FX graph."""

    graph: Graph


class SavedTensor(msgspec.Struct, frozen=True):
    """A tensor that the forward keeps for the backward."""

    node: str
    bytes: int | None
    reason: str = ""
    """Why the min-cut chose to save it, where torch says."""


class TensorDecision(msgspec.Struct, frozen=True):
    """What the partitioner decided of one result of the forward, and why."""

    node: str
    fate: str
    """``saved``, ``recomputed``, ``forward`` (the backward does not need it) or ``backward`` (only the backward computes it)."""
    bytes: int | None
    """Of its elements; None where a size is symbolic."""
    base: str = ""
    """The first node with the same storage, if that is another: a view of it."""
    must: str = ""
    """Why it had to be so, in torch's words; empty: the cheapest cut."""
    barred: str = ""
    """What torch would not do with it: ``cannot recompute: compute intensive op``, ``cannot save: view op``."""
    weight: float | None = None
    """What saving it counts in the minimum cut: bytes, more for what is far from the backward or would be fused."""


class Partition(msgspec.Struct, frozen=True):
    """The choice that split a joint graph in two."""

    saved: tuple[SavedTensor, ...]
    recomputed: tuple[str, ...]
    """Nodes that stand in the forward and again in the backward."""
    cut_value: float | None = None
    """Value of the minimum cut, in torch's weighted bytes."""
    decisions: tuple[TensorDecision, ...] = ()
    """Of every result of the forward, in the order of the graph."""
    saved_bytes: int | None = None
    """What is kept from forward to backward, storages counted once, without parameters and inputs."""
    curve: tuple[CurvePoint, ...] = ()
    """What the partitioner would do at each memory budget, where the capture found that out."""


class JointStage(msgspec.Struct, frozen=True, tag="joint"):
    """Content: a joint graph with the partition chosen for it."""

    graph: Graph
    partition: Partition | None = None

    @property
    def kept_bytes(self) -> int | None:
        """What is kept from forward to backward beside parameters and inputs, which live anyway; None where a size is
        symbolic or nothing was cut.
        """
        if self.partition is None:
            return None
        if self.partition.saved_bytes is not None:
            return self.partition.saved_bytes
        given = {node.id for node in self.graph.nodes if node.op == "placeholder"}
        sizes = [tensor.bytes for tensor in self.partition.saved if tensor.node not in given]
        return None if None in sizes else sum(size for size in sizes if size is not None)


class LoopStage(msgspec.Struct, frozen=True, tag="loops"):
    """Content: the scheduler's nodes."""

    program: LoopProgram


class KernelStage(msgspec.Struct, frozen=True, tag="kernels"):
    """Content: kernels with their source."""

    kernels: KernelSet


class WrapperStage(msgspec.Struct, frozen=True, tag="wrapper"):
    """Content: the generated Python module."""

    code: WrapperCode


class SourceStage(msgspec.Struct, frozen=True, tag="source"):
    """Content: a file of the user's."""

    file: SourceFile


class BytecodeStage(msgspec.Struct, frozen=True, tag="bytecode"):
    """Content: one code object."""

    code: CodeObject


class TextStage(msgspec.Struct, frozen=True, tag="text"):
    """Content: a text; its nodes are its lines."""

    text: str
    language: str
    """python, cpp, triton or plain: what to highlight it as."""
    base: str = ""
    """For a text that a person wrote: the fingerprint of the one that was made."""


class LoweredStage(msgspec.Struct, frozen=True, tag="lowered"):
    """Content: Triton kernels in one form below their source, in the order they are called first."""

    kernels: tuple[LoweredText, ...]


Content: TypeAlias = (
    TextStage
    | FxStage
    | JointStage
    | LoopStage
    | KernelStage
    | WrapperStage
    | SourceStage
    | BytecodeStage
    | LoweredStage
)


class Stage(msgspec.Struct, frozen=True):
    """One stage. Stages of a capture stand in pipeline order, graph by graph."""

    id: StageId
    kind: StageKind
    title: str
    content: Content
    compile_id: str = ""
    """Torch's ``frame/recompile`` id, ``"0/0"``; empty for source files."""
    part: str = ""
    """``forward``, ``backward``, ``inference`` or empty."""
    made_by: str = ""
    """The torch function that made it, with its file."""
    made_from: tuple[StageId, ...] = ()
    seconds: float | None = None
    """Wall time of the step that made it, measured in this run, observers included; None where it was not timed."""

    @property
    def graph(self) -> Graph | None:
        """The FX graph in this stage, or None."""
        return self.content.graph if isinstance(self.content, FxStage | JointStage) else None

    @property
    def kernels(self) -> tuple[Kernel, ...]:
        """The kernels in this stage, in the order they are called first; none where it is of another kind."""
        return self.content.kernels.kernels if isinstance(self.content, KernelStage) else ()

    @property
    def is_in_part(self) -> bool:
        """Whether it is a file of which only some lines are known, the others blank."""
        return self.made_by == NAMED_BY_LOG

    @property
    def node_count(self) -> int:
        """How many nodes, instructions, kernels or lines the stage holds."""
        match self.content:
            case FxStage() | JointStage():
                return len(self.content.graph.nodes)
            case LoopStage():
                return len(self.content.program.nodes)
            case KernelStage():
                return len(self.content.kernels.kernels)
            case WrapperStage():
                return self.content.code.text.count("\n")
            case TextStage():
                return self.content.text.count("\n")
            case SourceStage():
                return self.content.file.text.count("\n")
            case BytecodeStage():
                return len(self.content.code.instructions)
            case LoweredStage():
                return sum(kernel.text.count("\n") for kernel in self.content.kernels)


EDITABLE_GRAPHS = (
    StageKind.DYNAMO_GRAPH,
    StageKind.GRAPH_PART,
    StageKind.PRE_GRAD_GRAPH,
    StageKind.JOINT_GRAPH,
    StageKind.AOT_GRAPH,
    StageKind.POST_GRAD_GRAPH,
)
"""Stages whose FX graph can be edited."""
EDITABLE = (*EDITABLE_GRAPHS, StageKind.LOOP_IR, StageKind.KERNELS, StageKind.WRAPPER)
"""Stages whose graph can be edited and recompiled from."""
