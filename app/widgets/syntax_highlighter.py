"""Colours words of a program as `syntax_rules` says, where somebody looks: a line that is coloured takes kilobytes."""

from collections.abc import Collection, Iterator

from PySide6.QtCore import QTimer
from PySide6.QtGui import QColor, QFont, QSyntaxHighlighter, QTextCharFormat, QTextDocument

from app.highlighting.assembly_rules import ASSEMBLY_RULES
from app.highlighting.syntax_rules import rules_for
from app.theme import current
from app.theme.colors import Colors
from app.widgets.hidden_text import hides_something, unpainted

_CHUNK = 50
"""Lines that are coloured together."""


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
    """Works on one document. Lines in `set_dim_lines` are plain grey whatever they hold.

    Qt asks for every line once, from the top: then only the spans that go on over line ends are followed, so that a
    line that is coloured later begins as it should. Of most texts that is read beforehand, and nobody asks (`even`).
    """

    def __init__(self, document: QTextDocument) -> None:
        super().__init__(document)
        self._rules = rules_for("")
        self._dim: Collection[int] = frozenset()
        self._coloured: set[int] = set()
        """Numbers of the chunks that somebody saw."""
        self._seen = (1, _CHUNK)
        """What was looked at last: a line, and how many above and below it are."""
        self._lines = 0
        """How many lines the chunks were counted with."""
        self._formats: dict[str, QTextCharFormat] = {}
        self._even = False
        """Whether each line can be coloured by itself: nothing is hidden, nobody types, and what goes on over line ends is known."""
        self._opened: list[int] = []
        """What each line leaves open, where it is even; empty where none leaves anything."""
        self._hides = False
        """Whether the line that is being coloured is painted by somebody else."""
        self._moved = QTimer(self, interval=0, singleShot=True)
        self._moved.timeout.connect(self._on_moved)
        document.blockCountChanged.connect(lambda _count: self._moved.start())
        self._make_formats()
        current.signals().changed.connect(self._restyle)

    def expect(self, language: str, text: str) -> None:
        """Another text is about to be put into the document; Qt then asks line by line."""
        self._rules = ASSEMBLY_RULES.get(language) or rules_for(language)
        self._dim = frozenset()
        self._even = text.isascii() and text.replace("\n", "").replace("\t", "").isprintable()
        opens = self._even and any(map(text.__contains__, self._rules.openers))
        self._opened = list(self._left_open(text)) if opens else []
        self._seen, self._lines = (1, self._seen[1]), text.count("\n") + 1
        self._coloured = set(_chunks_around(*self._seen))

    @property
    def even(self) -> bool:
        """Whether Qt need not ask line by line about the text that comes: then `color_seen` is called after it instead."""
        return self._even

    def color_seen(self) -> None:
        """Colour what is looked at in a text that Qt did not ask about."""
        for chunk in sorted(self._coloured):
            self._color(range(chunk * _CHUNK, (chunk + 1) * _CHUNK))

    def _left_open(self, text: str) -> Iterator[int]:
        opened = -1
        for line in text.split("\n"):
            opened = self._rules.open_after(line, opened)
            yield opened

    def expect_typing(self) -> None:
        """Any line may come to hold anything from now on."""
        if self._even and self._opened:
            block = self.document().firstBlock()
            for opened in self._opened:
                block.setUserState(opened)
                block = block.next()
        self._even = False

    def set_dim_lines(self, lines: Collection[int]) -> None:
        """Lines, from 1, to show in plain grey."""
        if self._dim != lines:
            self._dim = frozenset(lines)
            self.rehighlight()

    def color_around(self, line: int, reach: int) -> None:
        """Colour a line, from 1, and so many above and below it, since they are about to be seen."""
        self._seen = line, reach
        for chunk in _chunks_around(line, reach):
            if chunk not in self._coloured:
                self._coloured.add(chunk)
                self._color(range(chunk * _CHUNK, (chunk + 1) * _CHUNK))

    def highlightBlock(self, text: str) -> None:
        number = self.currentBlock().blockNumber()
        seen = number // _CHUNK in self._coloured
        if self._even and not seen:
            return
        self._hides = hides_something(text)
        if self._hides:  # whoever paints the document paints such a line, see `hidden_text`
            self._put(0, 2 * len(text), QTextCharFormat())
        if self._even and self._opened:  # the lines above may not have been asked about
            opened = self._opened[number - 1] if number else -1
        else:
            opened = self.previousBlockState()
        if not seen:
            self.setCurrentBlockState(self._rules.open_after(text, opened))
        elif number + 1 in self._dim:
            self._put(0, len(text), self._formats["comment"])
            self.setCurrentBlockState(self._rules.open_after(text, opened))
        else:
            parts, left_open = self._rules.read(text, opened)
            for start, end, name in parts:
                self._put(start, end - start, self._formats[name])
            self.setCurrentBlockState(left_open)

    def _put(self, start: int, length: int, shape: QTextCharFormat) -> None:
        self.setFormat(start, length, unpainted(shape) if self._hides else shape)

    def _on_moved(self) -> None:
        """Lines came or went by typing, so that others stand in each chunk."""
        if self._lines != self.document().blockCount():
            self._lines = self.document().blockCount()
            self._coloured.clear()
            self.color_around(*self._seen)

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
        """Another look: only what is looked at is coloured again, the rest when it is seen."""
        self._make_formats()
        self._coloured.clear()
        self.color_around(*self._seen)


def _chunks_around(line: int, reach: int) -> range:
    return range(max(0, line - reach) // _CHUNK, (line + reach) // _CHUNK + 1)
