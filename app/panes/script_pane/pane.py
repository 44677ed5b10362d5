"""The IR on the left, what came of running it on the right."""

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import (
    QComboBox,
    QFileDialog,
    QPlainTextEdit,
    QPushButton,
    QWidget,
)

from app.panes.script_pane.outcome import outcome_text
from app.session.engine_requests.torchscript_requests import SCRIPT, TRACE
from app.session.facade.session import Session
from app.theme import current, fonts
from app.translation.texts import tr, tr_noop
from app.widgets.code_editor import CodeEditor
from app.widgets.gutter_marks import GutterMark
from app.widgets.labels.wrapped_label import WrappedLabel
from app.widgets.layouts.boxes import set_column, split_of
from app.widgets.layouts.flow_layout import FlowLayout
from compiler.analysis.text_format.visible_text import visible

_EMPTY = tr_noop(
    "Run compiles the open program with TorchScript and shows its IR here: a text with weights as inputs. "
    "Change it and run it again."
)


class ScriptPane(QWidget):
    """Follows `session.scripts`."""

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("script_pane")
        self._session = session
        self._runs = session.scripts
        self._own = ""
        self.way = QComboBox(self)
        self.way.addItem("torch.jit.script", SCRIPT)
        self.way.addItem("torch.jit.trace", TRACE)
        self.way.setAccessibleName(tr("How the program becomes TorchScript"))
        self.run = QPushButton(tr("Run"), self)
        self.run.setToolTip(tr("Run this IR in place of the program, on the example inputs (Ctrl+Return)"))
        QShortcut(
            QKeySequence("Ctrl+Return"),
            self,
            self._run,
            context=Qt.ShortcutContext.WidgetWithChildrenShortcut,
        )
        self.reset = QPushButton(tr("Program's own"), self)
        self.reset.setToolTip(tr("Put back the IR that TorchScript made of the program"))
        self.cpp = QPushButton(tr("Run in C++"), self)
        self.cpp.setToolTip(
            tr(
                "Save the program, and load and run it with a C++ program, its results beside Python's. That program is "
                "built once for this torch, which takes a minute or two."
            )
        )
        self.save = QPushButton(tr("Save .pt…"), self)
        self.save.setToolTip(
            tr("Write the program, not a changed text, for torch.jit.load and C++; and .ptl for mobile")
        )
        self.state = WrappedLabel("", self)
        self.state.setContentsMargins(6, 0, 6, 2)
        self.editor = CodeEditor(self)
        self.editor.setAccessibleName("TorchScript IR")
        self.editor.set_editable(True)
        self.editor.setPlaceholderText(tr(_EMPTY))
        self.outcome = QPlainTextEdit(self)
        self.outcome.setAccessibleName(tr("What came of running it"))
        self.outcome.setReadOnly(True)
        self.outcome.setFont(fonts.monospace())
        self.outcome.setPlaceholderText(
            tr("What came of running it: results beside the program's, and C++'s.")
        )
        bar = FlowLayout()
        bar.setContentsMargins(6, 4, 6, 2)
        for widget in (self.way, self.run, self.reset, self.cpp, self.save):
            bar.addWidget(widget)
        self._split = split_of(self.editor, self.outcome, parent=self, sizes=(700, 400))
        set_column(self, bar, self.state, (self._split, 1), margins=0, spacing=0)
        self.run.clicked.connect(self._run)
        self.reset.clicked.connect(self._reset)
        self.cpp.clicked.connect(lambda: self._runs.run(self._way(), None, in_cpp=True))
        self.save.clicked.connect(self._save)
        self.way.activated.connect(lambda _index: self._forget())
        self._runs.changed.connect(self.fill)
        session.capture_changed.connect(self._capture_changed)
        current.signals().changed.connect(self.fill)
        self._capture_changed()

    def fill(self) -> None:
        """Show what is known."""
        runs = self._runs
        answer = runs.answer if runs.is_of_what_is_open else None
        for button in (self.run, self.cpp, self.save, self.way):
            button.setEnabled(runs.possible)
        if answer is not None and not self.editor.toPlainText().strip():
            self.editor.set_code(answer.text, "torchscript")
            self.editor.set_editable(True)
            self._own = answer.text
        self.reset.setEnabled(bool(self._own) and not runs.running)
        problem = runs.problem or (answer.problem if answer is not None else None)
        marks = []
        if runs.problem is None and problem is not None and problem.line is not None:
            marks = [GutterMark(problem.line, "stop", current.colors().error, problem.what)]
            if not runs.running:
                self.editor.go_to_line(problem.line)
        self.editor.set_marks(marks)
        if runs.running:
            words = tr("Running…")
        elif runs.problem is not None:
            words = runs.problem.message()
        else:
            words = answer.summary if answer is not None else ""
        color = current.colors().error if problem is not None and not runs.running else current.colors().text
        self.state.setStyleSheet(f"color: {color}")
        self.state.setText(words)
        self.state.setVisible(bool(words))
        self.outcome.setPlainText(visible(outcome_text(answer)) if answer is not None else "")

    def sizeHint(self) -> QSize:
        return QSize(900, 320)

    def _run(self) -> None:
        if not self._runs.possible:
            return
        text = self.editor.toPlainText()
        self._runs.run(self._way(), text if text.strip() else None)

    def _reset(self) -> None:
        self.editor.set_code(self._own, "torchscript")
        self.editor.set_editable(True)
        self.editor.set_marks([])

    def _save(self) -> None:
        path, _ = QFileDialog.getSaveFileName(
            self, tr("Save the program"), "program.pt", tr("TorchScript (*.pt)")
        )
        if path:
            self._runs.run(self._way(), None, save=path)

    def _way(self) -> str:
        way: str = self.way.currentData()
        return way

    def _forget(self) -> None:
        """The text is of the other way: ask for the program's own with the next run."""
        if self.editor.toPlainText() == self._own:
            self.editor.set_code("", "torchscript")
            self.editor.set_editable(True)
            self._own = ""

    def _capture_changed(self) -> None:
        if not self._runs.is_of_what_is_open:
            self.editor.set_code("", "torchscript")
            self.editor.set_editable(True)
            self._own = ""
            self.way.setCurrentIndex(self.way.findData(self._runs.way))
        self.fill()
