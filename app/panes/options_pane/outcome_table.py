"""The list of choices and what came of each: code, breaks, first call, steady step, and whether it is faster."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QBrush, QColor
from PySide6.QtWidgets import QHeaderView, QTreeWidget, QTreeWidgetItem, QWidget

from app.theme import current
from app.translation.texts import tr, tr_all, tr_noop
from app.widgets.bar_delegate import RoomyDelegate
from compiler.analysis.experiments.choice_summary import changes_nothing, format_code_change
from compiler.analysis.text_format.times import time_text
from compiler.model.experiments.compile_choices import ChoiceOutcome, ChoicesMeasured, CompileChoice
from compiler.model.timing.paired_ratio import format_change as time_words
from compiler.model.timing.paired_ratio import ratio_figure

_COLUMNS = (
    tr_noop("Choice"),
    tr_noop("Changes"),
    tr_noop("Time ÷ as it is"),
    tr_noop("Step"),
    tr_noop("First call"),
    tr_noop("Second"),
)
_CODE, _RATIO, _STEP, _FIRST, _SECOND = range(1, 6)
_ROW = int(Qt.ItemDataRole.UserRole)


class OutcomeTable(QTreeWidget):
    """The program as it is stands first. Green and red only where the two can be told apart."""

    picked = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName(tr("Choices and what came of them"))
        self.setHeaderLabels(tr_all(_COLUMNS))
        self.setRootIsDecorated(False)
        self.setUniformRowHeights(True)
        self.setFrameShape(QTreeWidget.Shape.NoFrame)
        self.setSelectionMode(QTreeWidget.SelectionMode.ExtendedSelection)
        self.setItemDelegate(RoomyDelegate(self))
        header = self.header()
        header.setStretchLastSection(False)
        header.setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        for column in (_FIRST, _SECOND, _STEP):
            self.headerItem().setTextAlignment(column, Qt.AlignmentFlag.AlignRight)
        self.itemSelectionChanged.connect(self.picked)

    def show_choices(self, chosen: tuple[CompileChoice, ...], measured: ChoicesMeasured | None) -> None:
        """Show the list; what is measured has figures."""
        kept = set(self.selected())
        outcomes = {row.choice: row for row in measured.outcomes} if measured is not None else {}
        self.blockSignals(True)
        self.clear()
        if measured is not None:
            base = QTreeWidgetItem(self, [tr("as it is")])
            self._figures(base, measured.base)
            base.setData(0, _ROW, measured.base.choice)
            base.setSelected(measured.base.choice in kept)
        for choice in chosen:
            item = QTreeWidgetItem(self, [choice.title])
            item.setData(0, _ROW, choice)
            item.setToolTip(0, choice.title)
            outcome = outcomes.get(choice)
            if outcome is not None and measured is not None:
                self._fill(item, measured.base, outcome)
            else:
                item.setText(_CODE, tr("not measured yet"))
                item.setForeground(_CODE, QBrush(QColor(current.colors().dim_text)))
            item.setSelected(choice in kept)
        self.blockSignals(False)

    def selected(self) -> tuple[CompileChoice, ...]:
        """Choices of the selected rows, the program as it is (no changes) included."""
        return tuple(item.data(0, _ROW) for item in self.selectedItems())

    def _fill(self, item: QTreeWidgetItem, base: ChoiceOutcome, outcome: ChoiceOutcome) -> None:
        colors = current.colors()
        if outcome.problem is not None:
            item.setText(_CODE, tr("does not work"))
            item.setForeground(_CODE, QBrush(QColor(colors.error)))
            item.setToolTip(_CODE, outcome.problem.what)
            return
        self._figures(item, outcome)
        nothing = changes_nothing(base, outcome)
        item.setText(_CODE, tr("nothing") if nothing else format_code_change(base, outcome))
        if nothing:
            item.setForeground(_CODE, QBrush(QColor(colors.dim_text)))
        item.setText(_RATIO, ratio_figure(outcome.ratio))
        item.setToolTip(
            _RATIO,
            tr("Time over that of the program as it is, median and 95 % interval. {time_words}.").format(
                time_words=time_words(outcome.ratio)
            ),
        )
        ratio = outcome.ratio
        if ratio is not None and ratio.clear and not nothing:
            item.setForeground(_RATIO, QBrush(QColor(colors.good if ratio.high < 1 else colors.error)))
        else:
            item.setForeground(_RATIO, QBrush(QColor(colors.dim_text)))
        if outcome.same_results is False:
            item.setText(_CODE, tr("{value}; other results").format(value=item.text(_CODE)))
            item.setForeground(_CODE, QBrush(QColor(colors.error)))

    def _figures(self, item: QTreeWidgetItem, outcome: ChoiceOutcome) -> None:
        right = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
        for column in (_FIRST, _SECOND, _STEP):
            item.setTextAlignment(column, right)
        if len(outcome.calls) > 1:
            item.setText(_FIRST, time_text(outcome.calls[0]))
            item.setText(_SECOND, time_text(outcome.calls[1]))
        if outcome.side is not None and outcome.side.step is not None:
            step = outcome.side.step
            item.setText(_STEP, time_text(step.median))
            item.setToolTip(
                _STEP,
                tr("Quartiles {time} to {time2}, {count} steps").format(
                    time=time_text(step.low), time2=time_text(step.high), count=step.count
                ),
            )
