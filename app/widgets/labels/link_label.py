"""A label whose words can be links. Texts are escaped; a link names nothing but its number."""

import html
from collections.abc import Iterable
from math import ceil

from PySide6.QtCore import Qt, QUrl, Signal
from PySide6.QtGui import QResizeEvent, QTextOption, QWheelEvent
from PySide6.QtWidgets import QFrame, QSizePolicy, QTextBrowser, QWidget

from app.theme import current
from app.translation.texts import tr
from compiler.analysis.text_format.visible_text import visible


class LinkLabel(QTextBrowser):
    """Shows rich text made by `RichText`, as high as the text needs; long names break anywhere."""

    link_clicked = Signal(int)
    link_hovered = Signal(int)
    """-1 when the mouse left the link."""

    def __init__(self, parent: QWidget | None = None, margin: int = 0) -> None:
        super().__init__(parent)
        self.setAccessibleName(tr("Explanation"))
        self._content: RichText | None = None
        self.setOpenLinks(False)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setWordWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.viewport().setAutoFillBackground(False)
        self.document().setDocumentMargin(margin)
        self.anchorClicked.connect(lambda link: self.link_clicked.emit(int(link.toString())))
        self.highlighted.connect(self._hovered)
        current.signals().changed.connect(self._restyle)

    def set_content(self, content: "RichText") -> None:
        """Show this text."""
        self._content = content
        self._restyle()

    def plain(self) -> str:
        """What can be read, without markup."""
        return self._content.plain if self._content else ""

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit_height()

    def wheelEvent(self, event: QWheelEvent) -> None:
        """The area around it scrolls."""
        event.ignore()

    def _hovered(self, link: QUrl) -> None:
        self.link_hovered.emit(-1 if link.isEmpty() else int(link.toString()))

    def _restyle(self) -> None:
        self.setHtml(self._content.html() if self._content else "")
        self._fit_height()

    def _fit_height(self) -> None:
        self.document().setTextWidth(self.viewport().width())
        self.setFixedHeight(ceil(self.document().size().height()) + 1)


class RichText:
    """Collects paragraphs of text and links. Colours are filled in when it is shown, so the theme may change."""

    def __init__(self) -> None:
        self._parts: list[str] = []
        self.plain = ""

    def text(self, text: str, style: str = "") -> "RichText":
        """Plain text; `style` is any of: bold, dim, mono, error, warning, good, edited (several with spaces)."""
        self._parts.append(_styled(_escaped(text).replace("\n", "<br>"), style))
        self.plain += text
        return self

    def link(self, text: str, number: int, style: str = "") -> "RichText":
        """Words to click; `number` comes back with the signal."""
        inner = _styled(_escaped(text), style)
        self._parts.append(f'<a href="{number}" style="color:{{accent}};text-decoration:none">{inner}</a>')
        self.plain += text
        return self

    def append(self, other: "RichText") -> "RichText":
        """The other text after this one. Numbers of links are taken as they are."""
        self._parts += other._parts  # noqa: SLF001 - the same class
        self.plain += other.plain
        return self

    def code(self, text: str) -> "RichText":
        """Lines of code, spaces kept."""
        inner = _styled(_escaped(text), "mono")
        self._parts.append(f'<div style="white-space:pre-wrap;margin:2px 0px 2px 8px">{inner}</div>')
        self.plain += f"\n{text}\n"
        return self

    def paragraph(self, other: "RichText") -> "RichText":
        """The other text as a paragraph of its own whose further lines are indented."""
        self._parts.append('<div style="margin-bottom:4px;margin-left:14px;text-indent:-14px">')
        self.append(other)
        self._parts.append("</div>")
        self.plain += "\n"
        return self

    def heading(self, text: str) -> "RichText":
        """A heading with some room above."""
        self._parts.append(
            f'<div style="margin-top:10px;margin-bottom:3px">{_styled(_escaped(text), "bold")}</div>'
        )
        self.plain += f"\n{text}\n"
        return self

    def line(self) -> "RichText":
        """End of a line."""
        self._parts.append("<br>")
        self.plain += "\n"
        return self

    def rows(self, rows: Iterable[tuple["RichText | str", "RichText"]]) -> "RichText":
        """Names beside values, in two columns."""
        self._parts.append('<table cellspacing="0" cellpadding="2">')
        for name, value in rows:
            label = RichText().text(name, "dim") if isinstance(name, str) else name
            self._parts.append('<tr><td style="padding-right:10px;white-space:nowrap">')
            self.append(label)
            self._parts.append("</td><td>")
            self.plain += " "
            self.append(value)
            self._parts.append("</td></tr>")
            self.plain += "\n"
        self._parts.append("</table>")
        return self

    def html(self) -> str:
        """The markup in the colours of the active look."""
        colors = current.colors()
        text = "".join(self._parts)
        for name in ("accent", "dim_text", "error", "warning", "good", "edited"):
            text = text.replace(f"{{{name}}}", getattr(colors, name))
        return text


_STYLES = {
    "bold": "font-weight:600",
    "dim": "color:{dim_text}",
    "mono": "font-family:monospace",
    "error": "color:{error}",
    "warning": "color:{warning}",
    "good": "color:{good}",
    "edited": "color:{edited}",
}


def _escaped(text: str) -> str:
    return html.escape(visible(text))


def _styled(escaped: str, style: str) -> str:
    # Braces of the user's text must not be taken for colour names.
    escaped = escaped.replace("{", "&#123;").replace("}", "&#125;")
    css = ";".join(_STYLES[word] for word in style.split())
    return f'<span style="{css}">{escaped}</span>' if css else escaped
