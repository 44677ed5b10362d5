"""Inductor's loop IR as data: what the scheduler holds before and after fusion."""

from typing import TypeAlias

import msgspec

from compiler.model.ir.ids import NodeId


class Dependency(msgspec.Struct, frozen=True):
    """One buffer read or written, with the index expression over the loop variables."""

    buffer: str
    index: str = ""
    size: str = ""
    bytes: int | None = None
    """Memory traffic of it by Inductor's count; None where that was not read."""


class LoopNode(msgspec.Struct, frozen=True):
    """A SchedulerNode, ExternKernelSchedulerNode, NopKernelSchedulerNode or FusedSchedulerNode."""

    id: NodeId
    kind: str
    """Torch's class name."""
    operation: str
    """What it computes, in a word or two: ``Pointwise``, ``Reduction``, ``extern_kernels.addmm``."""
    reads: tuple[Dependency, ...] = ()
    writes: tuple[Dependency, ...] = ()
    buffers: tuple[str, ...] = ()
    """Buffers it makes."""
    inputs: tuple[NodeId, ...] = ()
    """Nodes of the same stage whose buffers it reads."""
    children: tuple[NodeId, ...] = ()
    """For a fused node: the scheduler nodes in it, as they were named before fusion."""
    origins: tuple[NodeId, ...] = ()
    """FX nodes of the post-grad graph it was lowered from, as torch recorded them."""
    body: str = ""
    """The loop body as Inductor prints it."""
    sizes: str = ""
    layout: str = ""
    bytes_moved: int | None = None
    """Bytes read and written by Inductor's own count; None where a size is symbolic."""
    flops: int | None = None
    computes: tuple[NodeId, ...] = ()
    """FX nodes of which code is in it, noted while Inductor traced its body. Torch's `origins` also name what its
    arguments were made from, wherever that is computed. Empty where it was not seen."""
    value_of: NodeId = ""
    """The FX node whose result its buffer holds, as torch recorded; empty for none, several, or a fused node."""


class SharedTraffic(msgspec.Struct, frozen=True, array_like=True):
    """What one kernel for two nodes would save, had Inductor fused them."""

    first: NodeId
    second: NodeId
    bytes: int
    """Memory traffic, by torch's own score (`Scheduler.score_fusion_memory`)."""


class FusionChoice(msgspec.Struct, frozen=True, array_like=True):
    """What a person wants of two nodes, instead of what Inductor's heuristics say."""

    first: NodeId
    second: NodeId
    fuse: bool
    """Into one kernel, or never."""


KnobValue: TypeAlias = bool | int | str


class KnobChoice(msgspec.Struct, frozen=True, array_like=True):
    """How a knob is turned for the kernel that runs a node (`compiler.model.edits.kernel_knobs`)."""

    node: NodeId
    knob: str
    value: KnobValue


class LoopProgram(msgspec.Struct, frozen=True):
    """The scheduler's nodes in order, and why pairs that it looked at were not fused."""

    nodes: tuple[LoopNode, ...]
    not_fused: tuple[tuple[NodeId, NodeId, str], ...] = ()
    """(first, second, torch's own reason)."""
    choices: tuple[FusionChoice, ...] = ()
    """Before fusion: what was chosen by hand."""
    shared: tuple[SharedTraffic, ...] = ()
    """After fusion: the nodes that touch the same data and are in kernels of their own."""
    all_shared: bool = False
    """Whether `shared` was read, and has every such pair."""

    knobs: tuple[KnobChoice, ...] = ()
    """Before fusion: knobs that were turned by hand."""

    def knob(self, node: NodeId, name: str) -> KnobValue | None:
        """How a knob is turned; None where that is left to Inductor."""
        return next((row.value for row in self.knobs if (row.node, row.knob) == (node, name)), None)

    def would_save(self, first: NodeId, second: NodeId) -> int | None:
        """Bytes that one kernel for two nodes would save; None where that is not known."""
        for row in self.shared:
            if {row.first, row.second} == {first, second}:
                return row.bytes
        return 0 if self.all_shared else None

    def chosen(self, first: NodeId, second: NodeId) -> bool | None:
        """Whether two nodes are to be fused; None where that is left to Inductor."""
        for choice in self.choices:
            if {choice.first, choice.second} == {first, second}:
                return choice.fuse
        return None


class Kernel(msgspec.Struct, frozen=True):
    """One kernel that the wrapper calls."""

    id: NodeId
    """The kernel's name, with ``#2``, ``#3`` … for further calls of a kernel of the same name."""
    name: str
    language: str
    """``cpp``, ``triton`` or ``extern`` (a library call, which has no source here)."""
    source: str = ""
    source_path: str = ""
    call_line: int | None = None
    """Line of the call in the wrapper, from 1."""
    loop_nodes: tuple[NodeId, ...] = ()
    """Nodes of the fused loop IR that it runs."""
    origins: tuple[NodeId, ...] = ()
    """FX nodes of the post-grad graph, or of `body`, as torch recorded them."""
    body: str = ""
    """Inductor's name of the body of a higher-order operator that it computes a part of."""


class KernelSet(msgspec.Struct, frozen=True):
    """The kernels of one Inductor graph in call order."""

    kernels: tuple[Kernel, ...]


class WrapperCode(msgspec.Struct, frozen=True):
    """The generated Python module that allocates buffers and calls the kernels."""

    path: str
    text: str
    memory_plan: tuple[str, ...] = ()
    """Allocate, reuse and free steps in order, one text each."""
    language: str = "python"
    """``python`` or, with torch's cpp_wrapper, ``cpp``."""
    base: str = ""
    """What distinguishes the text that Inductor generated from others (`wrapper_edits.fingerprint`)."""
