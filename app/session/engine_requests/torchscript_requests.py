"""TorchScript's IR as text: asked of the engine, changed by a person, run again; the saved program in C++."""

import msgspec
from PySide6.QtCore import QObject, Signal

from app.session.captures.capture_store import CaptureStore
from app.session.engine_requests.engine_requests import EngineJobs
from compiler.model.capture.capture_spec import CaptureSpec
from compiler.model.front_end_comparison.script_texts import RunScript, ScriptRun
from compiler.model.ir.diagnostics import Problem

SCRIPT, TRACE = "jit.script", "jit.trace"


class ScriptRuns(QObject):
    """One run at a time, of the program that is open. The answer is the newest; a text that is changed is kept by who shows it."""

    changed = Signal()
    """`running`, `answer` or `problem` changed."""

    def __init__(self, jobs: EngineJobs, store: CaptureStore, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._jobs = jobs
        self._store = store
        self._spec: CaptureSpec | None = None
        self.running = False
        self.answer: ScriptRun | None = None
        self.problem: Problem | None = None
        """Why nothing could be run at all."""

    @property
    def way(self) -> str:
        """The front end that the open program was captured with, if that is one of TorchScript's, else scripting."""
        root = self._store.root
        return TRACE if root is not None and root.spec.front_end == TRACE else SCRIPT

    @property
    def possible(self) -> bool:
        """Whether there is a program to run."""
        root = self._store.root
        return root is not None and not root.spec.target.recorded and not self.running

    @property
    def is_of_what_is_open(self) -> bool:
        """Whether the answer is of the program that is open."""
        root = self._store.root
        return root is not None and self._spec is not None and self._spec.target == root.spec.target

    def run(self, way: str, text: str | None, save: str = "", in_cpp: bool = False) -> None:
        """Run a text, or without one the program's own IR, and show what came of it."""
        root = self._store.root
        if root is None:
            return
        spec = msgspec.structs.replace(root.spec, front_end=way, device=None, changes=())
        self._spec = spec
        self.running, self.problem = True, None

        def then(answer: ScriptRun | Problem) -> None:
            self.running = False
            if isinstance(answer, Problem):
                self.problem = answer
            else:
                self.answer = answer
            self.changed.emit()

        self.changed.emit()
        self._jobs.ask(RunScript(spec, text, save, in_cpp), ScriptRun, then)
