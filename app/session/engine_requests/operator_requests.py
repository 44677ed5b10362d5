"""What is asked about torch's operators: their tables, tensors' keys, the calls of the program that is open, lessons."""

import msgspec
from PySide6.QtCore import QObject, Signal

from app.session.captures.capture_store import CaptureStore
from app.session.engine_requests.engine_requests import EngineJobs
from app.translation.texts import tr
from compiler.model.ir.diagnostics import Problem
from compiler.model.operators.decompositions import DecomposeOperator, Decomposition
from compiler.model.operators.dispatching import (
    DispatchTrace,
    ListKeySets,
    ListOperators,
    OperatorNames,
    OperatorTable,
    ShowOperator,
    TensorKeySets,
    TraceDispatch,
)
from compiler.model.operators.lessons import LessonRun, RunLesson
from compiler.model.protocol.messages import ReplyBody, RequestBody


class OperatorQuestions(QObject):
    """Answers are kept: torch's tables while the window is open, the trace while its program is."""

    changed = Signal()
    """An answer came, or something is asked."""

    def __init__(self, jobs: EngineJobs, store: CaptureStore, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._jobs = jobs
        self._store = store
        self._tables: dict[str, OperatorTable | Problem] = {}
        self._trees: dict[str, Decomposition | Problem] = {}
        self._lessons: dict[str, LessonRun] = {}
        self.names: OperatorNames | None = None
        self.key_sets: TensorKeySets | None = None
        self.trace: DispatchTrace | None = None
        self.asking: frozenset[str] = frozenset()
        """Of ``names``, ``keys``, ``trace``, ``lesson`` and tables by name: what an answer is awaited for."""

    def table(self, name: str) -> OperatorTable | Problem | None:
        """The table of an operator, or why there is none; None before the answer, which is asked for."""
        if name not in self._tables and name not in self.asking:
            self._ask(ShowOperator(name), OperatorTable, name)
        return self._tables.get(name)

    def tree(self, name: str) -> Decomposition | Problem | None:
        """What an operator is made of, or why that is not known; None where `decompose` was not asked for it."""
        return self._trees.get(name)

    def decompose(self, name: str) -> None:
        """Take an operator apart, in a process of its own, since some kernels end a process over odd arguments."""
        if name and name not in self._trees and f"tree of {name}" not in self.asking:
            self._ask(DecomposeOperator(name), Decomposition, f"tree of {name}")

    def capture_with(self, front_end: str) -> None:
        """Capture the program that is open with another front end; that takes its place."""
        root = self._store.root
        if root is not None:
            self._jobs.capture(msgspec.structs.replace(root.spec, front_end=front_end, device=None))

    def lesson(self, name: str) -> LessonRun | None:
        """The run of a lesson, if it was run."""
        return self._lessons.get(name)

    def list_names(self) -> None:
        """Ask which operators there are, once."""
        if self.names is None and "names" not in self.asking:
            self._ask(ListOperators(), OperatorNames, "names")

    def list_keys(self) -> None:
        """Ask for the keys of each kind of tensor, once."""
        if self.key_sets is None and "keys" not in self.asking:
            self._ask(ListKeySets(), TensorKeySets, "keys")

    def run_lesson(self, name: str, text: str = "") -> None:
        """Run a lesson, or what somebody made of it, in a process of its own. A failure becomes a problem."""
        self._ask(RunLesson(name, text), LessonRun, "lesson")

    def trace_program(self) -> None:
        """Run the program that is open with every kernel noted, in a process of its own. A failure becomes a problem."""
        root = self._store.root
        if root is None:
            self._jobs.failed.emit(Problem(tr("Nothing is captured yet."), tr("Open a model first.")))
        else:
            self._ask(TraceDispatch(root.spec), DispatchTrace, "trace")

    def forget(self) -> None:
        """Another program is open."""
        self.trace = None
        self.asking -= {"trace"}
        self.changed.emit()

    def _ask(self, request: RequestBody, answer: type[ReplyBody], what: str) -> None:
        root = self._store.root

        def then(reply: ReplyBody | Problem) -> None:
            self.asking -= {what}
            if isinstance(reply, DispatchTrace):
                self.trace = reply if self._store.root is root else None
            else:
                self._keep(request, reply)
            self.changed.emit()

        self.asking |= {what}
        self.changed.emit()
        self._jobs.ask(request, answer, then)

    def _keep(self, request: RequestBody, reply: ReplyBody | Problem) -> None:
        match request, reply:
            case ListOperators(), OperatorNames():
                self.names = reply
            case ListKeySets(), TensorKeySets():
                self.key_sets = reply
            case ShowOperator(name=name), OperatorTable() | Problem():
                self._tables[name] = reply
            case DecomposeOperator(name=name), Decomposition() | Problem():
                self._trees[name] = reply
            case _, LessonRun():
                self._lessons[reply.name] = reply
            case _, Problem():
                self._jobs.failed.emit(reply)
