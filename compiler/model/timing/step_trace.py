"""One step of the program on a time axis: what ran when, in the compiled program and in the eager one."""

import enum

import msgspec


class SpanKind(enum.Enum):
    """What a span of a step is."""

    FORWARD = "forward"
    BACKWARD = "backward"
    GRAPH = "graph"
    """A compiled Dynamo graph as the rewritten bytecode calls it: AOTAutograd's runtime wrappers and what they call."""
    WRAPPER = "wrapper"
    """A generated wrapper: allocations, checks of inputs, and the kernels in it."""
    GENERATED = "generated"
    """A kernel that Inductor wrote."""
    EXTERN = "extern"
    """A library call, such as a matrix product."""
    GUARDS = "guards"
    """Dynamo looking for compiled code whose guards hold."""
    OPERATION = "operation"
    """An operation as PyTorch runs it without a compiler."""
    AUTOGRAD = "autograd"
    """A node of the autograd graph, with the operations it calls."""


class Span(msgspec.Struct, frozen=True, array_like=True):
    """Nanoseconds since the step began."""

    begin: int
    end: int
    kind: SpanKind
    name: str = ""
    kernel: int = -1
    """Index into `TimingStarted.kernels`; -1: none of these."""
    read: int = 0
    """Of an eager operation: bytes of the tensors that it reads, views none."""
    written: int = 0
    path: str = ""
    """Of an eager operation: the file of the user's line that asked for it, for a backward one of the forward's."""
    line: int = 0


class StepTrace(msgspec.Struct, frozen=True):
    """One step that really ran."""

    compiled: bool
    """Of the compiled program, or of the eager one."""
    profiled: bool
    """Seen by torch's profiler, which makes every operation a little longer, or by clocks around kernel calls."""
    length: int
    """Nanoseconds of the whole step."""
    spans: tuple[Span, ...]
    memory: tuple[tuple[int, int], ...] = ()
    """(nanoseconds since the step began, bytes allocated, negative where they were freed), where profiled."""

    def of_kind(self, kind: SpanKind) -> tuple[Span, ...]:
        """The spans of a kind, in order."""
        return tuple(span for span in self.spans if span.kind is kind)

    def spent(self, kind: SpanKind) -> int:
        """Nanoseconds in the spans of a kind."""
        return sum(span.end - span.begin for span in self.of_kind(kind))


class StepPart(enum.Enum):
    """Where the time of a compiled step goes; the parts of one step add up to the step."""

    GENERATED = "generated kernels"
    EXTERN = "extern kernels"
    WRAPPER = "wrapper"
    """In generated wrappers, less the kernels."""
    RUNTIME = "runtime"
    """In compiled graphs, less the wrappers: AOTAutograd's runtime and autograd's bookkeeping of the forward."""
    OUTSIDE = "outside"
    """The rest of the step."""


PART_TEXTS = {
    StepPart.GENERATED: "Kernels that Inductor generated",
    StepPart.EXTERN: "Extern kernels: library calls such as matrix products",
    StepPart.WRAPPER: "Generated wrappers less their kernels: allocating, checking inputs, calling",
    StepPart.RUNTIME: "Compiled graphs less their wrappers: AOTAutograd's runtime around the forward",
    StepPart.OUTSIDE: "The rest: guards, Dynamo's bytecode, code at graph breaks, the autograd engine",
}
"""What each part is, for people. The first two are measured; the other three are differences of measured times."""
REST_OF_A_GPU = "The rest: wrappers, launching kernels, guards, Dynamo's bytecode, code at graph breaks, the autograd engine"
"""What is outside of kernels where host and GPU run side by side, so that no wrapper or runtime is distinguished."""
MEASURED_PARTS = (StepPart.GENERATED, StepPart.EXTERN)
"""Parts with clocks right around them; the others are remainders."""


def format_part(part: StepPart, distinct: bool) -> str:
    """What a part is, for people; `distinct`: whether wrappers and runtime were measured."""
    return PART_TEXTS[part] if distinct or part is not StepPart.OUTSIDE else REST_OF_A_GPU
