"""What the hooks write down while torch compiles: live torch objects, in the order things happened.

A `Recorder` is filled by the hooks of ``torch_internals`` and read by the stages, which turn it into plain data.
"""

import contextlib
import copy
import dataclasses
import types
import weakref
from collections.abc import Callable, Iterator
from typing import Any

from compiler.engine.records.compile_names import CompileNames
from compiler.engine.records.partitioner_state import Weighed
from compiler.engine.records.pass_recorder import PassTimeline, with_notes_of_inputs
from compiler.model.capture.compile_ids import whole_of
from compiler.model.capture.frames import BreakCategory, StackValue
from compiler.model.capture.gpu_autotuning import CudaGraphNote, MeasuredChoice
from compiler.model.capture.guards import GuardTree, RecompileRecord
from compiler.model.effects.purity import works_in_place
from compiler.model.ir.graph import Graph, SourceLine
from compiler.model.ir.ids import NodeId
from compiler.model.ir.loop_ir import FusionChoice, Kernel, KnobChoice, LoopNode, SharedTraffic
from compiler.model.ir.passes import FusionStep
from compiler.model.ir.stage import TensorDecision
from compiler.model.protocol.progress import Doing, Phase, Step

CodeId = int
"""``id()`` of a code object that the recorder keeps alive."""


@dataclasses.dataclass(frozen=True)
class InstructionLocation:
    """One of the instructions that Dynamo made of a code object's."""

    code: CodeId
    number: int
    """Its offset among Dynamo's instructions; `compiler.engine.provenance.code_stages` says which of Python's it is."""


@dataclasses.dataclass
class BreakRecord:
    """One call of Dynamo's graph-break path."""

    frame: str
    kind: str
    reason: str
    registry_id: str = ""
    explanation: str = ""
    context: str = ""
    hints: tuple[str, ...] = ()
    stack: tuple[SourceLine, ...] = ()
    locations: tuple[InstructionLocation, ...] = ()
    """Where it stopped, then the calls that led there."""
    skipped_frame: bool = False
    sort: BreakCategory = BreakCategory.BREAK
    symbolic_stack: tuple[StackValue, ...] = ()
    callee: str = ""
    cause: "BreakRecord | None" = None
    rest_eager: bool = False


@dataclasses.dataclass
class StopRecord:
    """Where Dynamo's tracer stood when it met what it can't trace."""

    locations: tuple[InstructionLocation, ...] = ()
    symbolic_stack: tuple[StackValue, ...] = ()
    callee: str = ""
    calls_python: bool = False
    """What it was about to call is a Python function."""


@dataclasses.dataclass
class SkipRecord:
    """A frame that Dynamo was asked to compile and left alone."""

    code: types.CodeType
    reason: str
    callers: tuple[SourceLine, ...] = ()
    """The user's lines that led to the frame, innermost last."""


@dataclasses.dataclass
class CallRecord:
    """A call that Dynamo went into, or refused to."""

    name: str
    path: str
    line: int
    depth: int
    caller_path: str
    caller_line: int
    nodes: int = 0
    refused: str = ""


@dataclasses.dataclass
class Attempt:
    """One run of Dynamo's tracer over a frame; a restart begins another."""

    node_locations: dict[str, tuple[InstructionLocation, ...]] = dataclasses.field(default_factory=dict)
    """Mark of a Dynamo node → the instructions that made it, innermost inlined call first."""
    tracers: list[Any] = dataclasses.field(default_factory=list)
    """Dynamo's tracers of bodies, each of which names nodes for itself."""
    traced: set[tuple[CodeId, int]] = dataclasses.field(default_factory=set)
    """The fields of an `InstructionLocation`: one is noted for each instruction that is traced."""
    restart: str = ""
    calls: list[CallRecord] = dataclasses.field(default_factory=list)
    sizes: dict[tuple[str, int, str], list[tuple[str, str]]] = dataclasses.field(default_factory=dict)
    """(file, line, variable) → what was stored there, in order: (size, mark of its Dynamo node)."""


