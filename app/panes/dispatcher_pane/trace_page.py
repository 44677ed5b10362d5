"""One step of the open program, every kernel that it calls."""

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QPushButton, QWidget

from app.panes.dispatcher_pane.call_tree import CallTree
from app.session.facade.session import Session
from app.translation.texts import tr
from app.widgets.buttons.allowed import allow
from app.widgets.empty_state import EmptyState
from app.widgets.labels.elided_label import ElidedLabel
from app.widgets.layouts.boxes import row_of, set_column
from compiler.model.operators.dispatching import DispatchTrace


class TracePage(QWidget):
    """Traces when asked to; the program runs once more for that, in a process of its own."""

    operator_wanted = Signal(str)

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self._shown: DispatchTrace | None = None
        self.button = QPushButton(tr("Trace a step"), self)
        self.button.setToolTip(
            tr("Runs the program in a process of its own with a shim around every kernel it uses")
        )
        self.summary = ElidedLabel("", self)
        self.tree = CallTree(self)
        self.empty = EmptyState(
            tr("No step traced yet"),
            tr(
                "Each call goes down the keys of its tensors: autocast, autograd, views, the device. A trace shows "
                "which kernel took it at each, and what those called."
            ),
            self,
        )
        above = row_of(self.button, (self.summary, 1))
        set_column(self, above, (self.tree, 1), (self.empty, 1), margins=(4, 4, 4, 0))
        self.button.clicked.connect(session.operators.trace_program)
        self.tree.operator_wanted.connect(self.operator_wanted)
        session.operators.changed.connect(self.fill)
        session.capture_changed.connect(self.fill)
        self.fill()

    def fill(self) -> None:
        """Show the trace of the session's program."""
        questions = self._session.operators
        busy = "trace" in questions.asking
        allow(self.button, self._session.why_not_run, not busy)
        self.summary.setText(
            tr("Tracing") if busy else summary_of(questions.trace) if questions.trace else ""
        )
        self.tree.setVisible(questions.trace is not None)
        self.empty.setVisible(questions.trace is None)
        if questions.trace is not self._shown:
            self._shown = questions.trace
            self.tree.show_calls(self._shown.calls if self._shown is not None else ())


def summary_of(trace: DispatchTrace) -> str:
    """How much was called, and whether the shims changed anything."""
    if trace.different:
        verdict = tr("results differ from an untraced step: {names}").format(names=", ".join(trace.different))
    else:
        verdict = tr("all {compared} results are those of an untraced step, bit by bit").format(
            compared=trace.compared - len(trace.unsteady)
        )
    if trace.unsteady:
        names = ", ".join(trace.unsteady)
        verdict += tr("; not the same in each untraced step: {names}").format(names=names)
    return tr("{count:,} kernels called, of {operators} operators; {verdict}").format(
        count=len(trace.calls), operators=trace.operators, verdict=verdict
    )
