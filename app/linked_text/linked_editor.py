"""The text of a stage, its lines coloured, marked and selected as the nodes they belong to are."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget

from app.linked_text.found_repeats import FoundRepeats
from app.linked_text.shown_program import ShownProgram
from app.session.facade.displayed_stage import color_in_view
from app.session.facade.problem_list import problems_at
from app.session.facade.session import Session
from app.session.selection.selected_line import line_in, linked_line
from app.theme import current
from app.translation.texts import tr
from app.widgets.code_editor import CodeEditor
from app.widgets.gutter_marks import GutterMark
from compiler.analysis.repeated_text.repeated_lines import RepeatedLines
from compiler.model.ir.diagnostics import Problem, Severity
from compiler.model.ir.ids import NOWHERE, place
from compiler.model.ir.stage import Stage


class LinkedEditor(CodeEditor):
    """A click selects a line's nodes, the mouse over it previews them, and what others select is outlined here."""

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self._shown: ShownProgram | None = None
        self._loose = False
        self._tinted: dict[int, int] = {}
        self._edited: list[int] = []
        self._problems: list[tuple[int, Problem]] = []
        self._last_pinned = NOWHERE
        self._repeats = FoundRepeats(self._fold, self)
        self.line_clicked.connect(self._line_clicked)
        self.line_hovered.connect(self._line_hovered)
        self.set_tooltips(self._tooltip)
        self.offer_lines(self._file_line, session.editor.open)
        session.problems_changed.connect(self._recolor)
        session.selection.changed.connect(self._follow_selection)
        current.signals().changed.connect(self._dress)

    @property
    def shown(self) -> ShownProgram | None:
        """What is on show; None before the first."""
        return self._shown

    def show_program(self, shown: ShownProgram) -> None:
        """Show a text; where it is another form of the same stage, what is in view stays in view."""
        before = self._shown.stage.id if self._shown is not None else ""
        scrolled = self.verticalScrollBar().value()
        self._shown = shown
        self.set_code(shown.code.text, shown.code.language)
        if before == shown.stage.id:
            self.verticalScrollBar().setValue(scrolled)
        self._recolor()
        self._outline()
        self._scroll_to(self.pinned)
        if not self._loose:
            self._repeats.look_in(shown.stage)

    def show_none(self) -> None:
        """Nothing is on show here, and nothing is followed."""
        self._shown = None

    def set_loose(self, loose: bool) -> None:
        """While somebody types, lines are not the stage's: none is linked."""
        self._loose = loose

    def _fold(self, stage: Stage, runs: tuple[RepeatedLines, ...]) -> None:
        """What repeats in the text of a stage was found."""
        if self._linked is None or self._linked.stage is not stage or runs == self.folds.runs:
            return
        self.folds.set_runs(runs)
        if self.pinned:
            self.folds.reveal(min(self.pinned))

    @property
    def _linked(self) -> ShownProgram | None:
        return None if self._loose else self._shown

    def _recolor(self) -> None:
        """Find which lines share a colour, hold edits, or are reported."""
        shown = self._linked
        if shown is None:
            return
        stage_id = shown.stage.id
        problems = tuple(row for row in self._session.problems if row.place and row.place.stage == stage_id)
        edited, shared = self._session.edited_nodes(stage_id), color_in_view(self._session, stage_id)
        self._tinted, self._edited, self._problems = {}, [], []
        for line, (nodes, colored) in enumerate(
            zip(shown.code.line_nodes, shown.colored_by(), strict=True), 1
        ):
            for node in colored:
                index = shared(node)
                if index is not None:
                    self._tinted[line] = index
                    break
            if edited and not edited.isdisjoint(nodes):
                self._edited.append(line)
            for node in nodes if problems else ():
                self._problems += [(line, problem) for problem in problems_at(problems, stage_id, node)]
        self._dress()

    def _dress(self) -> None:
        """Those lines in the colours of the look."""
        if self._linked is None:
            return
        colors = current.colors()
        marks: list[GutterMark] = []
        for line, problem in self._problems:
            bad = problem.severity is Severity.ERROR
            color = colors.error if bad else colors.warning
            marks.append(GutterMark(line, "cross" if bad else "dot", color, problem.message()))
        count = len(colors.links)
        self.set_tints({line: colors.links[index % count] for line, index in self._tinted.items()})
        self.set_stripes(dict.fromkeys(self._edited, (colors.edited,)))
        self.set_marks(marks)

    def _line_clicked(self, line: int, modifiers: Qt.KeyboardModifier) -> None:
        shown, nodes = self._linked, self._nodes_on(line)
        if shown is None or not nodes:
            return
        broker, stage_id = self._session.selection, shown.stage.id
        adding = modifiers & (Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier)
        passes = self._session.passes
        if adding and broker.pinned.stage == stage_id:
            kept = passes.pinned_in(stage_id) ^ set(nodes)
            broker.select(passes.at(stage_id, *kept) if kept else NOWHERE, self)
        else:
            broker.select(passes.at(stage_id, *nodes), self)
        self._outline()

    def _file_line(self, line: int) -> tuple[str, int] | None:
        """The user's line that a line was made on; for generated files that are on disk, the line itself."""
        shown, nodes, capture = self._shown, self._nodes_on(line), self._session.capture
        if shown is None or capture is None:
            return None
        found = line_in(capture, shown.stage.id, nodes) or linked_line(
            capture, self._session.provenance, place(shown.stage.id, *nodes)
        )
        return (found.path, found.line) if found is not None else None

    def _line_hovered(self, line: int) -> None:
        shown, nodes = self._linked, self._nodes_on(line)
        location = self._session.passes.at(shown.stage.id, *nodes) if shown is not None and nodes else NOWHERE
        self._session.selection.hover(location, self)
        self._outline()

    def _nodes_on(self, line: int) -> tuple[str, ...]:
        shown = self._linked
        if shown is None or self.folds.row_on(line) is not None:
            return ()
        return shown.nodes_to_select(line, self._session.provenance.linked(shown.stage.id))

    def _follow_selection(self, sender: object) -> None:
        pinned = self._session.selection.pinned
        moved, self._last_pinned = pinned != self._last_pinned, pinned
        if sender is not self and self._linked is not None:
            self._outline()
            if self.hovered:  # a glance opens nothing that is folded
                self._scroll_to(self.folds.lines_seen(self.hovered), reveal=False)
            elif moved:
                self._scroll_to(self.pinned)

    def _outline(self) -> None:
        shown = self._linked
        if shown is not None:
            passes, stage_id = self._session.passes, shown.stage.id
            self.set_outlined(
                shown.lines_to_outline(passes.pinned_in(stage_id)),
                shown.lines_to_outline(passes.hovered_in(stage_id)),
            )

    def _scroll_to(self, lines: frozenset[int], reveal: bool = True) -> None:
        if lines:
            self.show_line(min(lines), reveal)

    def _tooltip(self, line: int) -> str:
        shown = self._linked
        nodes = shown.owners(line) if shown is not None else ()
        if not nodes or shown is None:
            return ""
        origins = self._session.provenance.ancestors(place(shown.stage.id, *nodes))
        lines = sorted(
            f"{stage.rpartition('/')[2]}:{node[1:]}"
            for stage, found in origins.items()
            if stage.startswith("source:")
            for node in found
        )
        return (
            tr("{names}\nfrom {names2}").format(names=", ".join(nodes), names2=", ".join(lines[:6]))
            if lines
            else ", ".join(nodes)
        )
