"""When torch compiles again as a size changes: calls of the program under every stance, as a table."""

from PySide6.QtCore import Qt
from PySide6.QtGui import QBrush, QColor
from PySide6.QtWidgets import (
    QHBoxLayout,
    QHeaderView,
    QLabel,
    QLineEdit,
    QPushButton,
    QTreeWidget,
    QTreeWidgetItem,
    QVBoxLayout,
    QWidget,
)

from app.session.engine_requests.compile_choices import CompileChoices
from app.theme import current
from app.translation.texts import tr
from app.widgets.bar_delegate import RoomyDelegate
from compiler.model.experiments.dynamic_shape_trial import (
    COMPILED,
    EAGER,
    FAILED,
    StancesMeasured,
    format_call,
    parse_sizes,
)


class SizesPage(QWidget):
    """Each row begins with nothing compiled."""

    def __init__(self, choices: CompileChoices, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._choices = choices
        self._shown: StancesMeasured | None = None
        self._fault = ""
        self.field = QLineEdit(self)
        self.field.setAccessibleName(tr("Sizes to call with"))
        self.field.setPlaceholderText(tr("x:0=3,4,5; empty: first dimension of the first tensor"))
        self.measure = QPushButton(tr("Measure"), self)
        self.measure.setToolTip(
            tr("Call the program with one size after another, forward only, under every stance")
        )
        self.cancel = QPushButton(tr("Cancel"), self)
        self.state = QLabel("", self)
        self.state.setWordWrap(True)
        self.state.setTextFormat(Qt.TextFormat.PlainText)
        self.table = QTreeWidget(self)
        self.table.setAccessibleName(tr("What each call did"))
        self.table.setRootIsDecorated(False)
        self.table.setUniformRowHeights(True)
        self.table.setFrameShape(QTreeWidget.Shape.NoFrame)
        self.table.setItemDelegate(RoomyDelegate(self.table))
        self.table.header().setStretchLastSection(False)
        self.table.header().setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        row = QHBoxLayout()
        for widget, stretch in ((self.field, 1), (self.measure, 0), (self.cancel, 0)):
            row.addWidget(widget, stretch)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 4, 0, 0)
        column.setSpacing(3)
        column.addLayout(row)
        column.addWidget(self.state)
        column.addWidget(self.table, 1)
        self.measure.clicked.connect(self._ask)
        self.field.returnPressed.connect(self._ask)
        self.cancel.clicked.connect(choices.cancel)
        choices.changed.connect(self.fill)
        current.signals().changed.connect(self._refill)
        self.fill()

    def fill(self) -> None:
        """Show what is known."""
        choices = self._choices
        running = choices.running == "sizes"
        self.measure.setVisible(not running)
        self.measure.setEnabled(not choices.running)
        self.cancel.setVisible(running)
        text = self._fault or tr(
            "compiled: torch compiled for this call; reused: compiled code ran; eager: none did."
        )
        if running:
            text = choices.doing or tr("Starting an engine for trials…")
        elif choices.stances is not None:
            text = " ".join((text, *choices.stances.notes))
        self.state.setText(text)
        if self._shown is not choices.stances:
            self._shown = choices.stances
            self._refill()

    def _refill(self) -> None:
        self.table.clear()
        measured = self._shown
        if measured is None:
            self.table.setColumnCount(1)
            self.table.setHeaderLabels([""])
            return
        asked = measured.dimension
        sizes = [f"{asked.argument}.shape[{asked.dimension}]={size}" for size in asked.sizes]
        headings = ["", *sizes, tr("Compiles")]
        self.table.setColumnCount(len(headings))
        self.table.setHeaderLabels(headings)
        colors = current.colors()
        tints = {COMPILED: colors.warning, EAGER: colors.dim_text, FAILED: colors.error}
        for row in measured.rows:
            item = QTreeWidgetItem(self.table, [row.way, *map(format_call, row.calls), str(row.compiles)])
            for column, call in enumerate(row.calls, 1):
                if call.happened in tints:
                    item.setForeground(column, QBrush(QColor(tints[call.happened])))
                if call.differs:
                    item.setForeground(column, QBrush(QColor(colors.error)))
                if call.problem or call.differs:
                    item.setToolTip(column, call.problem or call.differs)

    def _ask(self) -> None:
        try:
            dimension = parse_sizes(self.field.text())
        except ValueError as error:
            self._fault = f"{error}."
            self.fill()
            return
        self._fault = ""
        self._choices.measure_sizes(dimension)