@dataclasses.dataclass
class FrameRecord:
    """One compile of one frame."""

    id: str
    code: types.CodeType
    attempts: list[Attempt] = dataclasses.field(default_factory=list)
    rewritten: types.CodeType | None = None
    error: str = ""
    given_up: bool = False
    """The error was Dynamo's own way out: the frame runs eagerly, and the program goes on."""
    skip_reason: str = ""
    recompile_reasons: tuple[str, ...] = ()
    seconds: float = 0.0
    ended: float = 0.0
    """By ``time.perf_counter()``."""
    asked: float = 0.0
    """When the program called it; since then it may have waited for another thread's compile."""
    caller: str = ""
    """Compile id of the frame that was running and called it."""
    callers: tuple[SourceLine, ...] = ()
    """The lines that led to it, of the user's files and of libraries, innermost last."""
    called: str = ""
    """What torch's own wrapper was made around: ``Sequential``. Empty where the program's function is compiled itself."""
    global_sizes: dict[str, int] = dataclasses.field(default_factory=dict)
    """Lengths of guarded dicts, by the source that leads to them from a global variable, when it was compiled."""

    @property
    def name(self) -> str:
        """What people know it by."""
        return self.called or self.code.co_name


@dataclasses.dataclass
class LoopRecord:
    """The scheduler's nodes at one moment, already read, since fusion changes them in place."""

    nodes: list[LoopNode]
    seconds: float | None = 0.0
    shared: tuple[SharedTraffic, ...] = ()
    """After fusion: what nodes that are apart would save together."""
    all_shared: bool = False


@dataclasses.dataclass
class BodyLoops:
    """What a scheduler of its own made of the body of a higher-order operator, where Inductor lowers it apart."""

    before_fusion: LoopRecord | None = None
    after_fusion: LoopRecord | None = None
    not_fused: list[tuple[str, str, str]] = dataclasses.field(default_factory=list)
    seconds: dict[str, float] = dataclasses.field(default_factory=dict)


@dataclasses.dataclass(frozen=True)
class WrittenLine:
    """A line of kernel source as it was written, stripped."""

    text: str
    fx_node: str
    """Whose code it is, or "" for what holds the kernel together."""
    loop_node: str


@dataclasses.dataclass
class WrittenBlock:
    """A buffer of Inductor's that lines of a kernel are written into."""

    buffer: Any
    owners: dict[int, tuple[str, str]] = dataclasses.field(default_factory=dict)
    """Index of a line → (FX node, scheduler node)."""


@dataclasses.dataclass
class KernelRecord:
    """One kernel call as Inductor generated it."""

    name: str
    extern: bool
    snodes: tuple[str, ...]
    """Scheduler nodes it runs, by their names before fusion."""
    origins: tuple[str, ...]
    body: str = ""
    """Torch's name of the body of a higher-order operator that it computes a part of."""
    buffers: tuple[str, ...] = ()
    """For an extern kernel: the buffers it makes."""
    blocks: tuple[tuple[WrittenLine, ...], ...] = ()
    """Lines of its source that stand together, each block as it was written."""


