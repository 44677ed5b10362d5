"""Colours words of a program as `syntax_rules` says, a slice at a time so that long texts do not hold up the window."""

from collections.abc import Collection

from PySide6.QtCore import QTimer
from PySide6.QtGui import QColor, QFont, QSyntaxHighlighter, QTextCharFormat, QTextDocument

from app.highlighting.assembly_rules import ASSEMBLY_RULES
from app.highlighting.syntax_rules import rules_for
from app.theme import current
from app.theme.colors import Colors
from app.widgets.hidden_text import hides_something, unpainted

_SLICE = 400
"""Lines coloured before the window gets a turn."""
_IN_VIEW = 200
"""Lines above and below a line that are coloured at once when it is shown."""


def syntax_colors(colors: Colors) -> dict[str, str]:
    """Colour of each kind of word. They are the look's own colours, so light and dark both stay readable."""
    return {
        "comment": colors.dim_text,
        "string": colors.input,
        "number": colors.backward,
        "keyword": colors.extern,
        "builtin": colors.fused,
        "definition": colors.forward,
        "call": colors.forward,
        "decorator": colors.warning,
        "operation": colors.fused,
    }


class SyntaxHighlighter(QSyntaxHighlighter):
    """Works on one document. Lines in `set_dim_lines` are plain grey whatever they hold."""

    def __init__(self, document: QTextDocument) -> None:
        super().__init__(document)
        self._rules = rules_for("")
        self._dim: Collection[int] = frozenset()
        self._limit = 0
        self._window = range(0)
        self._formats: dict[str, QTextCharFormat] = {}
        self._hides = False
        """Whether the line that is being coloured is painted by somebody else."""
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(0)
        self._timer.timeout.connect(self._color_next_slice)
        self._make_formats()
        current.signals().changed.connect(self._restyle)

    def expect(self, language: str) -> None:
        """The text that is about to be put into the document is of this language; Qt then asks line by line."""
        self._rules = ASSEMBLY_RULES.get(language) or rules_for(language)
        self._dim = frozenset()
        self._limit, self._window = _SLICE, range(0)
        self._timer.start()

    def set_dim_lines(self, lines: Collection[int]) -> None:
        """Lines, from 1, to show in plain grey."""
        if self._dim != lines:
            self._dim = frozenset(lines)
            self._restart()

    def color_around(self, line: int) -> None:
        """Colour what surrounds a line now, since it is about to be seen; the rest follows from the top."""
        if (
            line + _IN_VIEW <= self._limit
            or line in self._window
            or self._limit >= self.document().blockCount()
        ):
            return
        self._window = range(max(self._limit, line - _IN_VIEW), line + _IN_VIEW)
        self._color(self._window)
        self._timer.start()

    def highlightBlock(self, text: str) -> None:
        self._hides = hides_something(text)
        if self._hides:  # whoever paints the document paints such a line, see `hidden_text`
            self._put(0, 2 * len(text), QTextCharFormat())
        self._color_line(text)

    def _put(self, start: int, length: int, shape: QTextCharFormat) -> None:
        self.setFormat(start, length, unpainted(shape) if self._hides else shape)

    def _color_line(self, text: str) -> None:
        number = self.currentBlock().blockNumber()
        if number >= self._limit and number not in self._window:
            return
        if number + 1 in self._dim:
            self._put(0, len(text), self._formats["comment"])
            return
        self.setCurrentBlockState(-1)
        start = 0
        opened = self.previousBlockState()
        if 0 <= opened < len(self._rules.spans):
            start = self._close_span(text, 0, 0, opened)
        while start >= 0 and (match := self._rules.words.search(text, start)) is not None:
            start = self._color_match(text, match.lastgroup or "", *match.span(match.lastgroup or 0))

    def _color_match(self, text: str, group: str, start: int, end: int) -> int:
        """Colour one match; the position to go on from, or -1 when the rest of the line is taken."""
        for index, (opener, _, _) in enumerate(self._rules.spans):
            if group == opener:
                return self._close_span(text, start, end, index)
        self._put(start, end - start, self._formats[group])
        return end if end > start else end + 1

    def _close_span(self, text: str, start: int, search_from: int, index: int) -> int:
        _, closing, name = self._rules.spans[index]
        match = closing.search(text, search_from)
        if match is None:
            self._put(start, len(text) - start, self._formats[name])
            self.setCurrentBlockState(index)
            return -1
        self._put(start, match.end() - start, self._formats[name])
        return match.end()

    def _restart(self) -> None:
        self._limit, self._window = _SLICE, range(0)
        self.rehighlight()
        if self._limit < self.document().blockCount():
            self._timer.start()

    def _color_next_slice(self) -> None:
        first, self._limit = self._limit, self._limit + _SLICE
        self._color(range(first, self._limit))
        if self._limit < self.document().blockCount():
            self._timer.start()

    def _color(self, lines: range) -> None:
        block = self.document().findBlockByNumber(lines.start)
        while block.isValid() and block.blockNumber() < lines.stop:
            self.rehighlightBlock(block)
            block = block.next()

    def _make_formats(self) -> None:
        for name, color in syntax_colors(current.colors()).items():
            style = QTextCharFormat()
            style.setForeground(QColor(color))
            if name == "definition":
                style.setFontWeight(QFont.Weight.DemiBold)
            self._formats[name] = style

    def _restyle(self) -> None:
        self._make_formats()
        self._restart()
