"""A capture: one run of the real torch.compile with every stage it made."""

import msgspec

from compiler.model.capture.capture_spec import ArgumentSpec, CaptureSpec
from compiler.model.capture.compile_phases import CompilePhase
from compiler.model.capture.frames import BreakCategory, Frame, GraphBreak, VariableSize
from compiler.model.capture.gpu_assumptions import Assumed
from compiler.model.capture.gpu_autotuning import MeasuredChoice
from compiler.model.capture.guards import GuardTree, RecompileRecord
from compiler.model.capture.log_facts import LogFacts
from compiler.model.capture.probe_readings import ProbeReading
from compiler.model.capture.run_story import RunStory
from compiler.model.ir.diagnostics import Problem, Severity
from compiler.model.ir.graph import SourceLine
from compiler.model.ir.ids import NOWHERE, CaptureId, Place, StageId, line_id, place
from compiler.model.ir.links import LinkTable
from compiler.model.ir.lowered_kernel import LowerAnswer
from compiler.model.ir.passes import FusionStep, PassRun, PassStart
from compiler.model.ir.stage import SourceStage, Stage, StageKind
from compiler.model.prediction.other_ranks import OtherRanks
from compiler.model.prediction.simulated_step import SimulatedStep


class Hook(msgspec.Struct, frozen=True):
    """One place in torch where we listen, and whether this torch has it."""

    name: str
    gives: str
    """The stage or fact it gives."""
    found: bool
    remedy: str = ""


class Environment(msgspec.Struct, frozen=True):
    """What this capture was made with."""

    torch: str
    python: str
    platform: str
    processor: str = ""
    threads: int = 1
    compiler: str = ""
    """The C++ compiler's first line of ``--version``."""
    triton: str = ""
    devices: tuple[str, ...] = ()
    hooks: tuple[Hook, ...] = ()
    hash_seed: str = ""
    """``PYTHONHASHSEED`` of its process, which the order of sets of strings follows; empty: another one each time."""


CONVOLUTIONS, PRODUCTS = "convolutions", "products"


class Capture(msgspec.Struct, frozen=True):
    """Everything one run of the pipeline made. Explorable without torch."""

    id: CaptureId
    spec: CaptureSpec
    environment: Environment
    stages: tuple[Stage, ...]
    links: tuple[LinkTable, ...] = ()
    frames: tuple[Frame, ...] = ()
    breaks: tuple[GraphBreak, ...] = ()
    problems: tuple[Problem, ...] = ()
    seconds: float = 0.0
    """Wall time of the whole capture, first run included."""
    parent: CaptureId = ""
    """For a recompile: the capture it was edited from."""
    guards: tuple[GuardTree, ...] = ()
    """One tree for each compile of each frame."""
    recompiles: tuple[RecompileRecord, ...] = ()
    arguments: tuple[ArgumentSpec, ...] = ()
    """What the first frame that was compiled was called with: what the guard tester can change."""
    variables: tuple[VariableSize, ...] = ()
    """Sizes of the user's variables, line by line."""
    passes: tuple[PassRun, ...] = ()
    """Every pass that ran over a graph, in order."""
    pass_starts: tuple[PassStart, ...] = ()
    """The graph that the passes of each stage began with."""
    fusions: tuple[FusionStep, ...] = ()
    """What Inductor's scheduler did between loop IR and fused loop IR, in order."""
    readings: tuple[ProbeReading, ...] = ()
    """What probes saw in one run of the edited program."""
    phases: tuple[CompilePhase, ...] = ()
    """What torch timed of this compile, and the builds of kernels; of a recompile its own."""

    assumed: tuple[Assumed, ...] = ()
    """For a GPU that was not there: what it would have measured."""
    measured: tuple[MeasuredChoice, ...] = ()
    """On a GPU that was there: every candidate that torch timed while it compiled."""
    lowered: tuple[LowerAnswer, ...] = ()
    """What was lowered of its Triton kernels and what they need of the GPU; the texts are in the stages."""
    run: RunStory | None = None
    """For a program that ran by itself: how that went."""
    log: LogFacts | None = None
    """Of one that was read from a structured log of torch: what else the log said."""
    step: SimulatedStep | None = None
    """Where nothing ran: a step on fakes, all that it would launch and allocate."""
    other_ranks: OtherRanks | None = None
    """Of one of many processes: in what the others' programs differ."""
    tf32: tuple[str, ...] = ()
    """What of float32 the program let an NVIDIA GPU compute in tf32: `CONVOLUTIONS`, `PRODUCTS`."""

    def stage(self, stage_id: StageId) -> Stage:
        """The stage of that id. Raises KeyError."""
        for stage in self.stages:
            if stage.id == stage_id:
                return stage
        raise KeyError(stage_id)

    def of_kind(self, kind: StageKind) -> tuple[Stage, ...]:
        """All stages of a kind, in pipeline order."""
        return tuple(stage for stage in self.stages if stage.kind is kind)

    def place_of(self, line: SourceLine) -> Place:
        """A line of the program's as a place; `NOWHERE` for files that were not captured."""
        for stage in self.stages:
            if isinstance(stage.content, SourceStage) and stage.content.file.path == line.path:
                return place(stage.id, line_id(line.line))
        return NOWHERE

    def graphs_that_run(self) -> tuple[Stage, ...]:
        """Dynamo's graphs but those of functions that it gave up after it had captured them: these run eagerly."""
        given_up = {frame.id for frame in self.frames if not frame.graph}
        return tuple(
            stage for stage in self.of_kind(StageKind.DYNAMO_GRAPH) if stage.compile_id not in given_up
        )

    def refused_compiles(self) -> frozenset[str]:
        """Compiles that torch's recompile limit refused: what fitted no earlier code runs eagerly."""
        return frozenset(item.frame for item in self.breaks if item.sort is BreakCategory.RECOMPILE_LIMIT)

    def compiled_again(self) -> tuple[RecompileRecord, ...]:
        """The recompiles that were made."""
        refused = self.refused_compiles()
        return tuple(record for record in self.recompiles if record.compile_id not in refused)

    def failures(self) -> tuple[Problem, ...]:
        """What of the capture failed, the first first."""
        return tuple(problem for problem in self.problems if problem.severity is Severity.ERROR)

    @property
    def link_count(self) -> int:
        """How many single links there are."""
        return sum(len(table.pairs) for table in self.links)
