"""The verdict at a glance: a mark, the speed with its interval, the error with its meaning."""

import math

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QPalette, QPen, QResizeEvent
from PySide6.QtWidgets import QGridLayout, QLabel, QSizePolicy, QWidget

from app.theme import current, fonts
from app.translation.compiler_texts import translate
from app.translation.texts import tr
from app.widgets.labels.wrapped_label import WrappedLabel
from compiler.analysis.text_format.times import summary_text
from compiler.analysis.text_format.verdict_headline import VerdictHeadline, headline
from compiler.model.timing.paired_ratio import PairedRatio
from compiler.model.timing.verdicts import Verdict

_WIDEST = 4.0
"""The bar goes from four times as fast to four times as slow, or as far as the interval does."""
_BAR = QSize(160, 22)


class RatioBar(QWidget):
    """A logarithmic scale with 1 in the middle, faster to the left; the interval as a bar, the median as a dot."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setMinimumSize(_BAR.width() // 2, _BAR.height())
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self._ratio: PairedRatio | None = None

    def sizeHint(self) -> QSize:
        return _BAR

    def show_ratio(self, ratio: PairedRatio | None) -> None:
        """After over before; None hides it."""
        self._ratio = ratio
        self.setVisible(ratio is not None)
        if ratio is not None:
            self.setToolTip(
                tr(
                    "Time of one step after over before: {ratio:.2f}, 95 % interval {low:.2f} to "
                    "{high:.2f}, from {pairs} pairs of steps timed in turns"
                ).format(ratio=ratio.ratio, low=ratio.low, high=ratio.high, pairs=ratio.pairs)
            )
        self.update()

    def place_of(self, value: float) -> float:
        """Where a ratio stands, from 0 at the left to 1 at the right end."""
        assert self._ratio is not None
        ends = (self._ratio.low, 1 / max(self._ratio.high, 1e-9))
        reach = math.log(max(_WIDEST, *(1 / max(end, 1e-9) for end in ends)))
        return min(max(0.5 + math.log(max(value, 1e-9)) / (2 * reach), 0.0), 1.0)

    def paintEvent(self, event: QPaintEvent) -> None:
        ratio = self._ratio
        if ratio is None:
            return
        colors = current.colors()
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        left, wide, middle = 4.0, self.width() - 8.0, self.height() / 2
        painter.setPen(QPen(QColor(colors.line), 2))
        painter.drawLine(QPointF(left, middle), QPointF(left + wide, middle))
        painter.setPen(QPen(QColor(colors.dim_text), 1))
        painter.drawLine(QPointF(left + wide / 2, 2), QPointF(left + wide / 2, self.height() - 2))
        shade = colors.dim_text if not ratio.clear else colors.good if ratio.ratio <= 1 else colors.warning
        low, high = (left + wide * self.place_of(end) for end in (ratio.low, ratio.high))
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(shade))
        painter.drawRoundedRect(QRectF(low, middle - 3, max(high - low, 2), 6), 3, 3)
        painter.drawEllipse(QPointF(left + wide * self.place_of(ratio.ratio), middle), 5, 5)


_SPACING = 24
"""Pixels between the answers."""
_ABOVE = 8
"""Pixels above an answer that stands below another."""


class VerdictCard(QWidget):
    """Three answers, beside one another or, in a narrow dock, the error below the speed; below each in small what it means."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("verdict_card")
        self.mark, self.word = QLabel(self), QLabel(self)
        self.speed, self.times = QLabel(self), WrappedLabel("", self)
        self.bar = RatioBar(self)
        self.error, self.meaning = QLabel(self), WrappedLabel("", self)
        self.moved = WrappedLabel("", self)
        for label in (self.times, self.meaning, self.moved):
            label.setForegroundRole(QPalette.ColorRole.PlaceholderText)
        self.mark.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.word.setAlignment(Qt.AlignmentFlag.AlignHCenter | Qt.AlignmentFlag.AlignTop)
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(0, 0, 0, 4)
        self._grid.setHorizontalSpacing(_SPACING)
        self._grid.setVerticalSpacing(0)
        self._grid.addWidget(self.mark, 0, 0, 2, 1)
        self._grid.addWidget(self.word, 2, 0)
        self._grid.addWidget(self.speed, 0, 1)
        self._grid.addWidget(self.bar, 1, 1)
        self._grid.addWidget(self.times, 2, 1, Qt.AlignmentFlag.AlignTop)
        self._grid.setColumnStretch(1, 1)
        self._wide: bool | None = None
        self._arrange()

    def minimumSizeHint(self) -> QSize:
        """As narrow as the longer answer beside the mark."""
        longer = max(self.speed.sizeHint().width(), self.error.sizeHint().width())
        return QSize(self._right_of_mark() + longer, super().minimumSizeHint().height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._arrange()

    def _right_of_mark(self) -> int:
        return max(self.mark.sizeHint().width(), self.word.sizeHint().width()) + _SPACING

    def _arrange(self) -> None:
        """By the room there is."""
        answers = self.speed.sizeHint().width() + _SPACING + self.error.sizeHint().width()
        wide = self.width() >= self._right_of_mark() + answers
        if wide == self._wide:
            return
        self._wide = wide
        for widget in (self.error, self.meaning, self.moved):
            self._grid.removeWidget(widget)
        top = Qt.AlignmentFlag.AlignTop
        if wide:
            self._grid.addWidget(self.error, 0, 2)
            self._grid.addWidget(self.meaning, 1, 2, 2, 1, top)
            self._grid.addWidget(self.moved, 3, 0, 1, 3)
        else:
            self._grid.addWidget(self.error, 3, 1)
            self._grid.addWidget(self.meaning, 4, 1, top)
            self._grid.addWidget(self.moved, 5, 0, 1, 2)
        self._grid.setColumnStretch(2, int(wide))
        self.error.setContentsMargins(0, 0 if wide else _ABOVE, 0, 0)

    def show_verdict(self, verdict: Verdict) -> None:
        """Fill it."""
        reported = headline(verdict, translate)
        self.mark.setText(reported.mark)
        self.mark.setFont(fonts.interface(2.6, bold=True))
        self.word.setText(reported.word)
        for label in (self.mark, self.word):
            label.setStyleSheet(f"color: {current.shade_of(reported.right)};")
        for label, text in ((self.speed, reported.speed), (self.error, _format_error(reported))):
            label.setText(text)
            label.setFont(fonts.interface(1.25, bold=True))
        self.bar.show_ratio(reported.interval)
        self.times.setText(_times(verdict, reported))
        self.meaning.setText(reported.meaning)
        self.moved.setText(reported.moved)
        self.moved.setVisible(bool(reported.moved))
        self.updateGeometry()
        self._arrange()


def _format_error(reported: VerdictHeadline) -> str:
    if not reported.error:
        return tr("error not judged")
    return reported.error if reported.error == "exact" else tr("error {error}").format(error=reported.error)


def _times(verdict: Verdict, reported: VerdictHeadline) -> str:
    """The medians, where they say the same as the factor; else why there is no factor."""
    if reported.interval is None or verdict.before is None or verdict.after is None:
        return ""
    if not reported.interval.clear:
        return reported.why_unclear
    return f"{summary_text(verdict.before)} → {summary_text(verdict.after)}"
