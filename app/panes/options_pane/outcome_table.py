"""The list of choices and what came of each: code, breaks, first call, steady step, and whether it is faster."""

from PySide6.QtWidgets import QWidget

from app.translation.texts import tr, tr_noop
from app.widgets.tables.row_table import RowTable
from app.widgets.tables.rows import Cell, Column, Row
from compiler.analysis.experiments.choice_summary import changes_nothing, format_code_change
from compiler.analysis.text_format.times import time_text
from compiler.model.experiments.compile_choices import ChoiceOutcome, ChoicesMeasured, CompileChoice
from compiler.model.timing.paired_ratio import format_change as time_words
from compiler.model.timing.paired_ratio import ratio_figure

_COLUMNS = (
    Column(tr_noop("Choice")),
    Column(tr_noop("Changes")),
    Column(tr_noop("Time ÷ as it is")),
    Column(tr_noop("Step"), right=True),
    Column(tr_noop("First call"), right=True),
    Column(tr_noop("Second"), right=True),
)


class OutcomeTable(RowTable):
    """The program as it is stands first. Green and red only where the two can be distinguished."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(_COLUMNS, parent=parent)
        self.tree.setAccessibleName(tr("Choices and what came of them"))
        self.tree.setRootIsDecorated(False)
        self.tree.setSelectionMode(self.tree.SelectionMode.ExtendedSelection)

    def show_choices(self, chosen: tuple[CompileChoice, ...], measured: ChoicesMeasured | None) -> None:
        """Show the list; what is measured has figures."""
        outcomes = {row.choice: row for row in measured.outcomes} if measured is not None else {}
        base = measured.base if measured is not None else None
        rows = [_row(choice, base, outcomes.get(choice)) for choice in chosen]
        if base is not None:
            rows.insert(0, Row(base.choice, (Cell(tr("as it is")), Cell(), Cell(), *_figures(base))))
        self.set_rows(rows)

    def selected_choices(self) -> tuple[CompileChoice, ...]:
        """Choices of the selected rows, the program as it is (no changes) included."""
        return tuple(row.key for row in self.selected() if isinstance(row.key, CompileChoice))


def _row(choice: CompileChoice, base: ChoiceOutcome | None, outcome: ChoiceOutcome | None) -> Row:
    title = Cell(choice.title, tooltip=choice.title)
    if outcome is None or base is None:
        return Row(choice, (title, Cell(tr("not measured yet"), color="dim_text")))
    if outcome.problem is not None:
        fault = Cell(tr("does not work"), tooltip=outcome.problem.what, color="error")
        return Row(choice, (title, fault))
    nothing, ratio = changes_nothing(base, outcome), outcome.ratio
    code = tr("nothing") if nothing else format_code_change(base, outcome)
    changes = Cell(code, color="dim_text" if nothing else "")
    if outcome.same_results is False:
        changes = Cell(tr("{value}; other results").format(value=code), color="error")
    clear = ratio is not None and ratio.clear and not nothing
    time = Cell(
        ratio_figure(ratio),
        tooltip=tr("Time over that of the program as it is, median and 95 % interval. {time_words}.").format(
            time_words=time_words(ratio)
        ),
        color="dim_text" if not clear or ratio is None else "good" if ratio.high < 1 else "error",
    )
    return Row(choice, (title, changes, time, *_figures(outcome)))


def _figures(outcome: ChoiceOutcome) -> tuple[Cell, Cell, Cell]:
    """A step, the first call and the second."""
    step = outcome.side.step if outcome.side is not None else None
    calls = [Cell(time_text(call)) for call in outcome.calls[:2]] if len(outcome.calls) > 1 else [Cell()] * 2
    if step is None:
        return Cell(), calls[0], calls[1]
    spread = tr("Quartiles {time} to {time2}, {count} steps").format(
        time=time_text(step.low), time2=time_text(step.high), count=step.count
    )
    return Cell(time_text(step.median), tooltip=spread), calls[0], calls[1]
