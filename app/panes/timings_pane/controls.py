"""How to time: start, pause, clear, and the settings of a run."""

from PySide6.QtCore import Signal
from PySide6.QtWidgets import (
    QCheckBox,
    QLabel,
    QPushButton,
    QSizePolicy,
    QSpinBox,
    QToolButton,
    QWidget,
)

from app.translation.texts import tr
from app.widgets.layouts.boxes import set_row
from app.widgets.layouts.flow_layout import FlowLayout
from compiler.model.timing.timings import TimingSettings


class TimingControls(QWidget):
    """Settings are those of the next start; folded away until asked for, since what was timed wants the room."""

    start_clicked = Signal(object)
    """TimingSettings."""
    pause_clicked = Signal()
    clear_clicked = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        defaults = TimingSettings()
        self.start = QPushButton(tr("Start"), self)
        self.clear = QPushButton(tr("Clear"), self)
        for button in (self.start, self.clear):
            button.setMinimumWidth(button.fontMetrics().horizontalAdvance("Pause") + 28)
        self.clear.setToolTip(tr("Forget the samples, and the times before the last recompile"))
        self.warm_up = self._number(
            0, 10_000, defaults.warm_up, tr("Iterations that are run first and not counted")
        )
        self.threads = self._number(
            0,
            512,
            defaults.threads,
            tr(
                "Threads torch may use; 0 leaves it as it is. Inductor generates code for their number, so another one "
                "compiles the program again"
            ),
        )
        self.threads.setSpecialValueText(tr("as is"))
        self.iterations = self._number(
            0, 10_000_000, defaults.iterations, tr("Stop after so many; 0 goes on until paused")
        )
        self.iterations.setSpecialValueText("∞")
        self.eager_every = self._number(
            0,
            10_000,
            defaults.eager_every,
            tr("Run the eager program once every so many iterations as the baseline"),
        )
        self.eager_every.setSpecialValueText(tr("never"))
        self.backward = QCheckBox(tr("Backward"), self)
        self.backward.setToolTip(tr("Time the backward pass as well, where the program has one"))
        self.backward.setChecked(defaults.backward)
        self._running = False
        self._settings = [self.warm_up, self.iterations, self.threads, self.eager_every, self.backward]
        self.more = QToolButton(self)
        self.more.setText(tr("Settings"))
        self.more.setToolTip(
            tr("Warm-up, iterations, threads, how often eager runs, and whether backward is timed")
        )
        self.more.setCheckable(True)
        lines = FlowLayout(self)
        lines.addWidget(self._group(("", self.start), ("", self.clear), ("", self.more)))
        groups = (
            self._group((tr("Warm-up"), self.warm_up), (tr("Iterations"), self.iterations)),
            self._group((tr("Threads"), self.threads), (tr("Eager every"), self.eager_every)),
            self._group(("", self.backward)),
        )
        for group in groups:
            lines.addWidget(group)
            group.setVisible(False)
            self.more.toggled.connect(group.setVisible)
        policy = QSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)
        self.start.clicked.connect(self._start_or_pause)
        self.clear.clicked.connect(self.clear_clicked)
        self.show_running(False, False)

    def _group(self, *fields: tuple[str, QWidget]) -> QWidget:
        """What stays together where the room ends."""
        group = QWidget(self)
        row = set_row(group, margins=0, spacing=4)
        for text, field in fields:
            if text:
                label = QLabel(text, group)
                label.setBuddy(field)
                row.addWidget(label)
            row.addWidget(field)
        return group

    def _number(self, low: int, high: int, value: int, tooltip: str) -> QSpinBox:
        field = QSpinBox(self)
        field.setAccessibleName(tooltip.partition(". ")[0])
        field.setRange(low, high)
        field.setValue(value)
        field.setToolTip(tooltip)
        field.setGroupSeparatorShown(True)
        return field

    def settings(self) -> TimingSettings:
        """What is set."""
        return TimingSettings(
            self.iterations.value(),
            self.warm_up.value(),
            self.threads.value(),
            self.backward.isChecked(),
            self.eager_every.value(),
        )

    def show_running(
        self, running: bool, can_start: bool, why_not: str = "", has_times: bool = False
    ) -> None:
        """Whether a run is going on; settings cannot be changed meanwhile. `has_times`: there is something to forget."""
        self.clear.setEnabled(has_times)
        self._running = running
        self.start.setToolTip(why_not if not (running or can_start) else "")
        self.start.setText(tr("Pause") if running else tr("Start"))
        self.start.setEnabled(running or can_start)
        for widget in self._settings:
            widget.setEnabled(not running)

    def _start_or_pause(self) -> None:
        if self._running:
            self.pause_clicked.emit()
        else:
            self.start_clicked.emit(self.settings())
