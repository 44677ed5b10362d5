"""Patterns: made of the selection, found by torch's own matcher, replaced where one wishes."""

from pathlib import Path

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import (
    QFileDialog,
    QPushButton,
    QWidget,
)

from app.panes.pattern_pane.match_tree import MatchTree
from app.panes.pattern_pane.pattern_tree import PatternTree
from app.panes.pattern_pane.replacement_editor import ReplacementEditor
from app.session.facade.session import Session
from app.translation.texts import tr, tr_noop
from app.widgets.empty_state import EmptyState
from app.widgets.labels.wrapped_label import WrappedLabel
from app.widgets.layouts.boxes import row_of, set_column, set_pages, split_of
from compiler.model.edits.editable_stages import edits_graph
from compiler.model.edits.edits import EditError, EditGroup
from compiler.model.edits.patterns import (
    Location,
    PatternMatches,
    pattern_of,
    replace_matches,
    replacement_of,
)
from compiler.model.ir.diagnostics import Problem
from compiler.model.ir.graph import Graph
from compiler.model.ir.ids import NodeId, Place, StageId, place
from compiler.model.protocol.messages import Preview

_GUIDE = tr_noop(
    "Select the calls of a graph that make a pattern and press P.\n\n"
    "Every match in the model is listed, found by torch's own matcher, and for near misses which node and which argument "
    "failed. What takes their place is typed, and applied to all or to those ticked."
)


