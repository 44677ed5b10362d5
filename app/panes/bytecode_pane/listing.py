"""One listing of bytecode with its heading."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget

from app.panes.bytecode_pane.frames import code_of, describe_instruction
from app.session.facade.session import Session
from app.theme import current
from app.translation.texts import tr
from app.widgets.code_editor import CodeEditor
from app.widgets.gutter_marks import GutterMark
from app.widgets.labels.elided_label import ElidedLabel
from app.widgets.labels.wrapped_label import WrappedLabel
from app.widgets.layouts.boxes import set_column
from compiler.analysis.text_format.printer import CodeText, program
from compiler.model.capture.frames import GraphBreak
from compiler.model.ir.ids import NOWHERE, NodeId, place
from compiler.model.ir.programs import Instruction
from compiler.model.ir.stage import Stage


class Listing(QWidget):
    """Shows one bytecode stage; each line is one instruction."""

    def __init__(self, session: Session, heading: str, missing: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self._heading = heading
        self._missing = missing
        self.stage: Stage | None = None
        self._code = CodeText("", "bytecode", ())
        self._instructions: dict[NodeId, Instruction] = {}
        self._breaks: dict[NodeId, str] = {}
        self.heading = ElidedLabel("", self)
        self.heading.setForegroundRole(self.heading.palette().ColorRole.PlaceholderText)
        self.heading.setContentsMargins(6, 2, 6, 2)
        self.editor = CodeEditor(self)
        self.editor.hide_numbers()
        self.editor.set_tooltips(self._tooltip)
        self.nothing = WrappedLabel(missing, self)
        self.nothing.setAlignment(Qt.AlignmentFlag.AlignCenter)
        set_column(self, self.heading, (self.editor, 1), (self.nothing, 1), margins=0, spacing=0)
        self.editor.line_clicked.connect(self._clicked)
        self.editor.line_hovered.connect(self._hovered)

    def show_stage(self, stage: Stage | None, breaks: tuple[GraphBreak, ...]) -> None:
        """Show this bytecode; `breaks` are those of the whole capture."""
        self.stage = stage
        self.editor.setVisible(stage is not None)
        self.nothing.setVisible(stage is None)
        self.heading.setText(self._heading)
        if stage is None:
            return
        instructions = code_of(stage).instructions
        self._instructions = {instruction.id: instruction for instruction in instructions}
        self._breaks = {
            node: tr("Graph break: {kind}\n{value}")
            .format(kind=item.kind, value=item.explanation or item.reason)
            .strip()
            for item in breaks
            if item.instruction is not None and item.instruction.stage == stage.id
            for node in item.instruction.nodes
        }
        traced = sum(instruction.traced for instruction in instructions)
        followed = tr(", {traced} traced").format(traced=traced) if traced else ""
        self.heading.setText(
            tr("{heading}: {count} instructions{followed}").format(
                heading=self._heading, count=len(instructions), followed=followed
            )
        )
        self._code = program(stage)
        self.editor.set_code(self._code.text, "bytecode")
        self.recolor()
        self.outline()

    def recolor(self) -> None:
        """Tints and marks in the colours of the look."""
        if self.stage is None:
            return
        colors = current.colors()
        tints, stripes, marks = {}, {}, []
        for line, nodes in enumerate(self._code.line_nodes, 1):
            for node in nodes:
                index = self._session.color_index(self.stage.id, node)
                if index is not None:
                    tints[line] = colors.links[index % len(colors.links)]
                if self._instructions[node].traced:
                    stripes[line] = (colors.good,)
                if node in self._breaks:
                    marks.append(GutterMark(line, "stop", colors.error, self._breaks[node]))
        self.editor.set_tints(tints)
        self.editor.set_stripes(stripes)
        self.editor.set_marks(marks)

    def outline(self) -> None:
        """Outline the selected and the previewed instructions."""
        if self.stage is None:
            return
        broker = self._session.selection
        self.editor.set_outlined(
            self._code.lines_of(set(broker.pinned_in(self.stage.id))),
            self._code.lines_of(set(broker.hovered_in(self.stage.id))),
        )

    def scroll_to_selection(self, pinned_moved: bool) -> None:
        """Bring the first previewed instruction into view, or the first selected one when it has just become so."""
        lines = self.editor.hovered or (self.editor.pinned if pinned_moved else frozenset())
        if self.stage is not None and lines:
            self.editor.show_line(min(lines))

    def _nodes_on(self, line: int) -> tuple[NodeId, ...]:
        return self._code.line_nodes[line - 1] if 0 < line <= len(self._code.line_nodes) else ()

    def _clicked(self, line: int) -> None:
        if self.stage is not None and (nodes := self._nodes_on(line)):
            self._session.selection.select(place(self.stage.id, *nodes), self)
            self.outline()

    def _hovered(self, line: int) -> None:
        nodes = self._nodes_on(line)
        location = place(self.stage.id, *nodes) if self.stage is not None and nodes else NOWHERE
        self._session.selection.hover(location, self)
        self.outline()

    def _tooltip(self, line: int) -> str:
        return "\n\n".join(
            describe_instruction(self._instructions[node], self._breaks) for node in self._nodes_on(line)
        )
