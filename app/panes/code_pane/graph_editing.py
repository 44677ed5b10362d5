"""Editing a graph as text: the program is read back while one types, and applied as ordinary edits."""

from collections.abc import Callable

from PySide6.QtCore import QEvent, QObject, Qt, QTimer
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QHBoxLayout, QLabel, QPushButton, QVBoxLayout, QWidget

from app.session.session import Session
from app.theme import current
from app.widgets.code_editor import CodeEditor
from app.widgets.gutter_marks import GutterMark
from app.widgets.line_notes import LineNote
from compiler.model.edits import Edit
from compiler.model.graph import Graph
from compiler.model.graph_edits import edits_between
from compiler.model.graph_parsing import ParsedGraph, parse_graph
from compiler.model.ids import StageId
from compiler.model.messages import Preview
from compiler.model.problems import Problem
from compiler.model.statement_parsing import TextFault

_DELAY_MS = 150


class GraphEditing(QWidget):
    """The bar below the editor while a graph is edited: what is wrong, Apply, Cancel."""

    def __init__(
        self, session: Session, editor: CodeEditor, ended: Callable[[], None], parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._session, self._editor, self._ended = session, editor, ended
        self._stage: StageId = ""
        self._parsed = ParsedGraph(None)
        self._edit: Edit | None = None
        self.state = QLabel("", self)
        self.state.setWordWrap(True)
        self.state.setTextFormat(Qt.TextFormat.PlainText)
        self.apply_button = QPushButton("Apply", self)
        self.apply_button.setToolTip("Make the edits (Ctrl+Enter)")
        self.cancel_button = QPushButton("Cancel", self)
        self.cancel_button.setToolTip("Give up what was typed (Esc)")
        row = QHBoxLayout()
        row.addStretch()
        row.addWidget(self.apply_button)
        row.addWidget(self.cancel_button)
        column = QVBoxLayout(self)
        column.setContentsMargins(6, 3, 6, 3)
        column.setSpacing(3)
        column.addWidget(self.state)
        column.addLayout(row)
        self._check_soon = QTimer(self, interval=_DELAY_MS, singleShot=True)
        self._check_soon.timeout.connect(self.check)
        self.apply_button.clicked.connect(self.apply)
        self.cancel_button.clicked.connect(self.cancel)
        self.hide()

    @property
    def active(self) -> bool:
        """Whether a graph is being edited."""
        return bool(self._stage)

    def begin(self, stage: StageId) -> None:
        """Let the text of a stage that is on show be changed."""
        self._stage = stage
        self._editor.set_editable(True)
        self._editor.set_outlined((), ())
        self._editor.textChanged.connect(self._on_text)
        self._editor.installEventFilter(self)
        self._editor.setFocus()
        self.show()
        self.check()

    def check(self) -> None:
        """Read the text as it is now, tell what is wrong with it, and ask the engine what comes of it."""
        self._check_soon.stop()
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
        self._show_faults(self._parsed.faults)
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

    def cancel(self) -> None:
        """Give up what was typed."""
        if self.active:
            self._end()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if watched is self._editor and isinstance(event, QKeyEvent):
            key, control = event.key(), bool(event.modifiers() & Qt.KeyboardModifier.ControlModifier)
            mine = key == Qt.Key.Key_Escape or (control and key in (Qt.Key.Key_Return, Qt.Key.Key_Enter))
            if mine and event.type() is QEvent.Type.ShortcutOverride:
                event.accept()
                return True
            if mine and event.type() is QEvent.Type.KeyPress:
                (self.cancel if key == Qt.Key.Key_Escape else self.apply)()
                return True
        return super().eventFilter(watched, event)

    def _graph(self) -> Graph | None:
        """The graph with the edits in force; None where its stage is gone."""
        capture = self._session.capture
        if capture is None or all(stage.id != self._stage for stage in capture.stages):
            return None
        return self._session.stage_with_edits(self._stage).graph

    def _end(self) -> None:
        self._stage = ""
        self._check_soon.stop()
        self._editor.removeEventFilter(self)
        self._editor.textChanged.disconnect(self._on_text)
        self._editor.set_editable(False)
        self._editor.set_underlined([])
        self.hide()
        self._ended()

    def _on_text(self) -> None:
        self.apply_button.setEnabled(False)
        self._check_soon.start()

    def _take(self, edit: Edit, answer: Preview | Problem) -> None:
        if not self.active or edit != self._edit:
            return
        problems = (answer,) if isinstance(answer, Problem) else answer.problems
        lines = dict(self._parsed.lines)
        faults = []
        for problem in problems:
            named = problem.place.nodes if problem.place is not None else ()
            faults += [TextFault(lines[node], 0, problem.what) for node in named if node in lines]
        self._show_faults(tuple(faults))
        if problems:
            self._say(problems[0].what, "error")
        else:
            self._say("It works: every type is known.", "good")

    def _show_faults(self, faults: tuple[TextFault, ...]) -> None:
        color = current.colors().error
        self._editor.set_tints({})
        self._editor.set_stripes({})
        self._editor.set_marks([GutterMark(fault.line, "cross", color, fault.message) for fault in faults])
        self._editor.set_underlined([(fault.line, fault.column) for fault in faults])
        self._editor.set_notes({fault.line: (LineNote(fault.message, color),) for fault in faults})
        if faults:
            more = f" ({len(faults) - 1} more)" if len(faults) > 1 else ""
            self._say(f"Line {faults[0].line}: {faults[0].message}{more}", "error")

    def _say(self, text: str, color: str) -> None:
        self.state.setText(text)
        self.state.setStyleSheet(f"color: {getattr(current.colors(), color)}")


def _changed(before: Graph, after: Graph) -> set[str]:
    old, new = before.by_id(), after.by_id()
    both = {name for name in old.keys() & new.keys() if old[name] != new[name]}
    return both | (old.keys() ^ new.keys())
