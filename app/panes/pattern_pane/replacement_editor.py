"""What takes the place of a match, as text, read while one types."""

import msgspec
from PySide6.QtCore import QTimer, Signal
from PySide6.QtWidgets import QWidget

from app.theme import current
from app.translation.texts import tr
from app.widgets.code_editor import CodeEditor
from app.widgets.gutter_marks import GutterMark
from app.widgets.layouts.boxes import set_column
from app.widgets.line_notes import LineNote
from compiler.analysis.text_format.parser import parse_graph
from compiler.analysis.text_format.printer import program
from compiler.model.ir.graph import Graph
from compiler.model.ir.stage import FxStage, Stage, StageKind


class ReplacementEditor(QWidget):
    """Begins as the pattern itself; `replacement` is what the text says, None while it says nothing that can be."""

    changed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.editor = CodeEditor(self)
        set_column(self, self.editor, margins=0)
        self.replacement: Graph | None = None
        self.fault = ""
        self._pattern = Graph(())
        self._printed = ""
        self._read_soon = QTimer(self, interval=150, singleShot=True)
        self._read_soon.timeout.connect(self.read)
        self.editor.set_editable(True)
        self.editor.textChanged.connect(self._read_soon.start)

    def show_pattern(self, pattern: Graph, keep_typed: bool) -> None:
        """Another pattern; what was typed may stay, under the new inputs."""
        fresh = _printed(pattern)
        typed = self.editor.toPlainText()
        body = typed.partition("\n):\n")[2]
        keep = keep_typed and bool(body) and typed != self._printed
        head, middle, rest = fresh.partition("\n):\n")
        self._pattern, self._printed = pattern, fresh
        self.editor.set_code(head + middle + (body if keep else rest), "python")
        self.read()

    def show_drawn(self, replacement: Graph) -> None:
        """A replacement that was not typed; it can be typed over."""
        self.editor.set_code(_printed(replacement), "python")
        self.read()

    def read(self) -> None:
        """Read the text now."""
        self._read_soon.stop()
        parsed = parse_graph(self.editor.toPlainText(), self._pattern)
        self.replacement = parsed.graph
        color = current.colors().error
        self.editor.set_marks(
            [GutterMark(fault.line, "cross", color, fault.message) for fault in parsed.faults]
        )
        self.editor.set_underlined([(fault.line, fault.column) for fault in parsed.faults])
        self.editor.set_notes({fault.line: (LineNote(fault.message, color),) for fault in parsed.faults})
        first = next(iter(parsed.faults), None)
        self.fault = (
            tr("Line {line}: {message}").format(line=first.line, message=first.message)
            if first is not None
            else ""
        )
        self.changed.emit()

    @property
    def is_pattern(self) -> bool:
        """Whether nothing was changed yet."""
        return self.editor.toPlainText() == self._printed


def _printed(graph: Graph) -> str:
    bare = Graph(tuple(msgspec.structs.replace(node, stack=()) for node in graph.nodes))
    stage = Stage("pattern", StageKind.DYNAMO_GRAPH, tr("Replacement"), FxStage(bare), part="replacement")
    return program(stage).text
