"""A view of a program, read-only unless told otherwise: line numbers, gutter marks, tints and outlines of lines, find, zoom.

What is drawn is drawn for the visible lines only, so the length of the text does not matter.
"""

from collections import defaultdict
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence

from PySide6.QtCore import QEvent, QRect, QRectF, Qt, Signal
from PySide6.QtGui import (
    QAccessible,
    QContextMenuEvent,
    QHelpEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QResizeEvent,
    QTextCursor,
    QWheelEvent,
)
from PySide6.QtWidgets import QFrame, QPlainTextEdit, QToolTip, QWidget

from app.theme import current, fonts
from app.translation.texts import tr
from app.widgets.code_gutter import CodeGutter
from app.widgets.find_bar import FindBar
from app.widgets.gutter_marks import GutterMark, GutterTime
from app.widgets.hidden_text import paint_hidden_text, place_seen, shown_end
from app.widgets.line_folds import LineFolds
from app.widgets.line_menu import FileLine, line_action
from app.widgets.line_notes import LineNote, paint_notes
from app.widgets.line_painting import paint_backgrounds, paint_outlines, paint_overview
from app.widgets.syntax_highlighter import SyntaxHighlighter
from app.widgets.underlining import underlined

_SMALLEST, _LARGEST = 6, 32


