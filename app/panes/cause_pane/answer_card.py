"""What was found, at a glance: a mark, the sentence, and the evidence below it."""

from collections.abc import Iterator

from PySide6.QtCore import Qt
from PySide6.QtGui import QPalette
from PySide6.QtWidgets import QGridLayout, QLabel, QWidget

from app.theme import current, fonts
from app.translation.texts import tr
from app.widgets.labels.wrapped_label import WrappedLabel
from compiler.analysis.text_format.cause_text import cause_facts
from compiler.analysis.text_format.cost_text import format_saved
from compiler.analysis.text_format.slowness_text import slowness_facts
from compiler.analysis.text_format.verdict_headline import MARKS
from compiler.analysis.text_format.visible_text import visible_line
from compiler.model.capture.counted import counted
from compiler.model.experiments.causes import CauseFound
from compiler.model.experiments.costs import CostFound
from compiler.model.experiments.failures import FailureFound
from compiler.model.experiments.slowness import SlownessFound

_SHOWN_BY_OTHERS = ("excluded", "graph", "nodes", "from")
"""By the pipeline, and by *Show*."""


class AnswerCard(QWidget):
    """Filled once the search is over."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("answer_card")
        self.mark = QLabel(self)
        self.sentence, self.facts = WrappedLabel("", self), WrappedLabel("", self)
        for label in (self.sentence, self.facts):
            label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.facts.setForegroundRole(QPalette.ColorRole.PlaceholderText)
        self.mark.setAlignment(Qt.AlignmentFlag.AlignTop)
        grid = QGridLayout(self)
        grid.setContentsMargins(4, 0, 4, 4)
        grid.setHorizontalSpacing(12)
        grid.setVerticalSpacing(4)
        grid.addWidget(self.mark, 0, 0)
        grid.addWidget(self.sentence, 0, 1)
        grid.addWidget(self.facts, 1, 1)
        grid.setColumnStretch(1, 1)

    def show_slowness(self, found: SlownessFound) -> None:
        """Fill it with what makes the step slow."""
        lines = [f"{name[:1].upper()}{name[1:]}: {text}" for name, text in slowness_facts(found, kernels=1)]
        self._answer(
            None if found.slower is None else not found.slower,
            found.sentence,
            [
                *lines,
                tr("%n trial(s) in {seconds:.1f} s", None, len(found.trials)).format(seconds=found.seconds),
            ],
        )

    def show_cost(self, found: CostFound) -> None:
        """Fill it with what something costs."""
        best = next(iter(found.helped), None)
        lines = (
            []
            if best is None
            else [
                tr("Saves most: {what}: {saved_words}").format(
                    what=best.what, saved_words=format_saved(found.what, best)
                )
            ]
        )
        lines.append(
            tr("%n trial(s) in {seconds:.1f} s", None, len(found.trials)).format(seconds=found.seconds)
        )
        self._fill("Σ", current.colors().dim_text, found.sentence, lines)
        self.sentence.setFont(fonts.interface())
        self.setToolTip("\n".join(map(visible_line, found.notes)))

    def show_answer(self, found: CauseFound) -> None:
        """Fill it with what makes the results wrong."""
        right = None if found.wrong and not found.kind else not found.wrong
        self._answer(right, found.sentence, list(_lines(found)))

    def show_failure(self, found: FailureFound) -> None:
        """Fill it with why it does not compile."""
        lines = []
        if found.failure is not None and found.failure.message:
            lines.append(tr("It says: {message}").format(message=found.failure.message))
        if found.least is not None:
            least = found.least
            lines.append(
                tr("The least program: {value} of {before}. {shows}").format(
                    value=counted(least.after, least.unit), before=least.before, shows=least.shows
                )
            )
        elif found.why_not:
            lines.append(found.why_not)
        lines.append(
            tr("%n trial(s) in {seconds:.1f} s", None, len(found.steps)).format(seconds=found.seconds)
        )
        self._answer(found.failure is None, found.sentence, lines)

    def _answer(self, right: bool | None, sentence: str, lines: list[str]) -> None:
        self._fill(MARKS[right], current.shade_of(right), sentence, lines)

    def _fill(self, mark: str, shade: str, sentence: str, lines: list[str]) -> None:
        self.mark.setText(mark)
        self.mark.setFont(fonts.interface(1.8, bold=True))
        self.mark.setStyleSheet(f"color: {shade};")
        self.sentence.setText(visible_line(sentence))
        self.sentence.setFont(fonts.interface(1.1, bold=True))
        self.facts.setText("\n".join(map(visible_line, lines)))


def _lines(found: CauseFound) -> Iterator[str]:
    for name, text in cause_facts(found):
        if name not in _SHOWN_BY_OTHERS:
            yield f"{name[:1].upper()}{name[1:]}: {text}"
    yield tr("%n trial(s) in {seconds:.1f} s", None, len(found.steps)).format(seconds=found.seconds)
