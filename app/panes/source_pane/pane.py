"""The user's program, each line in the colour that everything made from it shares."""

from collections.abc import Callable

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QTabBar, QToolButton, QWidget

from app.panes.source_pane.annotations import Annotations, annotate, break_place, first_shown, source_stages
from app.panes.source_pane.file_choice import FileChoice
from app.panes.source_pane.gutter import (
    LineProblem,
    break_marks,
    legend,
    line_notes,
    problem_marks,
    problem_notes,
    problems_of,
)
from app.panes.source_pane.line_times import gutter_times, time_tip
from app.panes.source_pane.source_editing import SourceEditing
from app.panes.source_pane.stack_walk import StackWalk
from app.session.facade.session import Session
from app.session.selection.selected_line import selected_line, selected_stack
from app.theme import current
from app.theme.colors import Colors
from app.translation.texts import tr, tr_noop
from app.widgets.buttons.allowed import allow
from app.widgets.buttons.tool_button import tool_button
from app.widgets.code_editor import CodeEditor
from app.widgets.empty_state import EmptyState
from app.widgets.gutter_marks import GutterMark
from app.widgets.layouts.boxes import row_of, set_column, set_pages
from app.widgets.legend_strip import LegendStrip
from compiler.model.ir.diagnostics import Problem, Severity
from compiler.model.ir.graph import SourceLine
from compiler.model.ir.ids import NOWHERE, StageId, line_id, line_of, place
from compiler.model.ir.programs import FileOwner, SourceFile
from compiler.model.ir.stage import Stage

_ABOVE_CAPTURED = 8
"""Lines shown above the first one that was captured."""
_ABOVE_KNOWN = 2
"""Blank lines shown above the first one that a log names."""
_EDIT = tr_noop("Change the program on a copy, and try or capture it; the file stays as it is")
_TIMES = tr_noop("What lines cost in a step that was timed: their own time, and with what they call")
_SLOWEST = tr_noop(
    "Go to the line with most kernel time of its own, once more for the next; times the program first where it was not"
)
_NOT_YOURS = tr_noop("A library's file is not loaded afresh for a capture; File → Your files… makes it yours")