class CodeEditor(QPlainTextEdit):
    """Shows one text. Lines count from 1 everywhere; 0 is no line. It knows nothing of what the lines mean."""

    line_clicked = Signal(int, object)
    """(line, keyboard modifiers): clicked with the mouse, or Enter pressed on it."""
    line_hovered = Signal(int)
    """The line under the mouse changed; 0 when it left."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName(tr("Program text"))
        self.set_editable(False)
        self.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setFont(fonts.monospace())
        self.setMouseTracking(True)
        self.viewport().setMouseTracking(True)
        self.pinned: frozenset[int] = frozenset()
        self.hovered: frozenset[int] = frozenset()
        self.shows_numbers = True
        self._tints: Mapping[int, str] = {}
        self._stripes: Mapping[int, tuple[str, ...]] = {}
        self._marks: dict[int, list[GutterMark]] = defaultdict(list)
        self._notes: Mapping[int, Sequence[LineNote]] = {}
        self._times: Mapping[int, GutterTime] = {}
        self._tooltips: Callable[[int], str] = lambda _: ""
        self._file_line: Callable[[int], FileLine | None] = lambda _: None
        self._open_line: Callable[[str, int], None] | None = None
        self._line_under_mouse = 0
        self._unfolding = False
        self._text = ""
        self._language = ""
        self._highlighter = SyntaxHighlighter(self.document())
        self.folds = LineFolds(self, self._on_folds)
        self._gutter = CodeGutter(self, self)
        self.find_bar = FindBar(self, self.folds.reveal)
        self.find_bar.changed.connect(self._fit_gutter)
        self.blockCountChanged.connect(self._fit_gutter)
        self.updateRequest.connect(self._scroll_gutter)
        self.cursorPositionChanged.connect(self._on_cursor)
        self.verticalScrollBar().valueChanged.connect(self._color_in_view)
        current.signals().changed.connect(self._repaint)
        self._fit_gutter()

    # -- what is shown -----------------------------------------------------------------------------------------

    def set_code(self, text: str, language: str) -> None:
        """Show another text. An equal one is left alone, so scrolling and the cursor stay."""
        if (text, language) == (self._text, self._language) and not self.document().isModified():
            return
        self._text, self._language = text, language
        self._tints, self._stripes, self._notes, self._times = {}, {}, {}, {}
        self._marks.clear()
        self.pinned = self.hovered = frozenset()
        self.folds.set_runs(())
        self._highlighter.expect(language, text)
        if not self.isReadOnly():
            self._highlighter.expect_typing()
        self._put(text)
        self.find_bar.search_again()

    def set_editable(self, on: bool) -> None:
        """Whether the text may be changed; at first it may not."""
        self.setReadOnly(not on)
        if on:
            self.folds.unfold_all()
            self._highlighter.expect_typing()
            self._language = ""  # whatever is shown next is set again, whether anything was typed or not
        selecting = (
            Qt.TextInteractionFlag.TextSelectableByMouse | Qt.TextInteractionFlag.TextSelectableByKeyboard
        )
        self.setTextInteractionFlags(Qt.TextInteractionFlag.TextEditorInteraction if on else selecting)

    def set_underlined(self, locations: Sequence[tuple[int, int]]) -> None:
        """Wavy lines under the code from (line, column) to the end of the line; column counts from 0."""
        self.setExtraSelections([underlined(self.document(), *location) for location in locations])

    def hide_numbers(self) -> None:
        """A listing that has its own positions needs no second count."""
        self.shows_numbers = False
        self._fit_gutter()

    def set_tints(self, tints: Mapping[int, str]) -> None:
        """Background colour of lines."""
        self._tints = tints
        self._repaint()

    def set_stripes(self, stripes: Mapping[int, tuple[str, ...]]) -> None:
        """Coloured bars in the gutter, several side by side."""
        self._stripes = stripes
        self._fit_gutter()

    def set_marks(self, marks: Sequence[GutterMark]) -> None:
        """Signs in the gutter."""
        self._marks.clear()
        for mark in marks:
            self._marks[mark.line].append(mark)
        self._fit_gutter()

    def set_times(self, times: Mapping[int, GutterTime]) -> None:
        """What lines cost, in the gutter."""
        self._times = times
        self._fit_gutter()

    def set_notes(self, notes: Mapping[int, Sequence[LineNote]]) -> None:
        """Quiet text after the end of lines."""
        self._notes = notes
        self._repaint()

    def set_dim_lines(self, lines: Collection[int]) -> None:
        """Lines in plain grey."""
        self._highlighter.set_dim_lines(frozenset(lines))

    def set_tooltips(self, of_line: Callable[[int], str]) -> None:
        """What to say about a line; asked when the mouse rests on it."""
        self._tooltips = of_line

    def offer_lines(
        self, of_line: Callable[[int], FileLine | None], open_line: Callable[[str, int], None]
    ) -> None:
        """Let the context menu open the line of a file that a line stands for."""
        self._file_line, self._open_line = of_line, open_line

    def set_outlined(self, pinned: Collection[int], hovered: Collection[int]) -> None:
        """Lines to outline as selected and as previewed."""
        before = (self.pinned, self.hovered)
        self.pinned, self.hovered = frozenset(pinned), frozenset(hovered)
        if before != (self.pinned, self.hovered):
            self._repaint()

    # -- asking ------------------------------------------------------------------------------------------------

    @property
    def has_marks(self) -> bool:
        """Whether the gutter needs room for signs."""
        return bool(self._marks)

    @property
    def widest_stripe(self) -> int:
        """Most stripes side by side."""
        return max(map(len, self._stripes.values()), default=0)

    @property
    def current_line(self) -> int:
        """Where the text cursor is."""
        return self.textCursor().blockNumber() + 1

    def marks_on(self, line: int) -> list[GutterMark]:
        """Signs beside a line."""
        return self._marks.get(line, [])

    @property
    def widest_times(self) -> tuple[int, int]:
        """Letters of the longest own time, and of the longest with callees."""
        rows = self._times.values()
        return max((len(row.own) for row in rows), default=0), max(
            (len(row.total) for row in rows), default=0
        )

    def time_on(self, line: int) -> GutterTime | None:
        """What a line costs."""
        return self._times.get(line)

    def stripes_on(self, line: int) -> tuple[str, ...]:
        """Colours of the bars beside a line."""
        return self._stripes.get(line, ())

    def notes_on(self, line: int) -> tuple[str, ...]:
        """Texts after the end of a line."""
        return tuple(note.text for note in self._notes.get(line, ()))

    def tint_on(self, line: int) -> str:
        """Background of a line, or empty."""
        return self._tints.get(line, "")

    def tooltip_of(self, line: int) -> str:
        """What is said about a line."""
        return self.folds.tooltip_of(line) or self._tooltips(line) if line else ""

    def visible_lines(self) -> Iterator[tuple[int, float, float]]:
        """(line, top, height) of every line in view, in pixels of the viewport."""
        block = self.firstVisibleBlock()
        top = self.blockBoundingGeometry(block).translated(self.contentOffset()).top()
        bottom = self.viewport().height()
        while block.isValid() and top <= bottom:
            height = self.blockBoundingRect(block).height()
            if block.isVisible():
                yield block.blockNumber() + 1, top, height
                top += height
            block = self.folds.next_block(block)

    def line_at(self, y: float) -> int:
        """The line at a height of the viewport, or 0."""
        return next((line for line, top, height in self.visible_lines() if top <= y < top + height), 0)

    def is_line_visible(self, line: int) -> bool:
        """Whether a line is wholly in view."""
        bottom = self.viewport().height()
        return any(
            number == line and top >= -1 and top + height <= bottom + 1
            for number, top, height in self.visible_lines()
        )

    # -- moving ------------------------------------------------------------------------------------------------

    def show_line(self, line: int, reveal: bool = True) -> None:
        """Bring a line to the middle, unless it is in view already. `reveal`: also where that has to unfold something."""
        if (self.folds.row_over(line) is not None and reveal) or not self.is_line_visible(line):
            self.go_to_line(line, reveal)
            self.centerCursor()

    def go_to_line(self, line: int, reveal: bool = True) -> None:
        """Put the text cursor at the beginning of a line."""
        if reveal:
            self.folds.reveal(line)
        self._color_around(line)
        self.setTextCursor(QTextCursor(self.document().findBlockByNumber(line - 1)))

    def click_line(self, line: int, modifiers: Qt.KeyboardModifier) -> None:
        """A line was clicked, in the text or in the gutter."""
        self.go_to_line(line)
        self.line_clicked.emit(line, modifiers)

    def hover_at(self, y: float) -> None:
        """Tell which line the mouse is over."""
        line = self.line_at(y) if y >= 0 else 0
        if line != self._line_under_mouse:
            self._line_under_mouse = line
            self.line_hovered.emit(line)

    # -- Qt ----------------------------------------------------------------------------------------------------

    def paintEvent(self, event: QPaintEvent) -> None:
        colors, area = current.colors(), QRectF(self.viewport().rect())
        lines = list(self.visible_lines())
        painter = QPainter(self.viewport())
        cursor_line = self.current_line if self.hasFocus() else 0
        paint_backgrounds(painter, lines, area.width(), self._tints, self.pinned, cursor_line)
        painter.end()
        super().paintEvent(event)
        painter = QPainter(self.viewport())

        def paint_ground(row: tuple[int, float, float]) -> None:
            painter.fillRect(QRectF(0, row[1], area.width(), row[2]), self.palette().base())
            paint_backgrounds(painter, [row], area.width(), self._tints, self.pinned, cursor_line)

        paint_hidden_text(painter, self, lines, paint_ground)
        self.folds.paint(painter, lines, area.width(), self.pinned | self.hovered)
        if self._notes:
            ends = [(*row, self._end_of(row[0])) for row in lines if row[0] in self._notes]
            paint_notes(painter, ends, self._notes, area.width(), self.font())
        pinned, hovered = self.folds.lines_seen(self.pinned), self.folds.lines_seen(self.hovered)
        paint_outlines(painter, lines, area.width(), hovered - pinned, colors.hovered)
        paint_outlines(painter, lines, area.width(), pinned, colors.pinned)
        self.folds.paint_place(painter, lines, area.width())
        if self.verticalScrollBar().maximum() > 0:
            marked: list[tuple[Collection[int], str]] = [
                (self.hovered, colors.hovered),
                (self.pinned, colors.pinned),
            ]
            marked += [((line,), mark.color) for line, marks in self._marks.items() for mark in marks]
            if self.folds.runs:
                marked = [(self.folds.ranks(lines), color) for lines, color in marked]
            paint_overview(painter, area, self.blockCount() - self.folds.hidden_above(), marked)
        painter.end()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        row = self.folds.row_on(self.line_at(event.position().y())) if self.folds.runs else None
        if row is not None and event.button() is Qt.MouseButton.LeftButton:
            self.folds.unfold(row)
            self._unfolding = True
            return
        place, selected = place_seen(self, event.position()), self.textCursor()
        super().mousePressEvent(event)
        begins_drag = (
            selected.hasSelection() and selected.selectionStart() <= (place or 0) < selected.selectionEnd()
        )
        if place is not None and event.button() is Qt.MouseButton.LeftButton and not begins_drag:
            self._set_cursor(place, extend=bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier))

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        super().mouseDoubleClickEvent(event)
        if (place := place_seen(self, event.position())) is not None:
            self._set_cursor(place)
            cursor = self.textCursor()
            cursor.select(QTextCursor.SelectionType.WordUnderCursor)
            self.setTextCursor(cursor)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        before = self.textCursor()
        super().mouseMoveEvent(event)
        place = place_seen(self, event.position()) if self.textCursor() != before else None
        if place is not None:
            self._set_cursor(place, extend=True)
        self.hover_at(event.position().y())

    def leaveEvent(self, event: QEvent) -> None:
        super().leaveEvent(event)
        self.hover_at(-1)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if self._unfolding:
            self._unfolding = False
            return
        super().mouseReleaseEvent(event)
        line = self.line_at(event.position().y())
        dragged = self.textCursor().hasSelection()
        if line and event.button() is Qt.MouseButton.LeftButton and not dragged:
            self.line_clicked.emit(line, event.modifiers())

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self.isReadOnly():
            if (row := self.folds.row_on(self.current_line)) is not None:
                self.folds.unfold(row)
                return
            self.line_clicked.emit(self.current_line, event.modifiers())
        elif event.key() == Qt.Key.Key_F and event.modifiers() == Qt.KeyboardModifier.ControlModifier:
            self.find_bar.open()
        else:
            super().keyPressEvent(event)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        menu = self.createStandardContextMenu()
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        line = self.line_at(event.pos().y())
        found = self._file_line(line) if line else None
        if found is not None and self._open_line is not None:
            first = next(iter(menu.actions()), None)
            action = line_action(menu, found, self._open_line)
            menu.insertAction(first, action) if first is not None else menu.addAction(action)
        menu.popup(event.globalPos())

    def wheelEvent(self, event: QWheelEvent) -> None:
        if event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            self.zoom(1 if event.angleDelta().y() > 0 else -1)
        else:
            super().wheelEvent(event)

    def zoom(self, steps: int) -> None:
        """Larger or smaller letters, by points."""
        font = self.font()
        font.setPointSize(min(_LARGEST, max(_SMALLEST, font.pointSize() + steps)))
        self.setFont(font)
        self._fit_gutter()
        self._color_in_view()

    def viewportEvent(self, event: QEvent) -> bool:
        if isinstance(event, QHelpEvent) and event.type() == QEvent.Type.ToolTip:
            QToolTip.showText(event.globalPos(), self.tooltip_of(self.line_at(event.pos().y())), self)
            return True
        return super().viewportEvent(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit_gutter()
        self._color_in_view()

    def _put(self, text: str) -> None:
        """`setPlainText`; where lines stand for themselves Qt does not ask the highlighter about each of them, which takes
        longer than all else. A screen reader listens to the document as the highlighter does.
        """
        if not self._highlighter.even or QAccessible.isActive():
            self.setPlainText(text)
            return
        document, lines = self.document(), self.blockCount()
        document.blockSignals(True)
        try:
            self.setPlainText(text)
        finally:
            document.blockSignals(False)
        if document.blockCount() != lines:
            document.blockCountChanged.emit(document.blockCount())
        self._highlighter.color_seen()

    def _set_cursor(self, place: int, extend: bool = False) -> None:
        cursor = self.textCursor()
        mode = QTextCursor.MoveMode.KeepAnchor if extend else QTextCursor.MoveMode.MoveAnchor
        cursor.setPosition(place, mode)
        self.setTextCursor(cursor)

    def _end_of(self, line: int) -> float:
        """Where the code of a line ends, in pixels of the viewport."""
        block = self.document().findBlockByNumber(line - 1)
        layout = block.layout()
        wide = layout.lineAt(0).naturalTextWidth() if layout.lineCount() else 0.0
        wide = max(wide, shown_end(block, self.font()))
        return wide + self.contentOffset().x() + self.document().documentMargin()

    def _fit_gutter(self) -> None:
        width = self._gutter.width_needed()
        bar = self.find_bar.height_shown()
        self.setViewportMargins(width, bar, 0, 0)
        area = self.contentsRect()
        self._gutter.setGeometry(QRect(area.left(), area.top() + bar, width, area.height() - bar))
        self.find_bar.setGeometry(QRect(area.left(), area.top(), area.width(), bar))
        self._repaint()

    def _color_in_view(self) -> None:
        self._color_around(self.firstVisibleBlock().blockNumber() + 1)
        for line, _, _ in self.visible_lines() if self.folds.runs else ():
            if (row := self.folds.row_on(line)) is not None:
                self._color_around(row.last_line + 1)

    def _on_folds(self) -> None:
        self._fit_gutter()
        self._color_in_view()

    def _on_cursor(self) -> None:
        line = self.current_line
        if self.folds.line_seen(line) != line:
            self.folds.reveal(line)
        self._repaint()

    def _color_around(self, line: int) -> None:
        """As far as the view reaches, wherever in it the line comes to stand."""
        self._highlighter.color_around(line, self.viewport().height() // self.fontMetrics().height() + 2)

    def _scroll_gutter(self, area: QRect, by: int) -> None:
        if by:
            self._gutter.scroll(0, by)
        else:
            self._gutter.update(0, area.y(), self._gutter.width(), area.height())

    def _repaint(self) -> None:
        self.viewport().update()
        self._gutter.update()
