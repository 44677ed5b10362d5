"""What somebody who is about to edit asks of the engine: what fits here, what does this take, what would come of it."""

from collections.abc import Callable

from PySide6.QtCore import QObject, Signal

from app.session.engine_requests.engine_requests import EngineJobs
from app.translation.texts import tr
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

    @property
    def refused(self) -> Problem | None:
        """Why the active edits did not compile, where they were tried."""
        return self._jobs.why_refused(self._edits())

    def operations(
        self,
        stage: StageId,
        node: NodeId,
        then: Callable[[OpChoices | Problem], None],
        *,
        behind: bool = False,
    ) -> None:
        """What a node could call instead, or what could stand behind it."""
        request = ListOps(self._jobs.open_capture, stage, node, self._edits(), behind)
        self._jobs.ask(request, OpChoices, then)

    def signatures(
        self, stage: StageId, node: NodeId, then: Callable[[NodeSignatures | Problem], None]
    ) -> None:
        """What a node's operation takes."""
        request = ListSignatures(self._jobs.open_capture, stage, node, self._edits())
        self._jobs.ask(request, NodeSignatures, then)

    def knobs(
        self, stage: StageId, nodes: tuple[NodeId, ...], then: Callable[[KernelKnobs | Problem], None]
    ) -> None:
        """What Inductor's knobs do to the kernels that run some nodes of a loop IR."""
        request = ListKnobs(self._jobs.open_capture, stage, nodes, self._edits())
        self._jobs.ask(request, KernelKnobs, then)

    def assembly(self, source: str, then: Callable[[AssemblyListing | Problem], None]) -> None:
        """The instructions of a C++ kernel with this source."""
        self._jobs.ask(AssembleKernel(source), AssemblyListing, then)

    def kernel_checks(
        self, orders: tuple[CheckOrder, ...], then: Callable[[tuple[GraphCheck, ...] | Problem], None]
    ) -> None:
        """The Triton kernels of some graphs through the interpreter, beside their graphs."""
        self._jobs.ask(
            CheckKernels(orders),
            KernelsChecked,
            lambda answer: then(answer if isinstance(answer, Problem) else answer.graphs),
        )

    def cross_compilation(self, then: Callable[[CrossCompilationTested | Problem], None]) -> None:
        """Whether an absent GPU can be compiled for, tried once in each worker."""
        self._jobs.ask(TestCrossCompilation(), CrossCompilationTested, then)

    def trial(self, edit: Edit, then: Callable[[Preview | Problem], None]) -> None:
        """What would come of one more edit: result types, and what is wrong. The edit is not made, and no program is
        run for it that does not run already.
        """
        if not self.ready:
            then(
                Problem(
                    tr("Not tried: the engine does not hold this program."), tr("Recompile to have it run.")
                )
            )
            return

        request = PreviewEdits(self._jobs.open_capture, (*self._edits(), edit))
        self._jobs.ask(request, Preview, then, purpose="trial")

    def matches(
        self, stage: StageId, pattern: Graph, then: Callable[[PatternMatches | Problem], None]
    ) -> None:
        """Where torch's matcher finds a pattern, and where it nearly does."""
        request = FindMatches(self._jobs.open_capture, stage, pattern, self._edits())
        self._jobs.ask(request, PatternMatches, then)
