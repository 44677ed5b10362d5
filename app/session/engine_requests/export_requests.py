"""Writing the compiled edits as Python files that need torch only."""

import hashlib
from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QObject

from app.session.captures.capture_store import CaptureStore
from app.session.engine_requests.engine_requests import EngineJobs
from app.translation.texts import tr
from compiler.analysis.session_file.trusted_files import remember
from compiler.model.edits.stage_order import parts_of
from compiler.model.export import ExportError, exported_files, pattern_files
from compiler.model.ir.diagnostics import Problem, Severity
from compiler.model.ir.graph import Graph
from compiler.model.ir.ids import StageId
from compiler.model.protocol.messages import EditedGraphs, ListEditedGraphs


class EditsAsCode(QObject):
    """Asks the engine what the edits did to each graph, and writes that down beside a test and a recipe."""

    def __init__(
        self,
        jobs: EngineJobs,
        store: CaptureStore,
        report: Callable[[Problem], None],
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._jobs = jobs
        self._store = store
        self._report = report

    @property
    def possible(self) -> bool:
        """Whether there is a recompile to write down."""
        return bool(self._store.edits_of(self._store.head))

    def write_pattern(
        self, path: Path, stage: StageId, pattern: Graph, replacement: Graph, matches: int
    ) -> None:
        """Write a pattern of a stage's kind of graph as a registration of torch's own, ``NAME.py`` and ``test_NAME.py``; what
        came of it is reported.
        """
        root = self._store.root
        if root is None:
            return
        what = parts_of(stage)[2]
        self._written(path, lambda: pattern_files(path.stem, root, what, pattern, replacement, matches))

    def write(self, path: Path) -> None:
        """Write ``NAME.py``, ``test_NAME.py`` and ``NAME.json`` for the newest recompile; what came of it is reported."""
        root, head = self._store.root, self._store.head
        if root is None or head is None:
            return
        edits, verdict = self._store.edits_of(head), self._store.verdict(head.id)

        def then(reply: EditedGraphs | Problem) -> None:
            if isinstance(reply, Problem):
                self._report(reply)
                return
            self._written(
                path,
                lambda: exported_files(path.stem, root, head, edits, reply.graphs, verdict, reply.units),
            )

        self._jobs.ask(ListEditedGraphs(root.id, edits), EditedGraphs, then)

    def _written(self, path: Path, files: Callable[[], dict[str, str]]) -> None:
        try:
            made = files()
            for name, text in made.items():
                (path.parent / name).write_text(text, encoding="utf-8")
                if name.endswith(".json"):  # whoever exports has agreed to all that is open
                    remember(hashlib.sha256(text.encode()).hexdigest())
        except ExportError as error:
            self._report(Problem(str(error), tr("Nothing was written.")))
        except OSError as error:
            self._report(
                Problem(
                    tr("{parent} cannot be written: {strerror}.").format(
                        parent=path.parent, strerror=error.strerror
                    ),
                    tr("Choose another folder."),
                )
            )
        else:
            self._report(
                Problem(
                    tr("Written: {names}.").format(names=", ".join(made)),
                    tr("Run pytest test_{stem}.py in {parent} to check it without Torch Loupe.").format(
                        stem=path.stem, parent=path.parent
                    ),
                    severity=Severity.NOTE,
                )
            )
