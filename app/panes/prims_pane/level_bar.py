"""A slider over the levels of the open program; its stops are graphs."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QGridLayout, QLabel, QPushButton, QSlider, QWidget

from app.session.facade.session import Session
from app.translation.texts import tr
from compiler.model.capture.front_ends import DYNAMO
from compiler.model.front_end_comparison.prim_levels import FRONT_END, LEVELS, level_of, level_stage


class LevelBar(QWidget):
    """Where the program was not captured level by level, a button does that."""

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self.slider = QSlider(Qt.Orientation.Horizontal, self)
        self.slider.setAccessibleName(tr("Level of the graph"))
        self.slider.setRange(0, len(LEVELS) - 1)
        self.slider.setPageStep(1)
        self.slider.setTickPosition(QSlider.TickPosition.TicksBelow)
        self.slider.setTickInterval(1)
        self.button = QPushButton("", self)
        self.names: list[QLabel] = []
        grid = QGridLayout(self)
        grid.setContentsMargins(0, 0, 0, 0)
        span = 2 * len(LEVELS)
        grid.addWidget(self.button, 0, 0, 1, span + 1, Qt.AlignmentFlag.AlignLeft)
        # each name stands in the middle of two columns, under its stop; the slider leaves one column at either end
        grid.addWidget(self.slider, 1, 2, 1, span - 2)
        for index, (_, title, about) in enumerate(LEVELS):
            label = QLabel(title, self)
            label.setToolTip(about)
            label.setAlignment(Qt.AlignmentFlag.AlignHCenter)
            grid.addWidget(label, 2, 1 + 2 * index, 1, 2)
            self.names.append(label)
        for column in range(1, span + 1):
            grid.setColumnStretch(column, 1)
        self.slider.valueChanged.connect(self._slid)
        self.button.clicked.connect(self._capture)
        session.capture_changed.connect(self.fill)
        session.stage_changed.connect(self.fill)
        session.status_changed.connect(self.fill)
        self.fill()

    def fill(self) -> None:
        """Show the level of the stage in front, and how many operations each level has."""
        capture = self._session.capture
        levels = capture is not None and capture.spec.front_end == FRONT_END
        self.slider.setEnabled(levels)
        self.button.setText(tr("Compile it again") if levels else tr("Capture level by level"))
        why_not = self._session.why_not_run
        self.button.setToolTip(
            why_not
            or (
                tr("Capture with torch.compile")
                if levels
                else tr("Runs the program once more, with PrimTorch")
            )
        )
        self.button.setEnabled(not why_not and not self._session.working)
        for index, (_, title, _) in enumerate(LEVELS):
            graph = capture.stage(level_stage(index)).graph if levels and capture is not None else None
            calls = sum(node.op == "call_function" for node in graph.nodes) if graph is not None else 0
            self.names[index].setText(f"{title}: {calls}" if graph is not None else title)
            self.names[index].setEnabled(levels)
        stage = self._session.stage
        level = level_of(stage.id) if stage is not None else None
        if level is not None:
            self.slider.blockSignals(True)
            self.slider.setValue(level)
            self.slider.blockSignals(False)

    def _slid(self, level: int) -> None:
        self._session.show_stage(level_stage(level))

    def _capture(self) -> None:
        self._session.operators.capture_with(FRONT_END if not self.slider.isEnabled() else DYNAMO)
