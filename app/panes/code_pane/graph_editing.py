"""Editing a graph as text: the program is read back while one types, and applied as ordinary edits."""

from collections.abc import Callable, Iterable, Iterator

from PySide6.QtWidgets import QWidget

from app.session.session import Session
from app.widgets.code_editor import CodeEditor
from app.widgets.text_editing_bar import Fault, TextEditingBar
from compiler.model.edits import Edit
from compiler.model.graph import Graph
from compiler.model.graph_edits import edits_between
from compiler.model.graph_parsing import ParsedGraph, parse_graph
from compiler.model.ids import StageId
from compiler.model.messages import Preview
from compiler.model.problems import Problem
from compiler.model.statement_parsing import TextFault


class GraphEditing(TextEditingBar):
    """What is typed is a graph: ordinary edits lead there."""

    def __init__(
        self, session: Session, editor: CodeEditor, ended: Callable[[], None], parent: QWidget | None = None
    ) -> None:
        super().__init__(editor, parent)
        self._session, self._on_end = session, ended
        self._stage: StageId = ""
        self._parsed = ParsedGraph(None)
        self._edit: Edit | None = None

    def begin(self, stage: StageId) -> None:
        """Let the text of a stage that is on show be changed."""
        self._stage = stage
        self._begin()

    def ended(self) -> None:
        """Show the graph again."""
        self._stage = ""
        self._on_end()

    def check(self) -> None:
        """Read the text as it is now, tell what is wrong with it, and ask the engine what comes of it."""
        super().check()
        graph = self._graph()
        if graph is None:
            self._end()
            return
        self._parsed = parse_graph(self._editor.toPlainText(), graph)
        self._edit = None
        if self._parsed.graph is not None:
            count = sum(1 for _ in _changed(graph, self._parsed.graph))
            label = f"Edit {count} node{'s' if count != 1 else ''} as text"
            self._edit = edits_between(self._stage, graph, self._parsed.graph, label)
        self.apply_button.setEnabled(self._edit is not None)
        self._show_faults(_told(self._parsed.faults))
        if self._edit is not None:
            edit = self._edit
            self._say("Trying…", "dim_text")
            self._session.asking.trial(edit, lambda answer: self._take(edit, answer))
        elif not self._parsed.faults:
            self._say(
                "Change the program: Python's operators and calls within calls are understood.", "dim_text"
            )

    def apply(self) -> None:
        """Make the edits, if the text is a graph."""
        self.check()
        edit = self._edit
        if edit is not None:
            self._end()
            self._session.make_edit(edit)

    def _graph(self) -> Graph | None:
        """The graph with the edits in force; None where its stage is gone."""
        capture = self._session.capture
        if capture is None or all(stage.id != self._stage for stage in capture.stages):
            return None
        return self._session.stage_with_edits(self._stage).graph

    def _take(self, edit: Edit, answer: Preview | Problem) -> None:
        if not self.active or edit != self._edit:
            return
        problems = (answer,) if isinstance(answer, Problem) else answer.problems
        lines = dict(self._parsed.lines)
        faults = []
        for problem in problems:
            named = problem.place.nodes if problem.place is not None else ()
            faults += [TextFault(lines[node], 0, problem.what) for node in named if node in lines]
        self._show_faults(_told(faults))
        if problems:
            self._say(problems[0].what, "error")
        else:
            self._say("It works: every type is known.", "good")


def _told(faults: Iterable[TextFault]) -> Iterator[Fault]:
    return ((fault.line, fault.column, fault.message) for fault in faults)


def _changed(before: Graph, after: Graph) -> set[str]:
    old, new = before.by_id(), after.by_id()
    both = {name for name in old.keys() & new.keys() if old[name] != new[name]}
    return both | (old.keys() ^ new.keys())
