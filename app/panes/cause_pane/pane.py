"""What makes the results of compiled code wrong, looked for from here; every trial is reported as it is made."""

from collections.abc import Mapping
from typing import Literal

from PySide6.QtCore import QSize
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QPushButton,
    QStackedLayout,
    QVBoxLayout,
    QWidget,
)

from app.panes.cause_pane.answer_card import AnswerCard
from app.panes.cause_pane.cost_page import CostPage
from app.panes.cause_pane.hand_over import HandOver
from app.panes.cause_pane.speed_page import SpeedPage
from app.session.engine_requests.cause_requests import FAILS, SLOW, WRONG
from app.session.facade.chosen_line import select_line
from app.session.facade.session import Session
from app.theme import current
from app.translation.texts import tr, tr_noop
from app.widgets.empty_state import EmptyState
from app.widgets.layouts.boxes import Room, as_widget, column_of, row_of, set_column
from app.widgets.tables.row_table import RowTable
from app.widgets.tables.rows import Cell, Column, Row, Width
from compiler.analysis.text_format.slowness_text import nanoseconds_from
from compiler.analysis.text_format.visible_text import visible_line
from compiler.model.experiments.causes import EAGER, EXPRESSION, FLOAT64, CauseFound, CauseStep
from compiler.model.experiments.costs import COMPILE_TIME, COSTS, MEMORY, RECOMPILES
from compiler.model.experiments.dynamic_shape_trial import parse_sizes
from compiler.model.experiments.trials import DimensionTrial
from compiler.model.ir.graph import SourceLine
from compiler.model.ir.ids import NOWHERE, Place, place

_COLUMNS = (
    Column(tr_noop("What ran instead"), width=Width.STRETCH),
    Column(tr_noop("Results")),
    Column(tr_noop("Off by"), right=True),
)
_SHADES = {True: "error", False: "good", None: "dim_text"}
_RIGHT_IS = (
    (FLOAT64, "float64"),
    (EAGER, "eager"),
    (EXPRESSION, tr_noop("an expression")),
)
_QUESTIONS = (
    (WRONG, tr_noop("Results are wrong")),
    (FAILS, tr_noop("It does not compile")),
    (SLOW, tr_noop("The step is slow")),
    (COMPILE_TIME, tr_noop("Compiling takes long")),
    (MEMORY, tr_noop("It needs much memory")),
    (RECOMPILES, tr_noop("It compiles again and again")),
)
_START = tr_noop(
    "Run the program with parts of the pipeline taken out, one after the other, until what makes it wrong is known"
)
_GO_ON = tr_noop("Go on where the search was stopped: trials whose answers are listed do not run again")
_NOTHING = tr_noop("Nothing looked for yet")
_EMPTY = {
    WRONG: tr_noop(
        "Where compiled results are wrong, this finds what makes them so: the stage, the pass, the fusion, the kernel, "
        "the line. It takes about as long as several compiles, and leaves the program as it was."
    ),
    FAILS: tr_noop(
        "Where torch.compile raises, ends the process, or does not end: the step of the pipeline that does so, and the least "
        "program that fails for the same reason. Every trial is a process of its own; one that takes two minutes is taken to hang."
    ),
    SLOW: tr_noop(
        "Where a compiled step is slower than eager, or than a time you say, this shows where its time goes and tries what "
        "could make it faster: graphs op by op, settings, fusions, modes, sizes. Each is timed in turns with the step as it "
        "is, on a copy; it needs a quiet machine."
    ),
    COMPILE_TIME: tr_noop(
        "Which line and which module a cold compile spends its time on, and what makes it shorter: equal modules "
        "compiled once, a module left to eager, settings. Each is measured on a copy compiled from cold, several times."
    ),
    MEMORY: tr_noop(
        "What the memory of a step goes to, by line and by module, and what makes it less: checkpointing, memory budgets, "
        "settings. The peak of a copy's step is measured with each, and what it does to the step's time."
    ),
    RECOMPILES: tr_noop(
        "Which guard, on which line, makes torch compile again, what that takes, and what makes it happen less often. "
        "Say with which sizes the program is called, or leave it empty to look at one step."
    ),
}
_WORDS = {True: tr_noop("✗ wrong"), False: tr_noop("✓ right"), None: tr_noop("– not run")}
_RUNS = {True: tr_noop("✗ fails"), False: tr_noop("✓ runs"), None: tr_noop("– not run")}


