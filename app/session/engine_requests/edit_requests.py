"""What somebody who is about to edit asks of the engine: what fits here, what does this take, what would come of it."""

from collections.abc import Callable

from PySide6.QtCore import QObject, Signal

from app.session.engine_requests.engine_requests import EngineJobs
from compiler.model.edits.edits import Edit
from compiler.model.edits.kernel_knobs import KernelKnobs
from compiler.model.edits.patterns import PatternMatches
from compiler.model.gpu.disassembly import AssemblyListing
from compiler.model.gpu.kernel_checks import CheckKernels, CheckOrder, GraphCheck, KernelsChecked
from compiler.model.ir.diagnostics import Problem
from compiler.model.ir.graph import Graph
from compiler.model.ir.ids import NodeId, StageId
from compiler.model.operators.op_candidates import OpChoices
from compiler.model.operators.op_schemas import NodeSignatures
from compiler.model.protocol.absent_gpu import CrossCompilationTested, TestCrossCompilation
from compiler.model.protocol.messages import (
    AssembleKernel,
    FindMatches,
    ListKnobs,
    ListOps,
    ListSignatures,
    Preview,
    PreviewEdits,
    ReplyBody,
)


class EditQuestions(QObject):
    """Questions about the graphs with the active edits; only the answer to the latest of each kind comes."""

    text_wanted = Signal()
    """The graph in front is to be edited as text: the code pane begins, the window brings it to the front."""
    pattern_wanted = Signal()
    """The selection is to be a pattern: the pattern pane takes it, the window brings it to the front."""

    def __init__(
        self, jobs: EngineJobs, edits: Callable[[], tuple[Edit, ...]], parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._jobs = jobs
        self._edits = edits

    @property
    def ready(self) -> bool:
        """Whether the engine holds the program: asking then runs nothing again."""
        return self._jobs.holds_root

    def operations(self, stage: StageId, node: NodeId, then: Callable[[OpChoices | Problem], None]) -> None:
        """What a node could call instead."""

        def on_reply(reply: ReplyBody | Problem) -> None:
            if isinstance(reply, OpChoices | Problem):
                then(reply)

        edits = self._edits()
        self._jobs.ask_live(lambda capture: ListOps(capture, stage, node, edits), on_reply, "ops")

    def signatures(
        self, stage: StageId, node: NodeId, then: Callable[[NodeSignatures | Problem], None]
    ) -> None:
        """What a node's operation takes."""

        def on_reply(reply: ReplyBody | Problem) -> None:
            if isinstance(reply, NodeSignatures | Problem):
                then(reply)

        edits = self._edits()
        self._jobs.ask_live(
            lambda capture: ListSignatures(capture, stage, node, edits), on_reply, "signatures"
        )

    def knobs(
        self, stage: StageId, nodes: tuple[NodeId, ...], then: Callable[[KernelKnobs | Problem], None]
    ) -> None:
        """What Inductor's knobs do to the kernels that run some nodes of a loop IR."""

        def on_reply(reply: ReplyBody | Problem) -> None:
            if isinstance(reply, KernelKnobs | Problem):
                then(reply)

        edits = self._edits()
        self._jobs.ask_live(lambda capture: ListKnobs(capture, stage, nodes, edits), on_reply, "knobs")

    def assembly(self, source: str, then: Callable[[AssemblyListing | Problem], None]) -> None:
        """The instructions of a C++ kernel with this source."""

        def on_reply(reply: ReplyBody | Problem) -> None:
            if isinstance(reply, AssemblyListing | Problem):
                then(reply)

        self._jobs.ask_live(lambda capture: AssembleKernel(source), on_reply, "assembly")

    def kernel_checks(
        self, orders: tuple[CheckOrder, ...], then: Callable[[tuple[GraphCheck, ...] | Problem], None]
    ) -> None:
        """The Triton kernels of some graphs through the interpreter, beside their graphs."""

        def on_reply(reply: ReplyBody | Problem) -> None:
            if isinstance(reply, KernelsChecked):
                then(reply.graphs)
            elif isinstance(reply, Problem):
                then(reply)

        self._jobs.ask_live(lambda capture: CheckKernels(orders), on_reply, "kernel_checks")

    def cross_compilation(self, then: Callable[[CrossCompilationTested | Problem], None]) -> None:
        """Whether an absent GPU can be compiled for, tried once in each worker."""

        def on_reply(reply: ReplyBody | Problem) -> None:
            if isinstance(reply, CrossCompilationTested | Problem):
                then(reply)

        self._jobs.ask_worker(TestCrossCompilation(), on_reply, "cross-compilation")

    def trial(self, edit: Edit, then: Callable[[Preview | Problem], None]) -> None:
        """What would come of one more edit: result types, and what is wrong. The edit is not made, and no program is
        run for it that does not run already.
        """
        if not self.ready:
            then(Problem("Not tried: the engine does not hold this program.", "Recompile to have it run."))
            return

        def on_reply(reply: ReplyBody | Problem) -> None:
            if isinstance(reply, Preview | Problem):
                then(reply)

        edits = (*self._edits(), edit)
        self._jobs.ask_live(lambda capture: PreviewEdits(capture, edits), on_reply, "trial_edit")

    def matches(
        self, stage: StageId, pattern: Graph, then: Callable[[PatternMatches | Problem], None]
    ) -> None:
        """Where torch's matcher finds a pattern, and where it nearly does."""

        def on_reply(reply: ReplyBody | Problem) -> None:
            if isinstance(reply, PatternMatches | Problem):
                then(reply)

        edits = self._edits()
        self._jobs.ask_live(lambda capture: FindMatches(capture, stage, pattern, edits), on_reply, "matches")
