"""What the window shows before anything is captured: what to do first."""

from collections.abc import Callable
from html import escape

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QPalette, QShowEvent
from PySide6.QtWidgets import (
    QFrame,
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from app.session.facade.session import Session
from app.theme import current, fonts
from app.theme.drawn_text import elided
from app.theme.icons import app_icon
from app.translation.language import shown_language
from app.translation.texts import tr
from app.widgets.layouts.boxes import Room, column_of, row_of, set_column, set_row
from app.window.capture_progress import CaptureProgress
from app.window.choice_card import ChoiceCard
from app.window.start.examples import find_examples
from app.window.start.left_behind import LeftBehind
from app.window.start.recent_files import recent
from compiler.analysis.text_format.visible_text import visible, visible_line
from compiler.analysis.tours.tour_file import find_tour
from compiler.model.ir.diagnostics import Severity

_COLUMN_WIDTH = 840
_BETWEEN = 24
GUIDED_STARTS = ("compile", "break", "edit")
"""Tours to begin with."""
_STYLE = """
QPushButton[flat="true"] {{ text-align: left; padding: 4px 11px; color: {accent}; border: none; background: transparent; }}
QPushButton[flat="true"]:hover, QPushButton[flat="true"]:focus {{ text-decoration: underline; }}
"""


class WelcomePage(QScrollArea):
    """One's own model, a session file, what was open last, tours, and examples. Says what happens while capturing."""

    example_chosen = Signal(str)
    """``path:Name``."""
    model_wanted = Signal()
    session_wanted = Signal()
    recent_chosen = Signal(str)
    tour_chosen = Signal(str)
    """The name of a tour."""
    tours_wanted = Signal()
    labs_wanted = Signal()
    problems_wanted = Signal()
    back_wanted = Signal()
    """Back to what is open."""

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("welcome_page")
        self.setAccessibleName(tr("Welcome"))
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setWidgetResizable(True)
        self._session = session
        page = QWidget(self)
        self._column = QVBoxLayout()
        set_row(page, Room(), (self._column, 0), Room())
        self.setWidget(page)
        self._fill(page)
        session.status_changed.connect(self._show_state)
        session.problems_changed.connect(self._show_state)
        current.signals().changed.connect(self._restyle)
        self._restyle()

    def _restyle(self) -> None:
        colors = current.colors()
        self.choices.setStyleSheet(_STYLE.format(accent=colors.accent))
        self._show_state()

    def refresh(self) -> None:
        """Show the recent files as they are now."""
        while (item := self._recent_rows.takeAt(0)) is not None:
            widget = item.widget()
            if widget is not None:
                widget.hide()
                widget.deleteLater()
        self.left_behind.fill()
        names = recent()
        self._recent_title.setVisible(bool(names))
        for name in names:
            row = self._link(name, visible_line(name))
            row.clicked.connect(self._sender_of(self.recent_chosen, name))
            self._recent_rows.addWidget(row)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        if not event.spontaneous():
            self.setFocus()

    def _fill(self, page: QWidget) -> None:
        column = self._column
        column.setContentsMargins(24, 36, 24, 24)
        column.setSpacing(10)
        column.addLayout(self._heading(page))
        self.state = QLabel(page)
        self.state.setObjectName("welcome_state")
        self.state.setWordWrap(True)
        self.state.setTextFormat(Qt.TextFormat.RichText)
        self.state.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.state.setMaximumWidth(_COLUMN_WIDTH)
        column.addWidget(self.state)
        column.addWidget(self._after_failure(page))
        self.progress = CaptureProgress(self._session, page)
        self.progress.hide()
        column.addWidget(self.progress)
        self.choices = QWidget(page)
        column.addWidget(self.choices)
        column.addStretch(1)
        self._fill_choices(self.choices)

    def _after_failure(self, page: QWidget) -> QWidget:
        """What to do next where a capture failed: again, once the file is corrected, or read all of what went wrong."""
        self.failed = QWidget(page)
        row = QHBoxLayout(self.failed)
        row.setContentsMargins(0, 0, 0, 0)
        self.again = QPushButton(tr("Capture again"), self.failed)
        self.again.setToolTip(tr("From the files as they are now (F5)"))
        self.again.clicked.connect(self._session.capture_again)  # nothing is open whose edits it could lose
        self.details = QPushButton(tr("Details"), self.failed)
        self.details.setToolTip(tr("All problems, with what torch and Python said"))
        self.details.clicked.connect(self.problems_wanted)
        for button in (self.again, self.details):
            row.addWidget(button)
        row.addStretch(1)
        return self.failed

    def _fill_choices(self, page: QWidget) -> None:
        column = set_column(page, margins=(0, 8, 0, 0), spacing=8)
        self.back = QPushButton(page)
        self.back.setObjectName("back_to_open")
        self.back.setFlat(True)
        self.back.clicked.connect(self.back_wanted)
        self.back.hide()
        column.addWidget(self.back, 0, Qt.AlignmentFlag.AlignLeft)
        halves = row_of(self._own_half(page), self._guided_half(page), spacing=_BETWEEN)
        column.addLayout(halves)
        self.examples = QWidget(page)
        grid = QGridLayout(self.examples)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setHorizontalSpacing(_BETWEEN)
        grid.setVerticalSpacing(8)
        for number, example in enumerate(find_examples()):
            target = f"{example.path}:{example.target}"
            button = self._choice(example.path.name, example.text, self.examples)
            button.setObjectName(f"example_{example.path.stem}")
            button.clicked.connect(self._sender_of(self.example_chosen, target))
            grid.addWidget(button, number // 2, number % 2)
        column.addWidget(self.examples)
        self._show_examples(False)
        self.refresh()

    def _own_half(self, page: QWidget) -> QVBoxLayout:
        """One's own programs and files, and what was open last."""
        half = column_of(self._title(tr("Open"), page), spacing=8)
        for text, about, signal, tip in (
            (
                tr("Your model…"),
                tr("A Python file or module, or a program that torch.export saved"),
                self.model_wanted,
                "Ctrl+N",
            ),
            (
                tr("A session or log…"),
                tr("A .loupe file, or what TORCH_TRACE wrote; no code of it is run"),
                self.session_wanted,
                "Ctrl+O",
            ),
        ):
            own = self._choice(text, about, page)
            if self.focusProxy() is None:  # what most people want is one Enter away
                self.setFocusProxy(own)
            own.setToolTip(tip)
            own.clicked.connect(signal)
            half.addWidget(own)
        self.left_behind = LeftBehind(self._session, self._title, self._link, page)
        half.addWidget(self.left_behind)
        self._recent_title = self._title(tr("Recent"), page)
        half.addWidget(self._recent_title)
        self._recent_rows = QVBoxLayout()
        self._recent_rows.setSpacing(0)
        half.addLayout(self._recent_rows)
        self.more = QPushButton(page)
        self.more.setObjectName("more_examples")
        self.more.setFlat(True)
        self.more.setCheckable(True)
        self.more.toggled.connect(self._show_examples)
        half.addWidget(self.more, 0, Qt.AlignmentFlag.AlignLeft)
        half.addStretch(1)
        return half

    def _guided_half(self, page: QWidget) -> QVBoxLayout:
        """Tours to begin with; the card of a tour says the rest."""
        half = column_of(self._title(tr("Learn by doing"), page), spacing=8)
        language = shown_language().partition("_")[0]
        for name in GUIDED_STARTS:
            tour = find_tour(name)
            button = self._choice(tour.title.text(language), tour.about.text(language), page)
            button.setObjectName(f"tour_{name}")
            button.clicked.connect(self._sender_of(self.tour_chosen, name))
            half.addWidget(button)
        more = QHBoxLayout()
        for name, text, signal in (
            ("all_tours", tr("All tours…"), self.tours_wanted),
            ("labs", tr("Labs"), self.labs_wanted),
        ):
            link = QPushButton(text, page)
            link.setObjectName(name)
            link.setFlat(True)
            link.clicked.connect(signal)
            more.addWidget(link)
        more.addStretch(1)
        half.addLayout(more)
        half.addStretch(1)
        return half

    def _choice(self, title: str, about: str, page: QWidget) -> ChoiceCard:
        return ChoiceCard(title, about, _COLUMN_WIDTH // 2 - _BETWEEN // 2, page)

    def _show_examples(self, shown: bool) -> None:
        self.more.setText(tr("▾ Examples") if shown else tr("▸ Examples"))
        self.examples.setVisible(shown)

    def _heading(self, page: QWidget) -> QHBoxLayout:
        row = QHBoxLayout()
        picture = QLabel(page)
        picture.setPixmap(app_icon().pixmap(48, 48))
        row.addWidget(picture)
        texts = QVBoxLayout()
        name = QLabel("Torch Loupe", page)
        name.setFont(fonts.interface(1.9, bold=True))
        what = QLabel(
            tr("See every stage of torch.compile, edit a graph, recompile, and time the kernels."), page
        )
        what.setForegroundRole(QPalette.ColorRole.PlaceholderText)
        texts.addWidget(name)
        texts.addWidget(what)
        row.addSpacing(10)
        row.addLayout(texts)
        row.addStretch(1)
        return row

    def _title(self, text: str, page: QWidget) -> QLabel:
        label = QLabel(text, page)
        label.setFont(fonts.interface(1.15, bold=True))
        label.setContentsMargins(0, 10, 0, 0)
        return label

    def _link(self, name: str, text: str) -> QPushButton:
        button = QPushButton(self.widget())
        button.setFlat(True)
        button.setAutoDefault(True)
        wide = _COLUMN_WIDTH // 2 - 40
        shown = elided(button.fontMetrics(), text, Qt.TextElideMode.ElideMiddle, wide)
        button.setText(shown.replace("&", "&&"))
        button.setAccessibleName(text)
        button.setToolTip(name)
        return button

    def _sender_of(self, signal: object, value: str) -> Callable[[], None]:
        return lambda: signal.emit(value)  # type: ignore[attr-defined]

    def _show_state(self) -> None:
        """What the engine is doing, or why the last capture failed."""
        capture = self._session.capture
        self.back.setVisible(capture is not None)
        if capture is not None:
            self.back.setText(
                tr("← Back to {visible_line}")
                .format(visible_line=visible_line(capture.spec.target.name))
                .replace("&", "&&")
            )
            self.state.hide()
            self.failed.hide()
            self.progress.hide()
            self.choices.show()
            return
        capturing = self._session.capturing is not None
        self.progress.setVisible(capturing)
        self.choices.setVisible(not capturing)
        colors = current.colors()
        problems = [problem for problem in self._session.problems if problem.severity is not Severity.NOTE]
        busy = self._session.busy and not capturing
        if busy:
            self.state.setText(
                f'<span style="color:{colors.accent}">{escape(visible(self._session.status_text))}…</span>'
            )
        elif problems:
            problem = problems[-1]
            color = colors.error if problem.severity is Severity.ERROR else colors.warning
            self.state.setText(f'<span style="color:{color}">{escape(visible(problem.message()))}</span>')
            self.state.setToolTip(problem.detail)
        self.state.setVisible(not capturing and (busy or bool(problems)))
        self.failed.setVisible(not capturing and not busy and bool(problems))
        self.again.setVisible(self._session.causes.failures.spec is not None)
