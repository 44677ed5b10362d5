"""When torch compiles again as a size changes: calls of the program under every stance, as a table."""

from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QPushButton, QWidget

from app.session.engine_requests.compile_choices import CompileChoices
from app.translation.texts import tr, tr_noop
from app.widgets.buttons.allowed import allow
from app.widgets.labels.wrapped_label import WrappedLabel
from app.widgets.layouts.boxes import set_column
from app.widgets.tables.row_table import RowTable
from app.widgets.tables.rows import Cell, Column, Row
from compiler.model.experiments.dynamic_shape_trial import (
    COMPILED,
    EAGER,
    FAILED,
    StanceCall,
    StanceRow,
    StancesMeasured,
    format_call,
    parse_sizes,
)

_WAY = Column("")
_COMPILES = Column(tr_noop("Compiles"))
_TINTS = {COMPILED: "warning", EAGER: "dim_text", FAILED: "error"}


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
        self.state = WrappedLabel("", self)
        self.table = RowTable((_WAY,), parent=self)
        self.table.tree.setAccessibleName(tr("What each call did"))
        self.table.tree.setRootIsDecorated(False)
        row = QHBoxLayout()
        for widget, stretch in ((self.field, 1), (self.measure, 0), (self.cancel, 0)):
            row.addWidget(widget, stretch)
        set_column(self, row, self.state, (self.table, 1), margins=(0, 4, 0, 0), spacing=3)
        self.measure.clicked.connect(self._ask)
        self.field.returnPressed.connect(self._ask)
        self.cancel.clicked.connect(choices.cancel)
        choices.changed.connect(self.fill)
        self.fill()

    def fill(self) -> None:
        """Show what is known."""
        choices = self._choices
        running = choices.running == "sizes"
        self.measure.setVisible(not running)
        allow(self.measure, choices.why_not, not choices.running)
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
        measured = self._shown
        if measured is None:
            self.table.set_rows(())
            self.table.set_columns((_WAY,))
            return
        asked = measured.dimension
        sizes = [Column(f"{asked.argument}.shape[{asked.dimension}]={size}") for size in asked.sizes]
        self.table.set_columns((_WAY, *sizes, _COMPILES))
        self.table.set_rows([_row(row) for row in measured.rows])

    def _ask(self) -> None:
        if not self.measure.isEnabled():
            return
        try:
            dimension = parse_sizes(self.field.text())
        except ValueError as error:
            self._fault = f"{error}."
            self.fill()
            return
        self._fault = ""
        self._choices.measure_sizes(dimension)


def _row(row: StanceRow) -> Row:
    return Row(row.way, (Cell(row.way), *map(_call, row.calls), Cell(str(row.compiles))))


def _call(call: StanceCall) -> Cell:
    color = "error" if call.differs else _TINTS.get(call.happened, "")
    return Cell(format_call(call), tooltip=call.problem or call.differs, color=color)