class CausePane(QWidget):
    """Follows the search; what was found is shown in the other panes."""

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("cause_pane")
        self._session = session
        self.start = QPushButton(tr("Find the cause"), self)
        self.start.setToolTip(tr(_START))
        self.again = QPushButton(tr("Begin again"), self)
        self.again.setToolTip(tr("Look from the beginning: every trial runs once more"))
        self.question = QComboBox(self)
        self.question.setAccessibleName(tr("What to look for"))
        for _, words in _QUESTIONS:
            self.question.addItem(tr(words))
        self.limit = QLineEdit(self)
        self.limit.setAccessibleName(tr("What the step should not be slower than"))
        self.limit.setPlaceholderText("eager")
        self.limit.setToolTip(
            tr(
                "Empty: eager. A time as 2ms or 350us: look where a step takes longer. With Anyway it looks whatever is slower"
            )
        )
        self.anyway = QCheckBox(tr("Anyway"), self)
        self.anyway.setToolTip(tr("Look for what makes it faster though it is not slower than that"))
        self.sizes = QLineEdit(self)
        self.sizes.setAccessibleName(tr("Sizes that it is called with"))
        self.sizes.setPlaceholderText("x:0=3,4,5")
        self.sizes.setToolTip(
            tr("ARGUMENT:DIMENSION=SIZES: after the first step it is called with each of them")
        )
        self.against = QComboBox(self)
        self.against.setAccessibleName(tr("What results are judged by"))
        self.against.setToolTip(
            tr(
                "float64: right is as near to it as eager is. eager: right is what eager gives, within rounding. "
                "An expression: right is what you say"
            )
        )
        for _, words in _RIGHT_IS:
            self.against.addItem(tr(words))
        self.expression = QLineEdit(self)
        self.expression.setAccessibleName(tr("Expression that is true where the results are right"))
        self.expression.setPlaceholderText("outputs[0].isfinite().all()")
        self.expression.setToolTip(
            tr("Python over outputs, grads, results (by name) and torch; it runs in the worker")
        )
        self.show_it = QPushButton(tr("Show"), self)
        self.show_it.setToolTip(tr("Go to the stage at fault and select what is wrong in it"))
        self.hand_over = HandOver(session, self)
        self.answer = AnswerCard(self)
        self.steps = RowTable(_COLUMNS, tr("Filter trials"), self)
        self.steps.field.hide()
        self.steps.tree.setRootIsDecorated(False)
        self.empty = EmptyState(tr(_NOTHING), tr(_EMPTY[WRONG]), self)
        self._stack = QStackedLayout()
        self._stack.addWidget(self.empty)
        self._stack.addWidget(self._found_page())
        self.speed = SpeedPage(self)
        self._stack.addWidget(self.speed)
        self.costs = CostPage(self)
        self._stack.addWidget(self.costs)
        set_column(self, self._question(), (self._stack, 1), margins=(4, 4, 4, 0))
        self.start.clicked.connect(self._toggle)
        self.again.clicked.connect(self._begin_again)
        self.show_it.clicked.connect(self._show)
        self.against.currentIndexChanged.connect(self.fill)
        self.expression.textChanged.connect(self.fill)
        self.expression.returnPressed.connect(self._toggle)
        self.question.currentIndexChanged.connect(self.fill)
        self.limit.textChanged.connect(self.fill)
        self.limit.returnPressed.connect(self._toggle)
        self.sizes.textChanged.connect(self.fill)
        self.sizes.returnPressed.connect(self._toggle)
        self.costs.line_chosen.connect(self._show_line)
        session.causes.changed.connect(self.fill)
        session.causes.speed.changed.connect(self.fill)
        session.causes.costs.changed.connect(self.fill)
        session.causes.failures.changed.connect(self.fill)
        session.causes.wanted.connect(self._take_question)
        for signal in (session.status_changed, session.capture_changed, session.edits_changed):
            signal.connect(self._follow)
        current.signals().changed.connect(self.fill)
        self._take_question()
        self.fill()

    def _question(self) -> QVBoxLayout:
        row = QHBoxLayout()
        self._judged_by, self._slower_than = QLabel(tr("Judged by"), self), QLabel(tr("Slower than"), self)
        self._called_with = QLabel(tr("Called with sizes"), self)
        self._judged_by.setBuddy(self.against)
        self._slower_than.setBuddy(self.limit)
        self._called_with.setBuddy(self.sizes)
        for widget in (self._judged_by, self.against, self._slower_than, self._called_with):
            row.addWidget(widget)
        row.addWidget(self.sizes, 1)
        row.addWidget(self.limit, 1)
        row.addWidget(self.anyway)
        row.addWidget(self.expression, 2)
        row.addStretch(1)
        first = row_of(self.question, self.start, self.again, Room(), self.hand_over, self.show_it)
        return column_of(first, row, spacing=4)

    def _found_page(self) -> QWidget:
        return as_widget(column_of(self.answer, (self.steps, 1), margins=0), self)

    def sizeHint(self) -> QSize:
        return QSize(760, 300)

    # -- showing -----------------------------------------------------------------------------------------------

    def fill(self) -> None:
        """Show the search as far as it is."""
        causes, asked = self._session.causes, self.asked
        for widget in (self._slower_than, self.limit, self.anyway):
            widget.setVisible(asked == SLOW)
        for judged in (self._judged_by, self.against):
            judged.setVisible(asked == WRONG)
        for sized in (self._called_with, self.sizes):
            sized.setVisible(asked == RECOMPILES)
        wanted = _RIGHT_IS[self.against.currentIndex()][0] == EXPRESSION
        self.expression.setVisible(wanted and asked == WRONG)
        self.empty.show_text(tr(_NOTHING), tr(_EMPTY[asked]))
        if asked == SLOW:
            self._fill_speed()
            return
        if asked in COSTS:
            self._fill_costs()
            return
        if asked == FAILS:
            self._fill_failure()
            return
        self._stack.setCurrentIndex(int(bool(causes.steps) or causes.found is not None))
        found = causes.found
        self.answer.setVisible(found is not None)
        if found is not None:
            self.answer.show_answer(found)
        self.show_it.setVisible(found is not None and bool(found.stage))
        self.steps.set_rows([_row(step, _WORDS) for step in causes.steps])
        if causes.searching and causes.steps:
            self.steps.tree.scrollToBottom()
        self._follow()

    def _fill_failure(self) -> None:
        found = self._session.causes.failures.found
        self._stack.setCurrentIndex(int(found is not None))
        if found is not None:
            self.answer.show()
            self.answer.show_failure(found)
            self.steps.set_rows([_row(step, _RUNS) for step in found.steps])
        self.show_it.hide()
        self._follow()

    @property
    def asked(self) -> str:
        """`WRONG`, `FAILS`, `SLOW`, or one of `COSTS`."""
        return _QUESTIONS[self.question.currentIndex()][0]

    def _take_question(self) -> None:
        names = [name for name, _ in _QUESTIONS]
        self.question.setCurrentIndex(names.index(self._session.causes.question))

    def _fill_speed(self) -> None:
        speed = self._session.causes.speed
        shown = bool(speed.trials) or speed.found is not None
        self._stack.setCurrentIndex(2 if shown else 0)
        if shown:
            self.speed.fill(speed.found, speed.trials)
        self.show_it.setVisible(speed.found is not None and any(row.stage for row in speed.found.helped))
        self._follow()

    def _fill_costs(self) -> None:
        costs = self._session.causes.costs
        shown = costs.what == self.asked and (bool(costs.trials) or costs.found is not None)
        self._stack.setCurrentIndex(3 if shown else 0)
        if shown:
            self.costs.fill(costs.what, costs.found, costs.trials)
        self.show_it.hide()
        self._follow()

    def _follow(self) -> None:
        """What can be clicked now."""
        causes, session = self._session.causes, self._session
        searching = causes.any_searching
        goes_on = self.asked == WRONG and not searching and causes.can_go_on(*self._judged())
        self.start.setText(
            tr("Stop")
            if searching
            else tr("Go on")
            if goes_on
            else tr("Find out")
            if self.asked in COSTS
            else tr("Find the cause")
        )
        self.start.setToolTip(tr(_GO_ON) if goes_on else tr(_START))
        why_not = session.why_not_run if self.asked != FAILS else ""
        ready = not why_not and not session.busy and not session.has_uncompiled_edits
        if self.asked == FAILS:
            ready = causes.failures.spec is not None and not session.busy
        if why_not and not searching:
            self.start.setToolTip(why_not)
        wanted = not self.expression.isVisibleTo(self) or bool(self.expression.text().strip())
        if self.asked == SLOW:
            wanted = nanoseconds_from(self.limit.text()) is not None
        if self.asked == RECOMPILES:
            wanted = self._sizes() is not False
        self.start.setEnabled(searching or (ready and wanted))
        self.again.setVisible(goes_on)
        self.again.setEnabled(ready and wanted)
        self.hand_over.show_state(causes.failures.found if self.asked == FAILS else None)
        if self.asked not in (WRONG, FAILS):
            self.hand_over.hide()
        for widget in (self.against, self.expression, self.question, self.limit, self.anyway, self.sizes):
            widget.setEnabled(not searching)

    def _sizes(self) -> DimensionTrial | Literal[False] | None:
        """What is written; False where it is no series of sizes."""
        try:
            return parse_sizes(self.sizes.text())
        except ValueError:
            return False

    # -- asking ------------------------------------------------------------------------------------------------

    def _toggle(self) -> None:
        causes, asked = self._session.causes, self.asked
        if causes.any_searching:
            self._session.cancel()
        elif not self.start.isEnabled():
            return
        elif asked == FAILS:
            causes.failures.search()
        elif asked == SLOW:
            causes.speed.search(nanoseconds_from(self.limit.text()) or 0, self.anyway.isChecked())
        elif asked in COSTS:
            causes.costs.search(asked, (self._sizes() or None) if asked == RECOMPILES else None)
        else:
            causes.search(*self._judged())

    def _begin_again(self) -> None:
        self._session.causes.search(*self._judged(), fresh=True)

    def _judged(self) -> tuple[str, str]:
        """What results are judged by, and the expression."""
        against = _RIGHT_IS[self.against.currentIndex()][0]
        return against, self.expression.text().strip() if against == EXPRESSION else ""

    def _show(self) -> None:
        if self.asked == SLOW:
            self._show_helped()
            return
        found = self._session.causes.found
        if found is not None and found.stage:
            self._session.show_stage(found.stage)
            where = self._place(found)
            if where:
                self._session.selection.select(where)

    def _show_helped(self) -> None:
        """The stage of what helps most, and its nodes."""
        found = self._session.causes.speed.found
        trial = next((row for row in found.helped if row.stage), None) if found is not None else None
        if trial is not None:
            self._session.show_stage(trial.stage)
            if trial.nodes:
                self._session.selection.select(place(trial.stage, *trial.nodes))

    def _show_line(self, path: str, line: int) -> None:
        """In Source, with all that was made from it."""
        select_line(self._session, SourceLine(path, line), self)

    def _place(self, found: CauseFound) -> Place:
        """The nodes that were found: of the stage at fault, or of the graph that its kernels were made from."""
        capture = self._session.capture
        post_grad = f"{found.graph}:{found.part}:post_grad"
        stages = capture.stages if capture is not None else ()
        for name in (found.stage, post_grad):
            stage = next((row for row in stages if row.id == name), None)
            known = (
                {node.id for node in stage.graph.nodes}
                if stage is not None and stage.graph is not None
                else set()
            )
            if nodes := tuple(node for node in found.nodes if node in known):
                return place(name, *nodes)
        return NOWHERE


def _row(step: CauseStep, words: Mapping[bool | None, str]) -> Row:
    what = visible_line(step.what)
    off = f"{step.off:.1e}" if step.off is not None else ""
    cells = Cell(what, tooltip=what), Cell(tr(words[step.wrong]), color=_SHADES[step.wrong]), Cell(off)
    return Row(step.what, cells)
