"""What each moment of a step has to do, and in which layer it is."""

import re
from collections import Counter
from collections.abc import Iterator

import msgspec

from compiler.analysis.timing.kernel_work import KernelWork, kernel_work, may_be_tf32
from compiler.model.capture.capture import Capture
from compiler.model.ir.graph import Graph, Node
from compiler.model.ir.ids import StageId, place
from compiler.model.ir.loop_ir import Kernel
from compiler.model.ir.stage import Stage, StageKind
from compiler.model.prediction.machine import TF32
from compiler.model.prediction.simulated_step import BACKWARD, FORWARD, SimulatedStep

_NUMBERED = re.compile(r"^(.*?\.\d+)(?:\.|$)|^(\d+)(?:\.|$)")
_OUTSIDE = "outside of graphs"
_CUBLAS = re.compile(
    r"(?:extern_kernels|aten)\.(?:(?:bias_)?addmm|_addmm_activation|baddbmm|addbmm|bmm|_?int_mm|_scaled_mm|mm|addmv|mv|v?dot|"
    r"linalg_\w+|inverse|triangular_solve)(?:_out)?(?:\.|$)"
)


def is_cublas(name: str) -> bool:
    """Whether an operator or extern kernel of this name calls cuBLAS."""
    return _CUBLAS.search(name) is not None


class MomentWork(msgspec.Struct, frozen=True):
    """One moment."""

    layer: str
    bytes: int | None = None
    flops: int | None = None
    dtype: str = "float32"
    attention: bool = False
    name: str = ""
    """Of its kernel."""


class _Known(msgspec.Struct, frozen=True):
    """One kernel of a wrapper."""

    kernel: Kernel
    work: KernelWork
    layer: str
    dtype: str


def moments_work(capture: Capture, step: SimulatedStep) -> tuple[MomentWork, ...]:
    """The work of every moment, in order."""
    known = _kernels(capture)
    names = _units_of_calls(step)
    found = []
    for moment in step.moments:
        rows = known.get((moment.wrapper, moment.line), ()) if moment.wrapper else ()
        unit = names.get((moment.wrapper, moment.call), "") or moment.layer
        if not rows:
            layer = unit or _OUTSIDE
            dtype = moment.dtype or "bfloat16"
            dtype = TF32 if may_be_tf32(dtype, moment.name, capture.tf32) else dtype
            found.append(
                MomentWork(layer, moment.bytes or None, moment.flops or None, dtype, name=moment.name)
            )
            continue
        row = rows[0]
        layer = unit or row.layer or _OUTSIDE
        found.append(
            MomentWork(
                layer,
                row.work.bytes if row.work.bytes is not None else moment.bytes or None,
                row.work.flops if row.work.flops is not None else moment.flops or None,
                TF32 if row.work.tf32 else row.dtype,
                "attention" in row.kernel.name,
                row.kernel.name,
            )
        )
    return tuple(found)


def layer_of(path: str) -> str:
    """``model.layers.3`` of ``model.layers.3.mlp.up_proj``; else the first two steps."""
    match = _NUMBERED.match(path)
    if match is not None:
        return match[1] or match[2]
    return ".".join(path.split(".")[:2])


def _kernels(capture: Capture) -> dict[tuple[StageId, int], tuple[_Known, ...]]:
    """(wrapper, line) → what it calls there."""
    works = kernel_work(capture)
    found: dict[tuple[StageId, int], tuple[_Known, ...]] = {}
    for stage in capture.of_kind(StageKind.KERNELS):
        wrapper = f"{stage.id.rpartition(':')[0]}:wrapper"
        graph = _graph(capture, stage)
        for kernel in stage.kernels:
            if kernel.call_line is None:
                continue
            work = works.get(place(stage.id, kernel.id), KernelWork(None, None))
            origins = list(_origins(graph, kernel))
            paths = Counter(layer_of(node.module_path) for node in origins if node.module_path)
            layer = paths.most_common(1)[0][0] if paths else ""
            key = wrapper, kernel.call_line
            row = _Known(kernel, work, layer, _dtype(graph, kernel, origins, work))
            found[key] = (*found.get(key, ()), row)
    return found


def _graph(capture: Capture, kernels: Stage) -> Graph | None:
    for stage in capture.of_kind(StageKind.POST_GRAD_GRAPH):
        if (stage.compile_id, stage.part) == (kernels.compile_id, kernels.part):
            return stage.graph
    return None


def _origins(graph: Graph | None, kernel: Kernel) -> Iterator[Node]:
    for name in kernel.origins:
        if graph is not None and graph.holds(name):
            yield graph.node(name)


def _dtype(graph: Graph | None, kernel: Kernel, origins: list[Node], work: KernelWork) -> str:
    """Of what attention is given, which makes several things that have no one layout; else of what is made."""
    if "attention" not in kernel.name or graph is None:
        return work.dtype
    for node in origins:
        for name in node.inputs():
            dtype = getattr(graph.node(name).value, "dtype", "") if graph.holds(name) else ""
            if dtype:
                return str(dtype).removeprefix("torch.")
    return work.dtype


def _units_of_calls(step: SimulatedStep) -> dict[tuple[StageId, int], str]:
    """(wrapper, call) → the unit whose call it is: a backward belongs to the forward that waits longest, the last one first."""
    order: list[tuple[StageId, int, str, str]] = []
    for moment in step.moments:
        row = (moment.wrapper, moment.call, moment.phase, moment.layer)
        if moment.wrapper and (not order or order[-1][:2] != row[:2]):
            order.append(row)
    found: dict[tuple[StageId, int], str] = {}
    waiting: dict[str, list[str]] = {}
    for wrapper, call, phase, layer in order:
        if (wrapper, call) in found:
            continue
        compile_id = wrapper.partition(":")[0]
        if phase == FORWARD:
            found[wrapper, call] = layer
            waiting.setdefault(compile_id, []).append(layer)
        elif phase == BACKWARD and waiting.get(compile_id):
            found[wrapper, call] = waiting[compile_id].pop()
    return found
