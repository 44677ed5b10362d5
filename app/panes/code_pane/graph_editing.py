"""Editing a graph as text: the program is read back while one types, and applied as ordinary edits."""

from collections.abc import Callable, Iterable, Iterator

from PySide6.QtWidgets import QWidget

from app.panes.code_pane.stage_text_editing import StageTextEditing
from app.session.facade.session import Session
from app.translation.texts import tr
from app.widgets.code_editor import CodeEditor
from app.widgets.text_editing_bar import Fault
from compiler.analysis.text_format.parser import ParsedGraph, parse_graph
from compiler.analysis.text_format.printer import program
from compiler.analysis.text_format.statement_parser import TextFault
from compiler.model.edits.edits import Edit
from compiler.model.edits.edits_between import edits_between
from compiler.model.ir.diagnostics import Problem
from compiler.model.ir.graph import Graph
from compiler.model.protocol.messages import Preview


class GraphEditing(StageTextEditing):
    """What is typed is a graph: ordinary edits lead there."""

    def __init__(
        self, session: Session, editor: CodeEditor, ended: Callable[[], None], parent: QWidget | None = None
    ) -> None:
        super().__init__(session, editor, ended, parent)
        self._parsed = ParsedGraph(None)

    def check(self) -> None:
        """Read the text as it is now, say what is wrong with it, and ask the engine what comes of it."""
        super().check()
        stage = self._edited_stage()
        graph = stage.graph if stage is not None else None
        if graph is None:
            self._end()
            return
        text = self._editor.toPlainText()
        same = stage is not None and text == program(stage).text  # nothing was typed, or it was taken back
        self._parsed = ParsedGraph(None) if same else parse_graph(text, graph)
        self._edit = None
        if self._parsed.graph is not None:
            count = sum(1 for _ in _changed(graph, self._parsed.graph))
            label = f"Edit {count} node{'s' if count != 1 else ''} as text"
            self._edit = edits_between(self._stage, graph, self._parsed.graph, label)
        self.apply_button.setEnabled(self._edit is not None)
        self._show_faults(_reported(self._parsed.faults))
        if self._edit is not None:
            edit = self._edit
            self.state.say(tr("Trying…"), "dim_text")
            self._session.asking.trial(edit, lambda answer: self._take(edit, answer))
        elif not self._parsed.faults:
            self.state.say(
                tr("Change the program: Python's operators and calls within calls are understood."),
                "dim_text",
            )

    def _take(self, edit: Edit, answer: Preview | Problem) -> None:
        if not self.active or edit != self._edit:
            return
        problems = (answer,) if isinstance(answer, Problem) else answer.problems
        lines = dict(self._parsed.lines)
        faults = []
        for problem in problems:
            named = problem.place.nodes if problem.place is not None else ()
            faults += [TextFault(lines[node], 0, problem.what) for node in named if node in lines]
        self._show_faults(_reported(faults))
        if problems:
            self.state.say(problems[0].what, "error")
        else:
            self.state.say(tr("It works: every type is known."), "good")


def _reported(faults: Iterable[TextFault]) -> Iterator[Fault]:
    return ((fault.line, fault.column, fault.message) for fault in faults)


def _changed(before: Graph, after: Graph) -> set[str]:
    old, new = before.by_id(), after.by_id()
    both = {name for name in old.keys() & new.keys() if old[name] != new[name]}
    return both | (old.keys() ^ new.keys())
