"""Repetitions of equal lines in a code view, folded: the first one is read, the others are one row that says how many there are.

Lines keep their numbers, and the text is whole: what is copied, found and saved has every line. A folded repetition is out of sight, but
for its first line, over which the row is painted. What is looked for in it opens that one repetition until something else is.
"""

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter, QTextBlock
from PySide6.QtWidgets import QPlainTextEdit

from app.theme import current
from app.theme.drawn_text import draw_text, elided
from app.translation.texts import tr
from compiler.analysis.repeated_text.repeated_lines import RepeatedLines

_MOST_NAMED = 4
"""Repetitions that a row names where something in them is selected."""
_INDENT = 8.0
_GAP = 14.0
"""Pixels."""


@dataclass(frozen=True)
class FoldRow:
    """Repetitions side by side that are folded. Repetitions count from 0."""

    run: RepeatedLines
    first: int
    last: int

    @property
    def line(self) -> int:
        """The line it stands on: the first of what it hides."""
        return self.run.first_of(self.first)

    @property
    def last_line(self) -> int:
        """The last line it hides."""
        return self.run.first_of(self.last + 1) - 1

    def repetitions(self, lines: Collection[int]) -> list[int]:
        """Those that any of the lines is in."""
        found = (self.run.repetition_of(line) for line in lines if self.line <= line <= self.last_line)
        return sorted({number for number in found if number is not None})


class LineFolds:
    """Of one editor. It hides the blocks of its document."""

    def __init__(self, editor: QPlainTextEdit, changed: Callable[[], None]) -> None:
        """`changed` is called when other lines are in sight."""
        self._editor, self._changed = editor, changed
        self._opened: dict[RepeatedLines, set[int]] = {}
        """By run the repetitions in sight, the first always."""
        self._looked_into: tuple[RepeatedLines, int] | None = None
        """What was opened for a line in it."""
        self._rows: dict[int, FoldRow] = {}

    # -- what is folded ----------------------------------------------------------------------------------------

    @property
    def runs(self) -> tuple[RepeatedLines, ...]:
        """What can be folded."""
        return tuple(self._opened)

    def set_runs(self, runs: Sequence[RepeatedLines]) -> None:
        """Fold these, of a text in which nothing is folded; what was known of another text is forgotten."""
        self._opened = {run: {0} for run in runs}
        self._looked_into = None
        self._rows = {}
        for run in runs:
            self._show_as_opened(run)
        if runs:
            self._changed()

    def row_on(self, line: int) -> FoldRow | None:
        """The row that stands on a line."""
        return self._rows.get(line)

    def row_over(self, line: int) -> FoldRow | None:
        """The row that a line is folded into."""
        run = self._run_at(line)
        if run is None:
            return None
        number = run.repetition_of(line)
        return next(
            (row for row in self._rows.values() if row.run == run and row.first <= (number or 0) <= row.last),
            None,
        )

    def line_seen(self, line: int) -> int:
        """Where a line is in sight: itself, or the row that it is folded into."""
        row = self.row_over(line) if self._rows else None
        return row.line if row is not None else line

    def lines_seen(self, lines: Collection[int]) -> frozenset[int]:
        """Where some lines are in sight."""
        return frozenset(map(self.line_seen, lines)) if self._rows else frozenset(lines)

    def hidden_above(self, line: int | None = None) -> int:
        """How many lines above a line are out of sight; without one, of all."""
        rows = self._rows.values()
        return sum(row.last_line - row.line for row in rows if line is None or row.line < line)

    def ranks(self, lines: Collection[int]) -> set[int]:
        """Where lines are among those in sight, from 1."""
        return {line - self.hidden_above(line) for line in self.lines_seen(lines)}

    def begins(self, line: int) -> tuple[RepeatedLines, int] | None:
        """The repetition in sight that begins on a line, where it can be folded: the first stands for all that are open."""
        run = self._run_at(line)
        if run is None or (line - run.first) % run.period:
            return None
        number = (line - run.first) // run.period
        opened = self._opened[run]
        return (run, number) if number in opened and len(opened) > 1 else None

    def next_block(self, block: QTextBlock) -> QTextBlock:
        """The next one in sight, without a look at each that is not."""
        row = self._rows.get(block.blockNumber() + 1)
        return block.next() if row is None else self._editor.document().findBlockByNumber(row.last_line)

    def is_repeated(self, line: int) -> bool:
        """Whether a line in sight is one of a repetition."""
        return self._run_at(line) is not None

    def _run_at(self, line: int) -> RepeatedLines | None:
        return next((run for run in self._opened if run.first <= line <= run.last), None)

    # -- opening and folding -----------------------------------------------------------------------------------

    def unfold(self, row: FoldRow) -> None:
        """Bring everything that a row hides into sight."""
        self._set_opened(row.run, self._opened[row.run] | set(range(row.first, row.last + 1)))

    def fold(self, run: RepeatedLines, number: int) -> None:
        """Fold one repetition; the first: all others."""
        self._set_opened(run, {0} if number == 0 else self._opened[run] - {number})

    def unfold_all(self) -> None:
        """Bring all lines into sight, and forget what repeats: the text is about to be changed."""
        for run in self.runs:
            self._opened[run] = set(range(run.repeats))
            self._show_as_opened(run)
        if self._opened:
            self._opened = {}
            self._changed()

    def reveal(self, line: int) -> None:
        """Open the repetition that a line is folded into; the one that was opened so before is folded again."""
        row = self.row_over(line)
        if row is None:
            return
        run, number = row.run, row.run.repetition_of(line) or 0
        before, self._looked_into = self._looked_into, None
        if before is not None and before[0] in self._opened:
            self._set_opened(before[0], self._opened[before[0]] - {before[1]})
        self._set_opened(run, self._opened[run] | {number})
        self._looked_into = run, number

    def _set_opened(self, run: RepeatedLines, opened: set[int]) -> None:
        if opened == self._opened[run]:
            return
        self._opened[run] = opened
        if self._looked_into is not None and self._looked_into[0] == run:
            self._looked_into = None
        self._show_as_opened(run)
        self._changed()

    def _show_as_opened(self, run: RepeatedLines) -> None:
        """Hide and show the blocks of a run."""
        document = self._editor.document()
        self._rows = {line: row for line, row in self._rows.items() if row.run != run}
        rows = list(_folded(run, self._opened[run]))
        self._rows.update({row.line: row for row in rows})
        heads = {row.line for row in rows}
        hidden = {number for row in rows for number in range(row.first, row.last + 1)}
        start = run.first_of(1)
        block = document.findBlockByNumber(start - 1)
        for line in range(start, run.last + 1):
            seen = line in heads or (line - run.first) // run.period not in hidden
            if block.isVisible() != seen:
                block.setVisible(seen)
                block.setLineCount(1 if seen else 0)
            block = block.next()
        layout = document.documentLayout()
        document.markContentsDirty(document.findBlockByNumber(start - 1).position(), 1)
        layout.documentSizeChanged.emit(layout.documentSize())

    # -- painting ----------------------------------------------------------------------------------------------

    def paint(
        self,
        painter: QPainter,
        lines: Sequence[tuple[int, float, float]],
        width: float,
        marked: Collection[int],
    ) -> None:
        """Paint the rows among lines given as (line, top, height), over what Qt painted there. `marked`: lines to report."""
        colors, font = current.colors(), self._editor.font()
        for line, top, height in lines:
            row = self._rows.get(line)
            if row is None:
                continue
            area = QRectF(0, top, width, height)
            painter.fillRect(area, QColor(colors.window))
            strong = QFont(font)
            strong.setWeight(QFont.Weight.DemiBold)
            left = _INDENT
            for part, shape, color in (
                (f"×{row.run.repeats}", strong, colors.text),
                (_marked(row.repetitions(marked)), font, colors.text),
                (_sentence(row), font, colors.dim_text),
            ):
                if not part:
                    continue
                metrics = QFontMetricsF(shape)
                painter.setFont(shape)
                painter.setPen(QColor(color))
                box = QRectF(left, top, max(width - left - _INDENT, 0), height)
                text = elided(metrics, part, Qt.TextElideMode.ElideRight, box.width())
                draw_text(painter, box, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft, text)
                left += metrics.horizontalAdvance(part) + _GAP

    def paint_place(self, painter: QPainter, lines: Sequence[tuple[int, float, float]], width: float) -> None:
        """Say at the upper right which repetition of how many is read, where it is not the first."""
        number, run = None, self._run_at(lines[0][0]) if lines else None
        if run is None or lines[0][0] in self._rows or not (number := run.repetition_of(lines[0][0])):
            return
        colors, (_, top, height) = current.colors(), lines[0]
        text = tr("{number} of {count}").format(number=number + 1, count=run.repeats)
        metrics = QFontMetricsF(self._editor.font())
        box = QRectF(0, max(top, 0), metrics.horizontalAdvance(text) + 2 * _INDENT, height + 2)
        box.moveRight(width - _INDENT)
        painter.fillRect(box, QColor(colors.window))
        painter.setPen(QColor(colors.dim_text))
        painter.setFont(self._editor.font())
        draw_text(painter, box, Qt.AlignmentFlag.AlignCenter, text)

    def tooltip_of(self, line: int) -> str:
        """What is said about a row; empty for any other line."""
        row = self._rows.get(line)
        if row is None:
            return ""
        return tr(
            "Repetitions {first}–{last} of {count}, each of {lines} lines: equal to the first but for names and the numbers of random seeds.\nClick to unfold"
        ).format(first=row.first + 1, last=row.last + 1, count=row.run.repeats, lines=row.run.period)


