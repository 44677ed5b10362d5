"""What a kernel has to do: bytes moved by Inductor's own count, operations by torch's formulas or by its loop bodies."""

import re

import msgspec

from compiler.model.capture.capture import CONVOLUTIONS, PRODUCTS, Capture
from compiler.model.ir.ids import NodeId, Place, is_number, place
from compiler.model.ir.loop_ir import Kernel, LoopNode
from compiler.model.ir.stage import LoopStage, Stage, StageKind

_OPERATION = re.compile(r"\bops\.(\w+)\(")
_ARITHMETIC = frozenset(
    [
        "abs",
        "acos",
        "acosh",
        "add",
        "asin",
        "asinh",
        "atan",
        "atan2",
        "atanh",
        "bessel_j0",
        "bessel_j1",
        "cos",
        "cosh",
        "div",
        "dot",
        "erf",
        "erfc",
        "erfinv",
        "exp",
        "exp2",
        "expm1",
        "floor",
        "floordiv",
        "fma",
        "fmod",
        "frexp",
        "hypot",
        "i0",
        "lgamma",
        "log",
        "log10",
        "log1p",
        "log2",
        "maximum",
        "minimum",
        "mod",
        "mul",
        "neg",
        "pow",
        "reciprocal",
        "reduction",
        "relu",
        "remainder",
        "round",
        "rsqrt",
        "scan",
        "sigmoid",
        "sign",
        "sin",
        "sinh",
        "sqrt",
        "square",
        "sub",
        "tan",
        "tanh",
        "truediv",
        "truncdiv",
        "trunc",
        "ceil",
        "welford_reduction",
    ]
)
_DTYPE = re.compile(r"torch\.(\w+)")


class KernelWork(msgspec.Struct, frozen=True):
    """The work of one call of one kernel; None where a size is symbolic or nothing is known."""

    bytes: int | None
    flops: int | None
    counted: str = ""
    """Who counted the operations: ``flop_counter`` or ``loop bodies``."""
    dtype: str = "float32"
    """Of what it makes."""
    tf32: bool = False
    """Whether it is a library call of float32 that an NVIDIA GPU may compute in tf32."""

    @property
    def intensity(self) -> float | None:
        """Operations for each byte moved."""
        return self.flops / self.bytes if self.flops is not None and self.bytes else None


def kernel_work(capture: Capture) -> dict[Place, KernelWork]:
    """The work of every kernel of a capture."""
    found: dict[Place, KernelWork] = {}
    for stage in capture.of_kind(StageKind.KERNELS):
        fused = _loops(capture, stage, StageKind.FUSED_LOOP_IR)
        single = _loops(capture, stage, StageKind.LOOP_IR)
        for kernel in stage.kernels:
            found[place(stage.id, kernel.id)] = _work(kernel, fused, single, capture.tf32)
    return found


def may_be_tf32(dtype: str, called: str, tf32: tuple[str, ...]) -> bool:
    """Whether a library that is called for a product or a convolution may compute it so. `tf32`: of the capture."""
    return dtype == "float32" and (CONVOLUTIONS if "convolution" in called else PRODUCTS) in tf32


def _loops(capture: Capture, kernels: Stage, kind: StageKind) -> dict[NodeId, LoopNode]:
    """Those of the graph and of the bodies that it calls, which have names of their own."""
    return {
        node.id: node
        for stage in capture.of_kind(kind)
        if (stage.compile_id, stage.part) == (kernels.compile_id, kernels.part)
        and isinstance(stage.content, LoopStage)
        for node in stage.content.program.nodes
    }


def _work(
    kernel: Kernel, fused: dict[NodeId, LoopNode], single: dict[NodeId, LoopNode], tf32: tuple[str, ...]
) -> KernelWork:
    nodes = [fused[name] for name in kernel.loop_nodes if name in fused]
    if not nodes:
        return KernelWork(None, None)
    sizes = [node.bytes_moved for node in nodes]
    moved = sum(size for size in sizes if size is not None) if None not in sizes else None
    parts = [single.get(name) for node in nodes for name in node.children or (node.id,)]
    dtype = next((match[1] for part in parts if part and (match := _DTYPE.search(part.layout))), "float32")
    if kernel.language == "extern":
        flops = [node.flops for node in nodes]
        known = sum(count for count in flops if count is not None) if None not in flops else None
        counter = "flop_counter" if known is not None else ""
        return KernelWork(moved, known, counter, dtype, may_be_tf32(dtype, kernel.name, tf32))
    counts = [_body_flops(part) if part is not None else None for part in parts]
    counted = sum(count for count in counts if count is not None) if None not in counts else None
    return KernelWork(moved, counted, "loop bodies" if counted is not None else "", dtype)


def _body_flops(node: LoopNode) -> int | None:
    """Arithmetic operations of a loop body times the size of its loops; an ``exp`` counts as one. A template has no body:
    then what torch's formula says of it.
    """
    if not node.body or not node.sizes:
        return node.flops
    iterations = 1
    for size in node.sizes.strip("()[] ").replace("[", " ").replace("]", " ").replace(",", " ").split():
        if not is_number(size):
            return None
        iterations *= int(size)
    return iterations * sum(1 for name in _OPERATION.findall(node.body) if name in _ARITHMETIC)
