"""What Triton kernels are lowered to, asked for when somebody wants it and kept in the capture."""

from collections.abc import Callable, Iterable

from PySide6.QtCore import QObject, Signal

from app.session.captures.capture_store import CaptureStore
from app.session.engine_requests.engine_requests import EngineJobs
from compiler.model.capture.capture import Capture
from compiler.model.edits.edits import Edit, ReplaceKernel, single_edits
from compiler.model.gpu.lowered_stages import answers_of, lowered_answer, triton_kernels, with_lowered
from compiler.model.ir.diagnostics import Problem
from compiler.model.ir.lowered_kernel import KernelsLowered, LowerAnswer, LowerKernels, LowerOrder

ALL_CONFIGURATIONS = 1000
"""More than Inductor ever tries of one kernel."""


class KernelLowering(QObject):
    """Lowers kernels of the capture shown. What was lowered of a capture stays with it, through recompiles and files."""

    changed = Signal()
    """`asking` changed, or an answer came; what is lowered is reported by the session's `capture_changed`."""

    def __init__(
        self,
        jobs: EngineJobs,
        store: CaptureStore,
        show: Callable[[], None],
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._jobs = jobs
        self._store = store
        self._show = show
        self.asking: frozenset[str] = frozenset()
        """Kernels that are being lowered."""
        self.faults: dict[str, Problem] = {}
        """Why kernels of the capture shown could not be lowered."""
        self.wanted = ""
        """The kernel whose assembly is to be brought to the front; whoever does that clears it."""

    def lower(self, names: Iterable[str] = (), configurations: int = 1) -> None:
        """Lower these kernels, or all of the capture shown. Problems become problems of the session."""
        if self._store.shown is not None:
            self._lower(self._store.shown, set(names), configurations)

    def _lower(self, capture: Capture, wanted: set[str], configurations: int = 1) -> None:
        kernels = [kernel for kernel in triton_kernels(capture) if not wanted or kernel.name in wanted]
        if not kernels:
            return
        orders = tuple(LowerOrder(row.name, row.source, configurations=configurations) for row in kernels)

        def then(reply: KernelsLowered | Problem) -> None:
            self.asking = frozenset()
            if isinstance(reply, Problem):
                self._jobs.failed.emit(reply)
            else:
                self._take(capture, reply)
            self.changed.emit()

        self.asking = frozenset(row.name for row in kernels)
        self.faults = {name: fault for name, fault in self.faults.items() if name not in self.asking}
        self.changed.emit()
        self._jobs.ask(LowerKernels(orders, capture.spec.device), KernelsLowered, then)

    def show(self, kernel: str) -> None:
        """Have the assembly of a kernel brought to the front, lowered first where it is not."""
        self.wanted = kernel
        if self.now(kernel) is None:
            self.lower((kernel,))
        self.changed.emit()

    def now(self, kernel: str) -> LowerAnswer | None:
        """What is known of a kernel of the capture shown."""
        return lowered_answer(self._store.shown, kernel) if self._store.shown is not None else None

    def before(self, kernel: str) -> LowerAnswer | None:
        """The same of the capture that edits started from; None where that is the one shown, or has the same kernel."""
        root, shown = self._store.root, self._store.shown
        if (
            root is None
            or shown is None
            or root.id == shown.id
            or _source(root, kernel) == _source(shown, kernel)
        ):
            return None
        return lowered_answer(root, kernel)

    def is_applied_at_once(self, edits: tuple[Edit, ...]) -> bool:
        """Whether edits need no more than lowering some kernels again: those of kernels for an absent GPU."""
        root = self._store.root
        cross_compiled = root is not None and root.spec.device is not None
        return cross_compiled and all(isinstance(edit, ReplaceKernel) for edit in single_edits(edits))

    def recompiled(self, capture: Capture) -> Capture:
        """A recompile with what was lowered before of kernels that are the same in it. Edited ones are lowered as they were
        before too, if that is not known, so that there is something to compare with.
        """
        root = self._store.root
        if root is None or root.spec.device is None:
            return capture
        edited = {row.name for row in triton_kernels(capture) if _source(root, row.name) != row.source}
        fresh = {answer.name for answer in capture.lowered} & edited
        missing = {name for name in fresh if lowered_answer(root, name) is None}
        if missing:
            self._lower(root, missing)
        kept = tuple(answer for answer in answers_of(root) if answer.name not in edited)
        return with_lowered(capture, kept)

    def _take(self, request: Capture, reply: KernelsLowered) -> None:
        held = self._store.capture(request.id)
        if held is None or held.spec != request.spec:
            return  # something else was opened meanwhile
        for answer in reply.answers:
            self.faults.pop(answer.name, None)
            if answer.problem is not None:
                self.faults[answer.name] = answer.problem
                self._jobs.failed.emit(answer.problem)
        if any(answer.lowered for answer in reply.answers):
            self._store.renew(with_lowered(held, reply.answers))
            self._show()


def _source(capture: Capture, kernel: str) -> str:
    return next((row.source for row in triton_kernels(capture) if row.name == kernel), "")
