"""Everything that was compared to judge one recompile."""

from PySide6.QtCore import Qt
from PySide6.QtGui import QBrush, QColor, QResizeEvent
from PySide6.QtWidgets import QLabel, QTreeWidgetItem, QVBoxLayout, QWidget

from app.panes.history_pane.verdict_texts import (
    by_turns_text,
    judged_text,
    judged_tip,
    speed_text,
    time_text,
    worst_text,
)
from app.theme import current
from app.widgets.filter_tree import FilterTree
from compiler.model.timing.verdicts import Verdict

_AGREES, _WORST, _ABSOLUTE = 1, 2, 3


_FEW_ROWS = 110
"""Pixels: the header and some comparisons."""


class VerdictTable(QWidget):
    """A sentence, the times, and one row a comparison that opens to one row a tensor."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.sentence = QLabel(self)
        self.sentence.setWordWrap(True)
        self.times = QLabel(self)
        self.times.setWordWrap(True)
        columns = ("Comparison", "Agrees", "Worst tensor", "Abs. error", "Rel. error")
        self.rows = FilterTree(columns, "Filter comparisons", self)
        self.rows.field.hide()
        self.rows.stretch_column(0)
        self.notes = QLabel(self)
        self.notes.setWordWrap(True)
        self.notes.setForegroundRole(self.notes.palette().ColorRole.PlaceholderText)
        column = QVBoxLayout(self)
        column.setContentsMargins(6, 4, 6, 4)
        for widget in (self.sentence, self.times):
            column.addWidget(widget)
        self.rows.setMinimumHeight(_FEW_ROWS)
        column.addWidget(self.rows, 1)
        column.addWidget(self.notes)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """A narrow dock keeps what was compared, whether it agrees and the relative error."""
        super().resizeEvent(event)
        self.rows.tree.setColumnHidden(_WORST, self.width() < 640)
        self.rows.tree.setColumnHidden(_ABSOLUTE, self.width() < 440)

    def show_verdict(self, verdict: Verdict | None, nothing: str) -> None:
        """Show a verdict, or `nothing` where there is none."""
        self.rows.tree.clear()
        self.rows.setVisible(verdict is not None)
        self.times.setVisible(verdict is not None)
        self.notes.setVisible(verdict is not None and bool(verdict.notes))
        if verdict is None:
            self.sentence.setText(nothing)
            return
        self.sentence.setText(verdict.summary or "Judged against eager.")
        cold = f", first capture {verdict.cold_seconds:.1f} s" if verdict.cold_seconds else ""
        self.times.setText(
            f"One step: before {time_text(verdict.before)} → after {time_text(verdict.after)} "
            f"({speed_text(verdict)}), eager {time_text(verdict.eager)}. "
            f"{by_turns_text(verdict)}Recompiled in {verdict.recompile_seconds:.1f} s{cold}."
        )
        self.times.setToolTip("Medians with quartiles in brackets")
        for comparison in verdict.comparisons:
            tensor, absolute, relative = worst_text(comparison)
            texts = [f"{comparison.what} – {comparison.reference}", judged_text(comparison)]
            row = QTreeWidgetItem([*texts, tensor, absolute, relative])
            _align(row)
            row.setForeground(_AGREES, QBrush(QColor(_color(comparison.agrees))))
            row.setToolTip(_AGREES, judged_tip(comparison))
            tip = f"Results of the {comparison.what} program against {comparison.reference}"
            row.setToolTip(0, f"{tip}\n{comparison.note}".strip())
            for item in comparison.differences:
                numbers = [f"{item.max_absolute:.2e}", f"{item.max_relative:.2e}"]
                _align(QTreeWidgetItem(row, ["", "", item.tensor, *numbers]))
            self.rows.tree.addTopLevelItem(row)
        self.notes.setText("\n".join(verdict.notes))


def _align(row: QTreeWidgetItem) -> None:
    for column in (3, 4):
        row.setTextAlignment(column, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)


def _color(agrees: bool | None) -> str:
    colors = current.colors()
    return {True: colors.good, False: colors.error, None: colors.dim_text}[agrees]
