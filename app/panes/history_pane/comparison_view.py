"""Two states beside each other: edits, graphs, kernels, results and times."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QPushButton, QWidget

from app.panes.history_pane.turn_timing import TurnTiming
from app.panes.history_pane.verdict_texts import ratio_text, right_text
from app.session.comparison.rows import Difference, Group
from app.session.comparison.rows_grouped import figure_text, groups_of
from app.session.facade.session import Session
from app.theme import fonts
from app.translation.edit_texts import edit_title
from app.translation.texts import tr
from app.widgets.difference_tree import DifferenceTree
from app.widgets.labels.wrapped_label import WrappedLabel
from app.widgets.layouts.boxes import row_of, set_column
from compiler.analysis.diff.diff_summary import summary
from compiler.analysis.edits.history_tree import ROOT, StateId
from compiler.analysis.text_format.times import summary_text
from compiler.model.diff.capture_diff import compare_captures
from compiler.model.edits.edits import stages_of
from compiler.model.timing.timings import TimingSummary


class ComparisonView(QWidget):
    """What leads from one state to another."""

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self.headline = WrappedLabel("", self)
        self.headline.setFont(fonts.interface(bold=True))
        self.figures = WrappedLabel("", self)
        self.times = WrappedLabel("", self)
        self.graphs = QPushButton(tr("Compare graphs"), self)
        self.graphs.setToolTip(
            tr("Lay the first stage that was edited beside itself in the other state, drawn and as text")
        )
        self.graphs.clicked.connect(self._compare_graphs)
        self._states: tuple[StateId, StateId] = (ROOT, ROOT)
        self.timing = TurnTiming(session, self)
        self.tree = DifferenceTree(self)
        row = row_of((self.graphs, 0, Qt.AlignmentFlag.AlignTop), (self.timing, 1))
        rows = (self.headline, self.figures, self.times, row, (self.tree, 1))
        set_column(self, *rows, margins=(8, 4, 8, 0), spacing=3)

    def show_states(self, first: StateId, second: StateId) -> None:
        """Compare two states."""
        self._states = first, second
        self.timing.show_states(first, second)
        states = self._session.states
        before, after = states.capture_of(first), states.capture_of(second)
        groups: tuple[Group, ...] = (self._edits(first, second),)
        if before is None or after is None:
            missing = tr(" and ").join(
                title
                for title, made in ((tr("the first"), before), (tr("the second"), after))
                if made is None
            )
            self.headline.setText(tr("Not compiled: {missing}").format(missing=missing))
            self.figures.setText(tr("Go there and recompile to compare graphs, kernels and times."))
            self.times.hide()
        else:
            diff = compare_captures(before, after)
            self.headline.setText(summary(diff) or tr("The same graphs and the same kernels"))
            self.figures.setText(" · ".join(map(figure_text, diff.figures)))
            self.times.show()
            self.times.setText(self._times(first, second))
            groups = (*groups, *groups_of(before, after, diff))
        self.tree.show_groups(tuple(group for group in groups if group.rows))

    def _compare_graphs(self) -> None:
        """The first stage in which an edit differs; where none does, the stage in front."""
        first, second = self._states
        tree = self._session.states.tree
        differing = set(tree.path(first)) ^ set(tree.path(second))
        edited = (stage for state in tree.states if state in differing for stage in stages_of(state.edit))
        front = self._session.stage.id if self._session.stage is not None else ""
        self._session.comparison.show_states(first, second, next(edited, front))

    def _edits(self, first: StateId, second: StateId) -> Group:
        tree = self._session.states.tree
        one, other = tree.path(first), tree.path(second)
        shared = {state.id for state in one} & {state.id for state in other}
        rows = [Difference(edit_title(state.edit), "active", "–") for state in one if state.id not in shared]
        rows += [
            Difference(edit_title(state.edit), "–", "active") for state in other if state.id not in shared
        ]
        return Group(tr("Edits"), tuple(rows))

    def _times(self, first: StateId, second: StateId) -> str:
        one, other = self._time(first, second), self._time(second, first)
        states = self._session.states
        right = [
            f"{title} {right_text(states.verdict_of(state))}"
            for title, state in ((tr("first"), first), (tr("second"), second))
            if state != ROOT
        ]
        if one is None or other is None:
            return tr("Not timed both. Right: {names}.").format(names=", ".join(right))
        runs = tr("the same run") if ROOT in (first, second) else tr("two runs")
        return tr("One step {time} → {time2}: {ratio}, measured in {runs}. Right: {names}.").format(
            time=summary_text(one),
            time2=summary_text(other),
            ratio=ratio_text(one, other),
            runs=runs,
            names=", ".join(right),
        )

    def _time(self, state: StateId, other: StateId) -> TimingSummary | None:
        """The unedited program was timed beside each recompile."""
        verdict = self._session.states.verdict_of(state if state != ROOT else other)
        if verdict is None:
            return None
        return verdict.after if state != ROOT else verdict.before