@dataclasses.dataclass
class InductorGraphRecord:
    """One graph that Inductor compiled: a forward, a backward or an inference graph."""

    part: str
    aot_graph: Graph
    started: float
    edited: bool = False
    """The post-grad graph is not as the passes left it any more."""
    aot_edited: bool = False
    """The graph is not as AOTAutograd made it any more."""
    post_grad: Graph | None = None
    aot_bodies: dict[str, Graph] = dataclasses.field(default_factory=dict)
    """What higher-order operators of `aot_graph` call."""
    post_grad_bodies: dict[str, Graph] = dataclasses.field(default_factory=dict)
    before_fusion: LoopRecord | None = None
    after_fusion: LoopRecord | None = None
    retraced: dict[tuple[str, str], tuple[str, str]] = dataclasses.field(default_factory=dict)
    """(body, node) of `post_grad_bodies` → (body, node) that a pass traced it from."""
    body_loops: dict[str, BodyLoops] = dataclasses.field(default_factory=dict)
    """By torch's name of the body: that of `post_grad_bodies` with lines for dots."""
    choices: tuple[FusionChoice, ...] = ()
    """Fusions chosen by hand."""
    knobs: tuple[KnobChoice, ...] = ()
    """Knobs of kernels turned by hand."""
    not_fused: list[tuple[str, str, str]] = dataclasses.field(default_factory=list)
    fusions: list[FusionStep] = dataclasses.field(default_factory=list)
    """What the scheduler did, in order, ids and stage not given yet."""
    passes: PassTimeline | None = None
    """From the graph that Inductor received to the post-grad graph."""
    kernels: list[KernelRecord] = dataclasses.field(default_factory=list)
    call_lines: list[tuple[str, str]] = dataclasses.field(default_factory=list)
    """(kernel name, line as written into the wrapper); of the same text in order."""
    written: dict[int, WrittenBlock] = dataclasses.field(default_factory=dict)
    """What was written of the kernel that has no name yet, by ``id()`` of the buffer."""
    written_runs: list[tuple[WrittenLine, ...]] = dataclasses.field(default_factory=list)
    """The same of buffers that were emptied meanwhile, block by block."""
    read_kernels: tuple[Kernel, ...] | None = None
    """What `wrapper_reading.read_kernels` found, kept because three stages ask."""
    memory_plan: list[str] = dataclasses.field(default_factory=list)
    wrapper_text: str = ""
    generated_text: str = ""
    """The wrapper as Inductor generated it, without edits of kernels' sources and of the wrapper."""
    wrapper_language: str = "python"
    wrapper_path: str = ""
    seconds: dict[str, float] = dataclasses.field(default_factory=dict)
    lazily: bool = False
    """A backward that was compiled when the program first asked for gradients."""
    rewrites: list[tuple[str, tuple[str, ...], tuple[str, ...]]] = dataclasses.field(default_factory=list)
    """Those of the Dynamo graph's that came while this graph was compiled."""

    def take(self, compiled: "InductorGraphRecord") -> None:
        """What Inductor made of an equal graph is what it made of this one."""
        own = ("part", "aot_graph", "aot_bodies", "started", "seconds", "lazily")
        for field in dataclasses.fields(self):
            if field.name not in own:
                setattr(self, field.name, copy.copy(getattr(compiled, field.name)))
        if compiled.passes is not None:
            self.passes = compiled.passes.copy()
            self.passes.take_inputs_of(self.aot_graph)
        if compiled.post_grad is not None:
            self.post_grad = with_notes_of_inputs(compiled.post_grad, self.aot_graph)


def scheduled(graph: InductorGraphRecord) -> Iterator[tuple[str, InductorGraphRecord | BodyLoops]]:
    """("", the graph itself), and by its name each body that has a scheduler of its own."""
    yield "", graph
    for name in graph.post_grad_bodies:
        if (loops := graph.body_loops.get(name.replace(".", "_"))) is not None:
            yield name, loops


@dataclasses.dataclass
class PartitionRecord:
    """How a joint graph was split."""

    saved: tuple[tuple[str, int | None], ...] = ()
    saved_reasons: dict[str, str] = dataclasses.field(default_factory=dict)
    recomputed: tuple[str, ...] = ()
    cut_value: float | None = None
    weighed: dict[str, Weighed] = dataclasses.field(default_factory=dict)
    """What torch put into the network, by node."""
    chosen: tuple[Any, ...] = ()
    """Live nodes that are saved, inputs included."""
    decisions: tuple[TensorDecision, ...] = ()
    saved_bytes: int | None = None