class SourcePane(QWidget):
    """One tab a file. Hovering previews, a click pins a line, Ctrl or Shift adds lines."""

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("source_pane")
        self._session = session
        self._files: list[tuple[Stage, SourceFile]] = []
        self._annotations = Annotations()
        self._stripe: dict[str, str] = {}
        """Compile id → colour, of the file on show."""
        self._scrolled: dict[StageId, int] = {}
        self._shown: StageId = ""
        self._pinned = NOWHERE
        self._began: int | None = None
        """Where the file on show was scrolled to by itself; None where that was by hand, another time."""
        self.tabs = QTabBar(self)
        self.tabs.setDocumentMode(True)
        self.tabs.setExpanding(False)
        self.tabs.setUsesScrollButtons(True)
        self.tabs.setElideMode(Qt.TextElideMode.ElideNone)  # many files scroll; a list of them stands beside
        self.choice = FileChoice(self.tabs.setCurrentIndex, self)
        self.sizes = self._switch(
            tr("Sizes"), tr("Sizes of variables at the end of the line that stores them")
        )
        self.reasons = self._switch(tr("Reasons"), tr("Why capturing stopped, at the end of the line"))
        self.times = self._switch(tr("Times"), tr(_TIMES), self._show_times)
        self.slowest = self._button(tr("Slowest line"), tr(_SLOWEST))
        self.edit_button = self._button(tr("Edit"), tr(_EDIT))
        self.walk = StackWalk(self._go_to_frame, self)
        self.legend = LegendStrip(self)
        self.editor = CodeEditor(self)
        self.editing = SourceEditing(session, self.editor, self._edited, self)
        self.empty = EmptyState(
            tr("No source file captured"),
            tr("The files of a captured program are shown here, line by line."),
            self,
        )
        page = QWidget(self)
        top = row_of(
            (self.tabs, 1),
            self.choice,
            self.sizes,
            self.reasons,
            self.times,
            self.slowest,
            self.edit_button,
            margins=(0, 0, 4, 0),
            spacing=2,
        )
        set_column(page, top, self.walk, self.legend, self.editor, self.editing, margins=0, spacing=0)
        self._page = page
        self._stack = set_pages(self, self.empty, page)
        self.tabs.currentChanged.connect(self._show_file)
        self.edit_button.clicked.connect(self._edit)
        self.editor.line_clicked.connect(self._line_clicked)
        self.editor.line_hovered.connect(self._line_hovered)
        self.editor.verticalScrollBar().rangeChanged.connect(self._resized)
        self.slowest.clicked.connect(session.measured.lines.go_to_slowest)
        self.editor.set_tooltips(self._tip)
        self.editor.offer_lines(self._file_line, session.editor.open)
        session.capture_changed.connect(self.fill)
        session.problems_changed.connect(self._recolor)
        session.problem_reported.connect(self._show_problem)
        session.stage_changed.connect(self._follow_stage)
        session.selection.changed.connect(self._follow_selection)
        session.measured.lines.changed.connect(self._show_times)
        current.signals().changed.connect(self._recolor)
        self.fill()

    def _button(self, text: str, what: str) -> QToolButton:
        return tool_button(self, text, what, name=text, flat=True)

    def _switch(self, text: str, what: str, turned: Callable[[], None] | None = None) -> QToolButton:
        button = self._button(text, what)
        button.setCheckable(True)
        button.setChecked(True)
        button.toggled.connect(turned or self._note)
        return button

    def fill(self) -> None:
        """Show the files of the session's capture; what is being typed stays until it is applied or given up."""
        if self.editing.active:
            return
        before = self._shown
        self._files = source_stages(self._session.capture)
        self._stack.setCurrentWidget(self._page if self._files else self.empty)
        self.tabs.blockSignals(True)
        while self.tabs.count():
            self.tabs.removeTab(0)
        for _, file in self._files:
            index = self.tabs.addTab(file.path.rpartition("/")[2])
            owner = tr("\nof the package {package}").format(package=file.package) if file.package else ""
            self.tabs.setTabToolTip(index, f"{file.path}{owner}")
        self.choice.fill([file for _, file in self._files])
        ids = [stage.id for stage, _ in self._files]
        first = first_shown([file for _, file in self._files])
        self.tabs.setCurrentIndex(ids.index(before) if before in ids else first)
        self.tabs.blockSignals(False)
        self._show_file(self.tabs.currentIndex())

    def _show_file(self, index: int) -> None:
        capture = self._session.capture
        self.editing.cancel()
        if capture is None or not 0 <= index < len(self._files):
            return
        at = self.editor.verticalScrollBar().value()
        if (
            self._shown and at != self._began
        ):  # else it begins afresh: of a capture that was not finished less was known
            self._scrolled[self._shown] = at
        self._began = None
        stage, file = self._files[index]
        self._shown = stage.id
        self._annotations = annotate(capture, file)
        recorded = self._session.why_not_run if capture.spec.target.recorded else ""
        allow(self.edit_button, recorded or ("" if file.standing is FileOwner.MINE else tr(_NOT_YOURS)))
        self.editor.set_code(file.text, "python")
        self._recolor()
        self._outline()
        scrolled = self._scrolled.get(stage.id)
        if scrolled is None:
            self._begin()
        else:
            self.editor.verticalScrollBar().setValue(scrolled)

    def _begin(self) -> None:
        self._began = self._first_line()
        self.editor.verticalScrollBar().setValue(self._began)

    def _resized(self) -> None:
        """A file at which nobody has done anything yet begins where it does in the room that there is now."""
        if self._began == self.editor.verticalScrollBar().value() and not self._pinned:
            self._begin()

    def _first_line(self) -> int:
        """Scrolled so far that what was captured is in view; a file of which it is at once in view begins at its first line."""
        first = min(self._annotations.graphs, default=0)
        if self._in_part:
            text = self._file.text if self._file is not None else ""
            return max(0, len(text) - len(text.lstrip("\n")) - _ABOVE_KNOWN)
        in_view = self.editor.viewport().height() // max(1, self.editor.fontMetrics().height())
        return max(0, first - min(_ABOVE_CAPTURED, in_view // 2)) if first > in_view else 0

    def _edit(self) -> None:
        path = self._path
        if path and not self.editing.active:
            self.edit_button.setEnabled(False)
            self.editing.begin(path)

    def _edited(self) -> None:
        self.edit_button.setEnabled(True)
        self.fill()

    def _recolor(self) -> None:
        """Tints, stripes, marks and legend in the colours of the look."""
        if not self._shown or self.editing.active:
            return
        colors, notes = current.colors(), self._annotations
        stripe = {name: stripe_color(colors, i) for i, name in enumerate(notes.compile_ids)}
        tints = {}
        for line in notes.graphs:
            index = self._session.color_index(self._shown, line_id(line))
            if index is not None:
                tints[line] = colors.links[index % len(colors.links)]
        stripes = {line: tuple(stripe[name] for name in names) for line, names in notes.graphs.items()}
        stripes |= {line: (*stripes.get(line, ()), colors.line) for line in notes.eager}
        self.editor.set_tints(tints)
        self.editor.set_stripes(stripes)
        self.editor.set_dim_lines((notes.eager | notes.untraced) - notes.graphs.keys())
        problems = problem_marks(self._problems(), colors)
        self.editor.set_marks([*break_marks(notes, colors), *self._change_marks(colors), *problems])
        self._note()
        self._stripe = stripe
        self._show_times()

    def _file_line(self, line: int) -> tuple[str, int] | None:
        return (self._path, line) if self._path else None

    @property
    def _path(self) -> str:
        """Of the file on show."""
        return self._file.path if self._file is not None else ""

    @property
    def _in_part(self) -> bool:
        """Whether only some lines of the file on show are known."""
        return any(stage.is_in_part for stage, _ in self._files if stage.id == self._shown)

    @property
    def _file(self) -> SourceFile | None:
        return next((file for stage, file in self._files if stage.id == self._shown), None)

    def _show_times(self) -> None:
        """What lines cost, in the gutter."""
        lines = self._session.measured.lines
        times = lines.times()
        self.times.setVisible(times is not None)
        allow(self.slowest, "" if lines.can_find else self._session.why_not_run)
        if self._shown and not self.editing.active:
            shown = times if self.times.isChecked() else None
            line_times = gutter_times(shown, self._path, current.colors())
            self.editor.set_times(line_times)
            self.legend.set_entries(
                legend(self._annotations, current.colors(), self._stripe, bool(line_times), self._in_part)
            )

    def _tip(self, line: int) -> str:
        """Everything that is known of a line."""
        lines = self._session.measured.lines
        times = lines.times()
        cost = time_tip(times.at(self._path, line), times, lines.names(), lines.when) if times else ""
        return "\n\n".join(filter(None, [cost, self._annotations.describe(line)]))

    def _go_to_frame(self, frame: SourceLine) -> None:
        """A frame of the stack was chosen: its file, and its line selected."""
        stages = {file.path: index for index, (_, file) in enumerate(self._files)}
        if frame.path in stages and not self.editing.active:
            self.tabs.setCurrentIndex(stages[frame.path])
            self._session.selection.select(place(self._shown, line_id(frame.line)), self)
            self._outline()
            self.editor.show_line(frame.line)

    def _show_walk(self) -> None:
        session, pinned = self._session, self._session.selection.pinned
        stack = selected_stack(session.capture, pinned, session.provenance)
        self.walk.show_stack(stack, stack[-1] if stack else None)

    def _change_marks(self, colors: Colors) -> list[GutterMark]:
        """Lines that are not as in the capture before."""
        path, changes = self._path, self._session.changes
        new = tr("New or changed since the capture before")
        gone = tr("Lines below are gone since the capture before")
        return [
            *(GutterMark(line, "bar", colors.accent, new) for line in sorted(changes.new_lines(path))),
            *(
                GutterMark(max(line, 1), "gap", colors.accent, gone)
                for line in sorted(changes.gone_after(path))
            ),
        ]

    def _note(self) -> None:
        """The quiet texts at the ends of lines, as far as they are switched on."""
        if self.editing.active:
            return
        reasons, sizes = self.reasons.isChecked(), self.sizes.isChecked()
        colors = current.colors()
        found = line_notes(self._annotations, colors, reasons, sizes)
        for line, rows in problem_notes(self._problems(), colors).items():
            found[line] = rows + found.get(line, [])
        self.editor.set_notes(found)

    def _problems(self) -> list[LineProblem]:
        file = self._file
        return problems_of(self._session.problems, file) if file is not None else []

    def _show_problem(self, problem: Problem) -> None:
        """What just went wrong at a line of a file that is here is brought into view."""
        if problem.severity is not Severity.ERROR or self.editing.active:
            return
        for index, (_, file) in enumerate(self._files):
            for row in problems_of((problem,), file):
                self.tabs.setCurrentIndex(index)
                self.editor.show_line(row.line)

    def _line_clicked(self, line: int, modifiers: Qt.KeyboardModifier) -> None:
        if self.editing.active:
            return
        broker = self._session.selection
        stage = next(stage for stage, _ in self._files if stage.id == self._shown)
        adding = modifiers & (Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier)
        if line in self._annotations.breaks and not adding:
            broker.select(break_place(stage, line, self._annotations.breaks[line]), self)
        elif adding and broker.pinned.stage == self._shown:
            nodes = set(broker.pinned.nodes) ^ {line_id(line)}
            broker.select(place(self._shown, *nodes) if nodes else NOWHERE, self)
        else:
            broker.select(place(self._shown, line_id(line)), self)
        self._outline()

    def _line_hovered(self, line: int) -> None:
        if self.editing.active:
            return
        location = place(self._shown, line_id(line)) if line else NOWHERE
        self._session.selection.hover(location, self)
        self._outline()

    def _follow_stage(self) -> None:
        stage = self._session.stage
        ids = [source.id for source, _ in self._files]
        if stage is not None and stage.id in ids:
            self.tabs.setCurrentIndex(ids.index(stage.id))

    def _follow_selection(self, sender: object) -> None:
        broker = self._session.selection
        moved, self._pinned = broker.pinned != self._pinned, broker.pinned
        if moved:
            self._show_walk()
        if sender is self or self.editing.active:
            return
        pinned_files = [i for i, (stage, _) in enumerate(self._files) if broker.pinned_in(stage.id)]
        line = self._innermost() if moved and pinned_files else None
        if line is not None:
            self.tabs.setCurrentIndex(line[0])
        elif moved and pinned_files and not broker.pinned_in(self._shown):
            self.tabs.setCurrentIndex(pinned_files[0])
        self._outline()
        if lines := self.editor.hovered or (self.editor.pinned if moved else frozenset()):
            self.editor.show_line(line[1] if line is not None and line[1] in lines else min(lines))

    def _innermost(self) -> tuple[int, int] | None:
        """Where the innermost line of what is pinned elsewhere stands: the file's tab, and the line."""
        session, pinned = self._session, self._session.selection.pinned
        line = selected_line(session.capture, pinned, session.provenance)
        paths = [file.path for _, file in self._files]
        return (paths.index(line.path), line.line) if line is not None and line.path in paths else None

    def _outline(self) -> None:
        if self.editing.active:
            return
        broker = self._session.selection
        self.editor.set_outlined(
            {line_of(node) or 0 for node in broker.pinned_in(self._shown)},
            {line_of(node) or 0 for node in broker.hovered_in(self._shown)},
        )


def stripe_color(colors: Colors, index: int) -> str:
    """The gutter colour of the index-th graph."""
    cycle = (colors.forward, colors.backward, colors.fused, colors.extern, colors.input, colors.edited)
    return cycle[index % len(cycle)]