class PatternPane(QWidget):
    """The pattern stays while the graphs change; its matches are looked for again."""

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("pattern_pane")
        self._session = session
        self._stage: StageId = ""
        self._graph = Graph(())
        self._chosen: tuple[NodeId, ...] = ()
        self._general: frozenset[Location] = frozenset()
        self._pattern: Graph | None = None
        self._found = 0
        self.tree = PatternTree(self)
        self.matches = MatchTree(self)
        self.replacement = ReplacementEditor(self)
        self.state = WrappedLabel("", self)
        self.take = QPushButton(tr("Pattern from selection"), self)
        self.take.setToolTip(tr("Take the selected calls of the graph in front (P)"))
        self.apply_button = QPushButton(tr("Replace"), self)
        self.export = QPushButton(tr("As code…"), self)
        self.export.setToolTip(
            tr(
                "Write pattern and replacement as a registration with torch's own matcher, which needs torch only, and its test"
            )
        )
        self.select = QPushButton(tr("Select"), self)
        self.select.setToolTip(tr("Select every ticked match in the graph in front"))
        self.draw = QPushButton(tr("Replacement from selection"), self)
        self.draw.setToolTip(
            tr("Take the selected calls of the graph in front as what takes the place of a match")
        )
        self.empty = EmptyState(tr("No pattern yet"), tr(_GUIDE), self)
        self._stack = set_pages(self, self.empty, self._page())
        self._ask_soon = QTimer(self, interval=150, singleShot=True)
        self._ask_soon.timeout.connect(self._ask)
        self.tree.toggled.connect(self.toggle)
        self.tree.node_clicked.connect(lambda node: self._go_to(place(self._stage, node)))
        self.matches.place_clicked.connect(self._go_to)
        self.matches.chosen_changed.connect(self._judge)
        self.replacement.changed.connect(self._judge)
        self.take.clicked.connect(self.take_selection)
        self.apply_button.clicked.connect(self.apply)
        self.export.clicked.connect(self._choose_file)
        self.select.clicked.connect(self.select_matches)
        self.draw.clicked.connect(self.draw_replacement)
        session.asking.pattern_wanted.connect(self.take_selection)
        session.edits_changed.connect(self._ask_soon_if_any)
        session.capture_changed.connect(self._ask_soon_if_any)

    def _page(self) -> QWidget:
        page = QWidget(self)
        parts = split_of(self.tree, self.matches, self.replacement, parent=page, sizes=(260, 380, 420))
        row = row_of(
            self.take,
            self.draw,
            (self.state, 1),
            self.export,
            self.select,
            self.apply_button,
            margins=(6, 2, 6, 2),
            spacing=10,
        )
        set_column(page, row, (parts, 1), margins=0, spacing=0)
        return page

    # -- the pattern -------------------------------------------------------------------------------------------

    def take_selection(self) -> None:
        """Make a pattern of the selected calls of the graph in front."""
        stage = self._session.stage
        graph = self._session.stage_with_edits(stage.id).graph if stage is not None else None
        if stage is None or graph is None:
            return
        chosen = tuple(self._session.selection.pinned_in(stage.id))
        try:
            pattern_of(graph, chosen)
        except EditError as error:
            self._session.report(Problem(str(error), tr("Select other nodes.")))
            return
        self._stage, self._graph, self._chosen, self._general = stage.id, graph, chosen, frozenset()
        self._stack.setCurrentIndex(1)
        self._show(keep_typed=False)

    def toggle(self, location: Location) -> None:
        """Let anything fit at an argument, or ask for what stands there again."""
        self._general = self._general ^ {location}
        self._general = frozenset(
            one for one in self._general if one == location or not _within(one, location)
        )
        self._show(keep_typed=True)

    def _show(self, keep_typed: bool) -> None:
        self._pattern = pattern_of(self._graph, self._chosen, self._general)
        self._fill_tree()
        self.replacement.show_pattern(self._pattern, keep_typed)
        self._ask()

    def _fill_tree(self) -> None:
        if self._pattern is not None:
            whole = pattern_of(self._graph, self._chosen)
            kept = frozenset(node.id for node in self._pattern.nodes)
            self.tree.show_pattern(whole, self._general, kept)

    # -- matches -----------------------------------------------------------------------------------------------

    def _ask_soon_if_any(self) -> None:
        capture = self._session.capture
        if self._pattern is None or capture is None:
            return
        if self._session.asking.ready and any(stage.id == self._stage for stage in capture.stages):
            self._ask_soon.start()

    def _ask(self) -> None:
        pattern = self._pattern
        if pattern is not None:
            self.state.say(tr("Looking for matches…"), "dim_text")
            self._session.asking.matches(self._stage, pattern, lambda answer: self._take(pattern, answer))

    def _take(self, pattern: Graph, answer: PatternMatches | Problem) -> None:
        if pattern is not self._pattern:
            return
        if isinstance(answer, Problem):
            self.matches.show_matches(PatternMatches((), (), ""), 0, self._title)
            self.state.say(answer.message(), "error")
            return
        self._found = len(answer.matches)
        total = sum(node.op.startswith("call") for node in pattern.nodes)
        self.matches.show_matches(answer, total, self._title)

    def _title(self, stage_id: StageId) -> str:
        capture = self._session.capture
        found = next((stage for stage in capture.stages if stage.id == stage_id), None) if capture else None
        return " ".join(part for part in (found.compile_id, found.part) if part) if found else stage_id

    def _go_to(self, location: Place) -> None:
        self._session.show_stage(location.stage)
        self._session.selection.select(location, self)

    def select_matches(self) -> None:
        """Select the nodes of every ticked match, in the graph in front if it has any."""
        chosen = self.matches.chosen()
        stages = [match.stage for match in chosen]
        front = self._session.stage.id if self._session.stage is not None else ""
        wanted = front if front in stages else next(iter(stages), "")
        nodes = [node for match in chosen if match.stage == wanted for node in match.nodes]
        if nodes:
            self._go_to(place(wanted, *nodes))

    # -- replacing ---------------------------------------------------------------------------------------------

    def draw_replacement(self) -> None:
        """Take what was drawn on the canvas: the selected calls, which may use the pattern's inputs only."""
        stage, pattern = self._session.stage, self._pattern
        graph = self._session.stage_with_edits(stage.id).graph if stage is not None else None
        if stage is None or graph is None or pattern is None:
            return
        try:
            drawn = replacement_of(graph, tuple(self._session.selection.pinned_in(stage.id)), pattern)
        except EditError as error:
            self.state.say(str(error), "error")
            return
        self.replacement.show_drawn(drawn)

    def groups(self) -> tuple[EditGroup, ...]:
        """The edits that replace the ticked matches, one group for each graph. Raises EditError."""
        pattern, replacement = self._pattern, self.replacement.replacement
        chosen = self.matches.chosen()
        if pattern is None or replacement is None:
            raise EditError(self.replacement.fault or tr("There is no replacement."))
        if self.replacement.is_pattern:
            raise EditError(tr("Type what takes the place of a match."))
        if not chosen:
            raise EditError(tr("No match is ticked."))
        made = []
        for stage in dict.fromkeys(match.stage for match in chosen):
            shown = self._session.stage_with_edits(stage)
            if shown.graph is None or not edits_graph(shown):
                raise EditError(tr("{title} cannot be edited.").format(title=shown.title))
            own = tuple(match for match in chosen if match.stage == stage)
            made.append(replace_matches(stage, shown.graph, pattern, own, replacement))
        return tuple(made)

    def apply(self) -> None:
        """Replace the ticked matches."""
        try:
            groups = self.groups()
        except (EditError, KeyError) as error:
            self.state.say(str(error), "error")
            return
        for group in groups:
            self._session.make_edit(group)

    def _choose_file(self) -> None:
        name, _ = QFileDialog.getSaveFileName(
            self, tr("Pattern as code"), "my_pattern.py", tr("Python files (*.py)")
        )
        if name:
            self.write(Path(name).with_suffix(".py"))

    def write(self, path: Path) -> None:
        """Write pattern and replacement as code; every match counts, ticked or not."""
        pattern, replacement = self._pattern, self.replacement.replacement
        if pattern is not None and replacement is not None:
            self._session.exporting.write_pattern(path, self._stage, pattern, replacement, self._found)

    def _judge(self) -> None:
        self.export.setEnabled(self.replacement.replacement is not None and not self.replacement.is_pattern)
        count = len(self.matches.chosen())
        self.apply_button.setText(tr("Replace %n match(es)", None, count))
        try:
            groups = self.groups()
        except (EditError, KeyError) as error:
            self.apply_button.setEnabled(False)
            self.state.say(str(error), "error" if self.replacement.fault else "dim_text")
            return
        self.apply_button.setEnabled(True)
        self.state.say(tr("Trying…"), "dim_text")
        first = groups[0]
        self._session.asking.trial(first, lambda answer: self._show_preview(first, answer))

    def _show_preview(self, group: EditGroup, answer: Preview | Problem) -> None:
        try:
            if group != self.groups()[0]:
                return
        except (EditError, KeyError):
            return
        problems = (answer,) if isinstance(answer, Problem) else answer.problems
        if problems:
            self.state.say(problems[0].what, "error")
        else:
            self.state.say(tr("It works: every type is known."), "good")


def _within(inner: Location, outer: Location) -> bool:
    """Whether one argument is part of another of the same node, or the other way round."""
    if inner[0] != outer[0]:
        return False
    shorter = min(len(inner[1]), len(outer[1]))
    return inner[1][:shorter] == outer[1][:shorter]