@dataclasses.dataclass
class DynamoGraphRecord:
    """One Dynamo graph and everything the backend made of it."""

    compile_id: str
    dynamo: Graph
    edited: bool = False
    """The Dynamo graph is not as Dynamo made it any more."""
    bodies: dict[str, Graph] = dataclasses.field(default_factory=dict)
    """What higher-order operators of Dynamo's graph call, by name (`graph_reading.read_bodies`)."""
    edited_graphs: frozenset[str] = frozenset()
    """``pre_grad`` and ``joint``, where an edit changed them."""
    pre_grad: Graph | None = None
    joint: Graph | None = None
    partition: PartitionRecord | None = None
    inductor_graphs: list[InductorGraphRecord] = dataclasses.field(default_factory=list)
    rewrites: list[tuple[str, tuple[str, ...], tuple[str, ...]]] = dataclasses.field(default_factory=list)
    """(pattern, names of the nodes it matched, names of the nodes that came instead)."""
    pre_grad_passes: PassTimeline | None = None
    """From Dynamo's graph to the pre-grad graph."""
    joint_passes: PassTimeline | None = None
    """From the joint graph as AOTAutograd traced it to the one that is partitioned."""
    joint_after_passes: Graph | None = None
    merged: dict[NodeId, NodeId] = dataclasses.field(default_factory=dict)
    """Node of it that the partitioner took out → the equal one in its place."""
    drawn_by: dict[int, tuple[str, ...]] = dataclasses.field(default_factory=dict)
    """Marks of the call of Dynamo's graph that drew a number of an autograd node, by number, of every time that AOTAutograd ran the graph."""
    inputs: dict[NodeId, int] = dataclasses.field(default_factory=dict)
    """Of placeholders of the joint graph, or of that of inference: which input of what AOTAutograd was given they are, or are made of."""
    joint_bodies: dict[str, Graph] = dataclasses.field(default_factory=dict)
    """What higher-order operators of `joint` call, after the passes, which go over bodies too."""
    other_backend: bool = False
    """Whether AOTAutograd handed its graphs to another backend than Inductor, of which nothing more is known."""
    runtime_wrappers: list[tuple[str, str]] = dataclasses.field(default_factory=list)
    """(torch's name, source) of what AOTAutograd generated around the compiled graphs, in order."""
    seconds: dict[str, float] = dataclasses.field(default_factory=dict)
    parts: list["DynamoGraphRecord"] = dataclasses.field(default_factory=list)
    """What the compiler was given one by one instead of the whole graph, or beside it, in order."""
    part_of: "DynamoGraphRecord | None" = None
    """The graph that this is a part of."""
    cut_by: str = ""
    """Who handed the part to the compiler, with its file."""
    compiled_whole: bool = False
    """Whether the compiler was given all of this graph."""
    instead: "DynamoGraphRecord | None" = None
    """What the compiler was given instead of the graph, told as the graph's; kept for hooks that still write into it."""
    config: Any = None
    """Inductor's notes for all graphs of one call of it, by which a backward that is compiled later is distinguished from others."""
    caches: dict[tuple[str, str], int] = dataclasses.field(default_factory=dict)
    """How often torch's graph caches were asked, by (cache, what it gave)."""

    def is_in_place(self, mark: str) -> bool:
        """Whether a mark is of a node of Dynamo's graph that writes its first argument."""
        graphs = (self.dynamo, *self.bodies.values())
        for node in (node for graph in graphs for node in graph.nodes):
            if mark in node.origins:
                return works_in_place(node)
        return False

    def note_backend_time(self, seconds: float) -> None:
        """The backend is done: what its timed steps did not take, AOTAutograd's tracing took. What was compiled at once with something
        else is counted there.
        """
        known = self.seconds.get("pre_grad", 0.0) + self.seconds.get("partition", 0.0)
        known += sum(inductor_graph.seconds.get("whole", 0.0) for inductor_graph in self.inductor_graphs)
        known -= self.seconds.get("at_once", 0.0)
        self.seconds["backend"] = seconds
        self.seconds["aot"] = max(seconds - known, 0.0)


@dataclasses.dataclass
class SymbolRecord:
    """Where a symbolic size came from, and what became of it."""

    created: SourceLine | None = None
    created_by: str = ""
    specialised: str = ""
    specialised_at: SourceLine | None = None
    specialised_by: str = ""


