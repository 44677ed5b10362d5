"""Checking Triton kernels without a GPU: each is run on the CPU through Triton's interpreter and compared with its graph."""

import msgspec

from compiler.model.capture.capture import Capture
from compiler.model.ir.diagnostics import Problem
from compiler.model.ir.graph import Graph
from compiler.model.ir.ids import NodeId, StageId
from compiler.model.ir.loop_ir import Kernel, LoopNode
from compiler.model.ir.stage import FxStage, LoopStage, Stage, StageKind, WrapperStage
from compiler.model.timing.verdicts import Difference, format_worst


class CheckOrder(msgspec.Struct, frozen=True):
    """One Inductor graph whose kernels are to be checked. Their texts, and the wrapper's, are executed."""

    stage: StageId
    """The kernels' stage."""
    part: str
    compile_id: str
    wrapper: str
    graph: Graph
    """After the post-grad passes: what the kernels are compared with, op by op."""
    kernels: tuple[Kernel, ...]
    loops: tuple[LoopNode, ...]
    """Before fusion: which buffer holds the result of which node."""
    fused: tuple[LoopNode, ...]


class KernelCheck(msgspec.Struct, frozen=True):
    """What became of one call of one kernel."""

    kernel: NodeId
    name: str
    buffers: tuple[Difference, ...] = ()
    """Each buffer it made that holds a node's result, against the graph in float64; named ``buf3 (rsqrt)``."""
    agrees: bool | None = None
    """Whether all are as near to float64 as the graph run op by op in its own dtypes is, within a small factor; None where
    it was not judged, for `reason`."""
    reason: str = ""
    blocks: str = ""
    """``XBLOCK=512 in 8 programs``: what was interpreted."""
    own_blocks: bool = False
    """Whether these are the blocks of Inductor's first configuration; else larger ones, which take less time."""
    seconds: float = 0.0

    @property
    def worst(self) -> Difference | None:
        """The buffer that is farthest off, relatively."""
        return max(self.buffers, key=lambda row: row.max_relative, default=None)


class GraphCheck(msgspec.Struct, frozen=True):
    """The kernels of one Inductor graph, in the order of their calls."""

    stage: StageId
    kernels: tuple[KernelCheck, ...] = ()
    inputs: str = ""
    """What the graph was given."""
    problem: Problem | None = None
    """Why none of it could be run."""


class CheckKernels(msgspec.Struct, frozen=True, tag="check_kernels"):
    """Run the Triton kernels of these graphs through the interpreter, in a process of its own. Replies with
    `KernelsChecked`.
    """

    orders: tuple[CheckOrder, ...]


class KernelsChecked(msgspec.Struct, frozen=True, tag="kernels_checked"):
    """A row for each order."""

    graphs: tuple[GraphCheck, ...]


def check_orders(capture: Capture) -> tuple[CheckOrder, ...]:
    """All graphs of a capture that have Triton kernels; a forward before its backward, which takes what that saved."""
    orders = []
    for stage in capture.of_kind(StageKind.KERNELS):
        kernels = stage.kernels
        if not any(kernel.language == "triton" for kernel in kernels):
            continue
        graph = _same_graph(capture, stage, StageKind.POST_GRAD_GRAPH)
        wrapper = _same_graph(capture, stage, StageKind.WRAPPER)
        loops = _same_graph(capture, stage, StageKind.LOOP_IR)
        fused = _same_graph(capture, stage, StageKind.FUSED_LOOP_IR)
        if (
            graph is not None
            and isinstance(graph.content, FxStage)
            and wrapper is not None
            and isinstance(wrapper.content, WrapperStage)
            and loops is not None
            and isinstance(loops.content, LoopStage)
            and fused is not None
            and isinstance(fused.content, LoopStage)
        ):
            orders.append(
                CheckOrder(
                    stage.id,
                    stage.part,
                    stage.compile_id,
                    wrapper.content.code.text,
                    graph.content.graph,
                    kernels,
                    loops.content.program.nodes,
                    fused.content.program.nodes,
                )
            )
    return tuple(orders)


def _same_graph(capture: Capture, kernels: Stage, kind: StageKind) -> Stage | None:
    same = (kernels.compile_id, kernels.part)
    return next((stage for stage in capture.of_kind(kind) if (stage.compile_id, stage.part) == same), None)


def format_check(check: KernelCheck) -> str:
    """The verdict on a kernel in a sentence."""
    worst = check.worst
    if check.agrees is None:
        return check.reason
    if check.agrees:
        off = f" (largest relative error {worst.relative_text})" if worst is not None else ""
        return f"Does what the graph says: as near to float64 as eager is{off}."
    return f"Not as near to float64 as eager is{format_worst(worst)}."
