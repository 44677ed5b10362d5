"""Lessons: programs in steps, run for real; each step with its code, what it printed, registered and called."""

from PySide6.QtWidgets import (
    QComboBox,
    QListWidget,
    QListWidgetItem,
    QPushButton,
    QWidget,
)

from app.panes.dispatcher_pane.call_tree import CallTree
from app.session.engine_requests.operator_requests import OperatorQuestions
from app.translation.texts import tr
from app.widgets.code_editor import CodeEditor
from app.widgets.labels.elided_label import ElidedLabel
from app.widgets.labels.link_label import LinkLabel, RichText
from app.widgets.layouts.boxes import Room, as_widget, column_of, row_of, scroll_of, set_column, split_of
from compiler.model.operators.lessons import LESSONS, Lesson, LessonRun, LessonStep


class LessonPage(QWidget):
    """Running a lesson takes a process of its own, since it registers operators and devices for good."""

    def __init__(self, questions: OperatorQuestions, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._questions = questions
        self._run: LessonRun | None = None
        self._shown = ""
        self._filling = False
        self.choice = QComboBox(self)
        self.choice.setAccessibleName(tr("Lesson"))
        for lesson in LESSONS:
            self.choice.addItem(lesson.title, lesson.name)
        self.button = QPushButton(tr("Run it"), self)
        self.reset = QPushButton(tr("Reset"), self)
        self.reset.setToolTip(tr("Take the lesson as it comes with Torch Loupe"))
        self._changed: dict[str, str] = {}
        self.about = ElidedLabel("", self)
        self.steps = QListWidget(self)
        self.steps.setAccessibleName(tr("Steps of the lesson"))
        self.steps.setWordWrap(True)
        self.code = CodeEditor(self)
        self.outcome = LinkLabel(self, margin=6)
        self.calls = CallTree(self)
        holder = as_widget(column_of(self.outcome, Room(), margins=0), self)
        scrolled = scroll_of(holder, tr("What the step did"), self, sideways=False)
        self._below = split_of(self.code, scrolled, self.calls, parent=self, vertical=True)
        split = split_of(self.steps, self._below, parent=self, sizes=(260, 640))
        above = row_of(self.choice, self.button, self.reset, (self.about, 1))
        set_column(self, above, (split, 1), margins=(4, 4, 4, 0))
        self.choice.currentIndexChanged.connect(self.fill)
        self.button.clicked.connect(self._run_it)
        self.reset.clicked.connect(self._take_back)
        self.code.textChanged.connect(self._note_change)
        self.steps.currentRowChanged.connect(self._show_step)
        questions.changed.connect(self.fill)
        self.fill()

    def fill(self) -> None:
        """Show the lesson that is chosen, as it ran or before it did."""
        busy = "lesson" in self._questions.asking
        self.button.setEnabled(not busy)
        self.button.setText(tr("Running") if busy else tr("Run it"))
        self.about.setText(self._lesson.text)
        self.reset.setEnabled(self._lesson.name in self._changed)
        run = self._questions.lesson(self._lesson.name)
        if self._shown == self._lesson.name and run is self._run:
            return
        self._shown, self._run = self._lesson.name, run
        self.steps.clear()
        self.steps.addItem(QListWidgetItem(tr("The whole lesson, to be changed and run")))
        for number, step in enumerate(run.steps if run is not None else (), 1):
            self.steps.addItem(QListWidgetItem(f"{number}  {step.title}"))
        self.steps.setCurrentRow(0 if run is None else 1)

    @property
    def _lesson(self) -> Lesson:
        return LESSONS[self.choice.currentIndex()]

    def _run_it(self) -> None:
        self._questions.run_lesson(self._lesson.name, self._changed.get(self._lesson.name, ""))

    def _take_back(self) -> None:
        self._changed.pop(self._lesson.name, None)
        self.reset.setEnabled(False)
        self.steps.setCurrentRow(0)
        self._show_whole()

    def _note_change(self) -> None:
        """Somebody typed: that is what runs next."""
        if self.steps.currentRow() == 0 and not self.code.isReadOnly() and not self._filling:
            self._changed[self._lesson.name] = self.code.toPlainText()
            self.reset.setEnabled(True)

    def _show_whole(self) -> None:
        self._filling = True
        own = self._changed.get(self._lesson.name)
        self.code.set_code(own or self._lesson.path.read_text(encoding="utf-8"), "python")
        self.code.set_editable(True)
        self._filling = False
        self.outcome.set_content(
            RichText().text(tr("Run it to see what each step does. Change it here and run that."), "dim")
        )
        self.calls.hide()
        self._below.setSizes([400, 60, 0])

    def _show_step(self, row: int) -> None:
        if row == 0:
            self._show_whole()
        if self._run is None or not 0 < row <= len(self._run.steps):
            return
        step = self._run.steps[row - 1]
        self._filling = True
        self.code.set_editable(False)
        self.code.set_code(step.code, "python")
        self._filling = False
        self.outcome.set_content(_outcome(step))
        self.calls.setVisible(bool(step.calls))
        self.calls.show_calls(step.calls, unfolded=True)
        self._below.setSizes([200, 60, 340] if step.calls else [260, 200, 0])


def _outcome(step: LessonStep) -> RichText:
    text = RichText()
    if step.printed:
        text.text(tr("Printed"), "bold").code(step.printed)
    for change in step.changes:
        text.text(tr("Registered for "), "bold").text(change.name, "mono").line()
        for entry in change.added:
            text.text(f"    {entry.key}", "good").text(f"  {entry.place}", "dim").line()
    if step.problem is not None:
        text.text(step.problem.message(), "error")
    if not text.plain:
        text.text(tr("Nothing was printed or registered."), "dim")
    return text
