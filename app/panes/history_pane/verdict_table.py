"""Everything that was compared to judge one recompile."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QPushButton, QToolButton, QWidget

from app.panes.history_pane.verdict_card import VerdictCard
from app.panes.history_pane.verdict_texts import (
    interleaved_text,
    judged_text,
    judged_tip,
    speed_text,
    worst_text,
)
from app.translation.texts import tr, tr_noop
from app.widgets.labels.wrapped_label import WrappedLabel
from app.widgets.layouts.boxes import Room, set_column
from app.widgets.tables.row_table import RowTable
from app.widgets.tables.rows import Cell, Column, Row, Width
from compiler.analysis.text_format.times import summary_text
from compiler.model.timing.verdicts import Comparison, Verdict

_COLUMNS = (
    Column(tr_noop("Comparison"), width=Width.STRETCH),
    Column(tr_noop("Agrees")),
    Column(tr_noop("Worst tensor"), needs=628),
    Column(tr_noop("Abs. error"), right=True, needs=428),
    Column(tr_noop("Rel. error"), right=True),
)
"""A narrow dock keeps what was compared, whether it agrees and the relative error."""
_COLORS = {True: "good", False: "error", None: "dim_text"}

_FEW_ROWS = 110
"""Pixels: the header and some comparisons."""


class VerdictTable(QWidget):
    """A card; behind *Details* a sentence, the times, and one row a comparison that opens to one row a tensor."""

    cause_wanted = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.card = VerdictCard(self)
        self.more = QToolButton(self)
        self.more.setCheckable(True)
        self.more.setAutoRaise(True)
        self.more.setToolTip(tr("The verdict in words, all times, and every comparison by tensor"))
        self.more.toggled.connect(self._show_details)
        self.find_cause = QPushButton(tr("Find the cause"), self)
        self.find_cause.setToolTip(
            tr("Find what makes the results wrong: the stage, the pass, the fusion, the kernel, the line")
        )
        self.find_cause.clicked.connect(self.cause_wanted)
        self.details = QWidget(self)
        self.sentence = WrappedLabel("", self)
        self.times = WrappedLabel("", self)
        self.rows = RowTable(_COLUMNS, tr("Filter comparisons"), self)
        self.rows.field.hide()
        self.notes = WrappedLabel("", self)
        self.notes.setForegroundRole(self.notes.palette().ColorRole.PlaceholderText)
        self.nothing = WrappedLabel("", self)
        self.rows.setMinimumHeight(_FEW_ROWS)
        set_column(self.details, self.sentence, self.times, (self.rows, 1), self.notes, margins=0)
        set_column(
            self,
            self.nothing,
            self.card,
            (self.find_cause, 0, Qt.AlignmentFlag.AlignLeft),
            self.more,
            (self.details, 1),
            Room(0),
            margins=(6, 4, 6, 4),
        )
        self._show_details(False)

    def _show_details(self, shown: bool) -> None:
        self.more.setText(tr("▾ Details") if shown else tr("▸ Details"))
        self.details.setVisible(shown)

    def show_verdict(self, verdict: Verdict | None, nothing: str) -> None:
        """Show a verdict, or `nothing` where there is none."""
        self.rows.set_rows([_row(row) for row in verdict.comparisons] if verdict is not None else ())
        for part in (self.card, self.more):
            part.setVisible(verdict is not None)
        self.find_cause.setVisible(
            verdict is not None and any(row.agrees is False for row in verdict.comparisons)
        )
        self.details.setVisible(verdict is not None and self.more.isChecked())
        self.notes.setVisible(verdict is not None and bool(verdict.notes))
        self.nothing.setText(nothing if verdict is None else "")
        self.nothing.setVisible(verdict is None)
        if verdict is None:
            self.sentence.setText("")
            return
        self.card.show_verdict(verdict)
        self.sentence.setText(verdict.summary or tr("Judged against eager."))
        cold = (
            tr(", first capture {cold_seconds:.1f} s").format(cold_seconds=verdict.cold_seconds)
            if verdict.cold_seconds
            else ""
        )
        self.times.setText(
            tr(
                "One step: before {time} → after {time2} ({speed}), eager "
                "{time3}. {by_turns}Recompiled in {recompile_seconds:.1f} s{cold}."
            ).format(
                time=summary_text(verdict.before),
                time2=summary_text(verdict.after),
                speed=speed_text(verdict),
                time3=summary_text(verdict.eager),
                by_turns=interleaved_text(verdict),
                recompile_seconds=verdict.recompile_seconds,
                cold=cold,
            )
        )
        self.times.setToolTip(tr("Medians with quartiles in brackets"))
        self.notes.setText("\n".join(verdict.notes))


def _row(comparison: Comparison) -> Row:
    tensor, absolute, relative = worst_text(comparison)
    tip = tr("Results of the {what} program against {reference}").format(
        what=comparison.what, reference=comparison.reference
    )
    cells = (
        Cell(f"{comparison.what} – {comparison.reference}", tooltip=f"{tip}\n{comparison.note}".strip()),
        Cell(judged_text(comparison), tooltip=judged_tip(comparison), color=_COLORS[comparison.agrees]),
        *(Cell(text) for text in (tensor, absolute, relative)),
    )
    parts = []
    for item in comparison.differences:
        texts = ("", "", item.tensor, item.absolute_text, item.relative_text)
        parts.append(Row(item.tensor, tuple(Cell(text) for text in texts)))
    return Row((comparison.what, comparison.reference), cells, tuple(parts))
