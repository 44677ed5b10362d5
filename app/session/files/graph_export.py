"""The graph of a stage written for other tools: GraphML (yEd, Gephi, networkx) or DOT (Graphviz)."""

from pathlib import Path

from app.session.files.file_writing import FileWriting
from app.translation.compiler_texts import stage_title
from app.translation.texts import tr, tr_noop
from compiler.model.diagrams.diagrams import is_drawn
from compiler.model.ir.diagnostics import Problem, Severity
from compiler.model.ir.stage import Stage

ENDINGS = {".graphml": tr_noop("GraphML (*.graphml)"), ".dot": tr_noop("DOT, for Graphviz (*.dot)")}


class GraphExport(FileWriting):
    """Writes in the background, and reports what came of it."""

    def can_write(self, stage: Stage) -> bool:
        """Whether there is a graph to write; says where there is none."""
        if is_drawn(stage):
            return True
        self._report(
            Problem(
                tr("{title} is text and has no graph to export.").format(title=stage_title(stage.title)),
                tr("Choose a graph, loop IR or kernels in the Pipeline pane."),
                severity=Severity.NOTE,
            )
        )
        return False

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

        self._write(
            path,
            work,
            lambda nodes: tr("the graph of {title} with {nodes} nodes").format(
                title=stage.title, nodes=nodes
            ),
            tr("Open it in yEd, Gephi, Graphviz or networkx."),
        )
