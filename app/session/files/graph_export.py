"""The graph of a stage written for other tools: GraphML (yEd, Gephi, networkx) or DOT (Graphviz)."""

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QObject

from app.concurrency.file_worker import BackgroundWork
from compiler.model.ir.diagnostics import Problem, Severity
from compiler.model.ir.stage import LoopStage, Stage

ENDINGS = {".graphml": "GraphML (*.graphml)", ".dot": "DOT, for Graphviz (*.dot)"}


class GraphExport(QObject):
    """Writes in the background, and reports what came of it."""

    def __init__(self, report: Callable[[Problem], None], parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._report = report
        self._work = BackgroundWork(self)

    def write(self, stage: Stage, path: Path) -> None:
        """Write the graph of a stage; the path's ending says how."""

        def work() -> int:
            from compiler.analysis.graph_export import (
                networkx_graphs,
                text_formats,
            )  # networkx is slow to load

            graph = networkx_graphs.stage_graph(stage)
            assert graph is not None, stage.id
            text = (text_formats.dot if path.suffix == ".dot" else text_formats.graphml)(graph)
            path.write_text(text, encoding="utf-8")
            return len(graph)

        def then(nodes: int) -> None:
            self._report(
                Problem(
                    f"Written: {path.name}, the graph of {stage.title} with {nodes} nodes.",
                    "Open it in yEd, Gephi, Graphviz or networkx.",
                    severity=Severity.NOTE,
                )
            )

        def failed(error: Exception) -> None:
            reason = error.strerror if isinstance(error, OSError) else error
            self._report(
                Problem(f"{path} cannot be written: {reason}.", "Choose another place.", path=str(path))
            )

        self._work.run(work, then, failed, (OSError,))

    def wait(self) -> None:
        """Block until everything is written and reported."""
        self._work.wait()


def has_graph(stage: Stage | None) -> bool:
    """Whether a stage is a graph and no text."""
    return stage is not None and (stage.graph is not None or isinstance(stage.content, LoopStage))