class Recorder:
    """Everything one capture or recompile wrote down."""

    @contextlib.contextmanager
    def reading(self, what: str) -> Iterator[None]:
        """Around what a hook reads beside torch's own work: another torch may keep it elsewhere, and reading must never
        change what torch does. What went wrong is reported with the capture.
        """
        try:
            with self.quietly():
                yield
        except Exception as error:  # noqa: BLE001  see above: nothing of ours may reach Dynamo
            self.faults.append(f"{what}: {type(error).__name__}: {error}")

    def __init__(self, progress: Callable[[str], None] | None = None) -> None:
        self.faults: list[str] = []
        self.measured: list[MeasuredChoice] = []
        """What torch timed on a GPU."""
        self.cuda_graphs: list[CudaGraphNote] = []
        self.names = CompileNames()
        self.frames: list[FrameRecord] = []
        self.breaks: list[BreakRecord] = []
        self.break_parts: dict[str, tuple[str, str, str, tuple[str, ...]]] = {}
        """Torch's message of a break → its type, context, explanation and hints."""
        self.skips: list[SkipRecord] = []
        self.stops: weakref.WeakKeyDictionary[BaseException, StopRecord] = weakref.WeakKeyDictionary()
        """Torch's exception → where it was raised."""
        self.reported: weakref.WeakKeyDictionary[BaseException, BreakRecord] = weakref.WeakKeyDictionary()
        """Torch's exception → the break that it is."""
        self.standing: list[tuple[Any, Any, tuple[Any, ...]]] = []
        """(translator, instruction, stack before it) of every step under way, the innermost call last."""
        self.dynamo_graphs: list[DynamoGraphRecord] = []
        self.codes: dict[CodeId, types.CodeType] = {}
        self.positions: dict[tuple[CodeId, int], Any] = {}
        """Where Dynamo says that each instruction it traced stands: lines and columns, by the fields of its spot."""
        self.origins: dict[CodeId, dict[int, int] | str] = {}
        """Dynamo's offset → Python's of each code object that was asked for, or why that can't be told."""
        self.cudagraph_skips: list[str] = []
        """Why torch did without CUDA graphs, in its words."""
        self.resumes: dict[CodeId, tuple[CodeId, str]] = {}
        """Resume function's code → (code it resumes, compile id of the frame that broke)."""
        self.current_frames: list[FrameRecord] = []
        self.current_dynamo_graphs: list[DynamoGraphRecord] = []
        self.current_inductor_graphs: list[InductorGraphRecord] = []
        self.guards: dict[str, GuardTree] = {}
        self.recompiles: dict[str, RecompileRecord] = {}
        self.symbols: dict[tuple[str, str], SymbolRecord] = {}
        """(compile id, symbol) → where it was made."""
        self.top_locals: dict[str, Any] = {}
        """Names of the first frame that was compiled: what the guard tester changes."""
        self.top_globals: dict[str, Any] = {}
        self.top_code: types.CodeType | None = None
        self.timeline: PassTimeline | None = None
        """The graph that passes run over now."""
        self.asking = False
        """Whether a hook asks torch something now, which is no part of the compile."""
        self.live: Any = None
        """The `LiveProgram` that keeps regions for recompiling, or None while only observing."""
        self.generated: Callable[[tuple[str, ...]], None] = lambda sources: None
        """Told each time when Inductor has generated kernels and these sources of them are being built."""
        self.made: Callable[[], None] = lambda: None
        """Told each time when another stage exists, long before its kernels may."""
        self.met: Callable[[], None] = lambda: None
        """Told now and then while Dynamo goes on reading."""
        self.quietly: Callable[[], contextlib.AbstractContextManager[None]] = contextlib.nullcontext
        """Around what hooks read: nothing that is asked of sizes there may become a guard."""
        self.settled: Callable[[], None] = lambda: None
        """Told each time when nothing is being compiled any more and the program goes on."""
        self.stop_here: Callable[[str, str, SourceLine | None], None] = lambda kind, text, line: None
        """Told where a person may want the program to wait: the kind of place, what is the case, the user's line."""
        self.waited = 0.0
        """Seconds in all in which the program waited because somebody had stopped it."""
        self._progress = progress or (lambda text: None)

    def forget(self) -> None:
        """Begin again with nothing; whoever holds this recorder goes on writing into it."""
        names = (
            "_progress",
            "settled",
            "quietly",
            "generated",
            "made",
            "met",
            "live",
            "top_locals",
            "stop_here",
        )
        kept = {name: getattr(self, name) for name in names}
        self.__init__()  # type: ignore[misc]
        vars(self).update(kept)

    def keep_code(self, code: types.CodeType) -> CodeId:
        """Remember a code object, so that its id stays its own."""
        self.codes.setdefault(id(code), code)
        return id(code)

    def report_progress(self, text: str, phase: Phase | None = None, done: int = 0, total: int = 0) -> None:
        """Tell the person what is going on; of which phase, and how much of what is counted is done."""
        self._progress(text if phase is None else Doing(text, Step(phase, self._graph_number(), done, total)))

    def _graph_number(self) -> int:
        """The how manieth of the program's graphs it is that the backend works on, from 1."""
        if self.dynamo_graph is None:
            return 0
        live = [graph.record for graph in self.live.dynamo_graphs] if self.live is not None else []
        names = dict.fromkeys(whole_of(record.compile_id) for record in (*live, *self.dynamo_graphs))
        return list(names).index(whole_of(self.dynamo_graph.compile_id)) + 1

    @property
    def frame(self) -> FrameRecord | None:
        """The frame Dynamo works on now."""
        return self.current_frames[-1] if self.current_frames else None

    @property
    def dynamo_graph(self) -> DynamoGraphRecord | None:
        """The Dynamo graph that the backend works on now."""
        return self.current_dynamo_graphs[-1] if self.current_dynamo_graphs else None

    @property
    def inductor_graph(self) -> InductorGraphRecord | None:
        """The graph that Inductor works on now."""
        return self.current_inductor_graphs[-1] if self.current_inductor_graphs else None
