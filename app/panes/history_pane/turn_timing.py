"""Two states timed interleaved: a button, and which of them is faster or that this cannot be told."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QPushButton, QWidget

from app.session.facade.session import Session
from app.translation.compiler_texts import translate
from app.translation.texts import tr
from app.widgets.labels.wrapped_label import WrappedLabel
from app.widgets.layouts.boxes import set_row
from compiler.analysis.edits.history_tree import StateId
from compiler.analysis.text_format.times import summary_text
from compiler.model.timing.paired_ratio import format_ratio


class TurnTiming(QWidget):
    """Follows what was measured of the two states that it was given."""

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self._states: tuple[StateId, StateId] | None = None
        self.button = QPushButton(tr("Time both interleaved"), self)
        self.button.setToolTip(
            tr(
                "Run both states and the eager program one after the other for three seconds, so that a noisy moment hits all "
                "alike; what is not compiled yet is compiled first"
            )
        )
        self.words = WrappedLabel("", self)
        set_row(self, (self.button, 0, Qt.AlignmentFlag.AlignTop), (self.words, 1), margins=0)
        self.button.clicked.connect(self._ask)
        session.measured.changed.connect(self.fill)

    def show_states(self, first: StateId, second: StateId) -> None:
        """These two are compared."""
        self._states = first, second
        self.fill()

    def fill(self) -> None:
        """Tell what is known of them."""
        asking = self._session.measured.asking == "states"
        self.button.setEnabled(not asking and self._states is not None)
        self.button.setText(tr("Timing…") if asking else tr("Time both interleaved"))
        known = {state.id for state in self._session.states.tree.states} | {""}
        if self._states is None or not set(self._states) <= known:
            self.words.clear()
            return
        times = self._session.measured.state_times(*self._states)
        if times is None:
            self.words.clear()
            return
        self.words.setText(
            tr("By turns: first {time}, second {time2}, eager {time3}; {ratio}.").format(
                time=summary_text(times.first),
                time2=summary_text(times.second),
                time3=summary_text(times.eager),
                ratio=format_ratio(times.ratio, tr("the first"), tr("the second"), translate),
            )
        )

    def _ask(self) -> None:
        if self._states is not None:
            self._session.measured.time_states(*self._states)