def _folded(run: RepeatedLines, opened: Collection[int]) -> Iterator[FoldRow]:
    """The rows for what is not open."""
    first: int | None = None
    for number in range(run.repeats + 1):
        if number < run.repeats and number not in opened:
            first = number if first is None else first
        elif first is not None:
            yield FoldRow(run, first, number - 1)
            first = None


def _sentence(row: FoldRow) -> str:
    first, last, begin, end = row.first + 1, row.last + 1, f"{row.line:,}", f"{row.last_line:,}"
    if first == last:
        return tr("{first}: only names or seeds differ · lines {from_line}–{to_line}").format(
            first=first, from_line=begin, to_line=end
        )
    return tr("{first}–{last}: only names or seeds differ · lines {from_line}–{to_line}").format(
        first=first, last=last, from_line=begin, to_line=end
    )


def _marked(repetitions: Sequence[int]) -> str:
    if not repetitions:
        return ""
    named = ", ".join(str(number + 1) for number in repetitions[:_MOST_NAMED])
    more = ", …" if len(repetitions) > _MOST_NAMED else ""
    return tr("in {numbers}").format(numbers=named + more)


def fold_tip(run: RepeatedLines, number: int) -> str:
    """What the sign that folds a repetition does."""
    if number == 0:
        return tr("The first of {count} repetitions: click to fold the others").format(count=run.repeats)
    return tr("Repetition {number} of {count}: click to fold it").format(number=number + 1, count=run.repeats)
