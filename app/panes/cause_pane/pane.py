"""What makes the results of compiled code wrong, looked for from here; every trial is told as it is made."""

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QBrush, QColor
from PySide6.QtWidgets import (
    QComboBox,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QPushButton,
    QStackedLayout,
    QTreeWidgetItem,
    QVBoxLayout,
    QWidget,
)

from app.panes.cause_pane.answer_card import AnswerCard
from app.panes.cause_pane.hand_over import HandOver
from app.session.facade.session import Session
from app.theme import current
from app.widgets.empty_state import EmptyState
from app.widgets.filter_tree import FilterTree
from compiler.analysis.text_format.visible_text import visible_line
from compiler.model.experiments.causes import EAGER, EXPRESSION, FLOAT64, CauseFound, CauseStep
from compiler.model.ir.ids import NOWHERE, Place, place

_WHAT, _ANSWER, _OFF = range(3)
_RIGHT_IS = (
    (FLOAT64, "float64"),
    (EAGER, "eager"),
    (EXPRESSION, "an expression"),
)
_WORDS = {True: "✗ wrong", False: "✓ right", None: "– not run"}


class CausePane(QWidget):
    """Follows the search; what was found is shown in the other panes with *Show*."""

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("cause_pane")
        self._session = session
        self.start = QPushButton("Find the cause", self)
        self.start.setToolTip(
            "Run the program with parts of the pipeline taken out, one after the other, until what makes it wrong is known"
        )
        self.against = QComboBox(self)
        self.against.setAccessibleName("What results are judged by")
        self.against.setToolTip(
            "float64: right is as near to it as eager is. eager: right is what eager gives, within rounding. "
            "An expression: right is what you say"
        )
        for _, words in _RIGHT_IS:
            self.against.addItem(words)
        self.expression = QLineEdit(self)
        self.expression.setAccessibleName("Expression that is true where the results are right")
        self.expression.setPlaceholderText("outputs[0].isfinite().all()")
        self.expression.setToolTip(
            "Python over outputs, grads, results (by name) and torch; it runs in the worker"
        )
        self.show_it = QPushButton("Show", self)
        self.show_it.setToolTip("Go to the stage at fault and select what is wrong in it")
        self.hand_over = HandOver(session, self)
        self.answer = AnswerCard(self)
        self.steps = FilterTree(("What ran instead", "Results", "Off by"), "Filter trials", self)
        self.steps.field.hide()
        self.steps.tree.setRootIsDecorated(False)
        self.steps.stretch_column(_WHAT)
        self.empty = EmptyState(
            "Nothing looked for yet",
            "Where compiled results are wrong, this finds what makes them so: the stage, the pass, the fusion, the kernel, "
            "the line. It takes about as long as several compiles, and leaves the program as it was.",
            self,
        )
        self._stack = QStackedLayout()
        self._stack.addWidget(self.empty)
        self._stack.addWidget(self._found_page())
        column = QVBoxLayout(self)
        column.setContentsMargins(4, 4, 4, 0)
        column.addLayout(self._question())
        column.addLayout(self._stack, 1)
        self.start.clicked.connect(self._toggle)
        self.show_it.clicked.connect(self._show)
        self.against.currentIndexChanged.connect(self.fill)
        self.expression.textChanged.connect(self.fill)
        self.expression.returnPressed.connect(self._toggle)
        session.causes.changed.connect(self.fill)
        for signal in (session.status_changed, session.capture_changed, session.edits_changed):
            signal.connect(self._follow)
        current.signals().changed.connect(self.fill)
        self.fill()

    def _question(self) -> QHBoxLayout:
        row = QHBoxLayout()
        label = QLabel("Judged by", self)
        label.setBuddy(self.against)
        for widget in (self.start, label, self.against):
            row.addWidget(widget)
        row.addWidget(self.expression, 2)
        row.addStretch(1)
        row.addWidget(self.hand_over)
        row.addWidget(self.show_it)
        return row

    def _found_page(self) -> QWidget:
        page = QWidget(self)
        column = QVBoxLayout(page)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self.answer)
        column.addWidget(self.steps, 1)
        return page

    def sizeHint(self) -> QSize:
        return QSize(760, 300)

    # -- showing -----------------------------------------------------------------------------------------------

    def fill(self) -> None:
        """Show the search as far as it is."""
        causes = self._session.causes
        self.expression.setVisible(_RIGHT_IS[self.against.currentIndex()][0] == EXPRESSION)
        self._stack.setCurrentIndex(int(bool(causes.steps) or causes.found is not None))
        found = causes.found
        self.answer.setVisible(found is not None)
        if found is not None:
            self.answer.show_answer(found)
        self.show_it.setVisible(found is not None and bool(found.stage))
        tree = self.steps.tree
        if tree.topLevelItemCount() > len(causes.steps):
            tree.clear()
        for step in causes.steps[tree.topLevelItemCount() :]:
            tree.addTopLevelItem(_row(step))
        self._paint_rows()
        if causes.searching and tree.topLevelItemCount():
            tree.scrollToBottom()
        self._follow()

    def _paint_rows(self) -> None:
        colors = current.colors()
        shades = {True: colors.error, False: colors.good, None: colors.dim_text}
        for index, step in enumerate(self._session.causes.steps):
            if (row := self.steps.tree.topLevelItem(index)) is not None:
                row.setForeground(_ANSWER, QBrush(QColor(shades[step.wrong])))

    def _follow(self) -> None:
        """What can be clicked now."""
        causes, session = self._session.causes, self._session
        self.start.setText("Stop" if causes.searching else "Find the cause")
        ready = session.capture is not None and not session.busy and not session.has_uncompiled_edits
        wanted = not self.expression.isVisibleTo(self) or bool(self.expression.text().strip())
        self.start.setEnabled(causes.searching or (ready and wanted))
        self.hand_over.show_state()
        for widget in (self.against, self.expression):
            widget.setEnabled(not causes.searching)

    # -- asking ------------------------------------------------------------------------------------------------

    def _toggle(self) -> None:
        if self._session.causes.searching:
            self._session.cancel()
        elif self.start.isEnabled():
            against = _RIGHT_IS[self.against.currentIndex()][0]
            said = self.expression.text().strip() if against == EXPRESSION else ""
            self._session.causes.search(against, said)

    def _show(self) -> None:
        found = self._session.causes.found
        if found is not None and found.stage:
            self._session.show_stage(found.stage)
            where = self._place(found)
            if where:
                self._session.selection.select(where)

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


def _row(step: CauseStep) -> QTreeWidgetItem:
    off = f"{step.off:.1e}" if step.off is not None else ""
    row = QTreeWidgetItem([visible_line(step.what), _WORDS[step.wrong], off])
    row.setToolTip(_WHAT, visible_line(step.what))
    row.setTextAlignment(_OFF, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
    return row
