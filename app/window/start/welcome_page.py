"""What the window shows before anything is captured: what to do first."""

from collections.abc import Callable
from html import escape
from pathlib import Path

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QPalette
from PySide6.QtWidgets import (
    QCommandLinkButton,
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
from app.theme.icons import app_icon
from app.window.capture_progress import CaptureProgress
from app.window.start.examples import find_examples
from app.window.start.recent_files import is_session_file, recent
from compiler.analysis.text_format.visible_text import visible, visible_line
from compiler.model.ir.diagnostics import Severity

_COLUMN_WIDTH = 760


class WelcomePage(QScrollArea):
    """Examples, one's own model, a session file, and what was open last. Says what happens while capturing."""

    example_chosen = Signal(str)
    """``path:Name``."""
    model_wanted = Signal()
    session_wanted = Signal()
    recent_chosen = Signal(str)

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("welcome_page")
        self.setAccessibleName("Welcome")
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setWidgetResizable(True)
        self._session = session
        page = QWidget(self)
        self._column = QVBoxLayout()
        outer = QHBoxLayout(page)
        outer.addStretch(1)
        outer.addLayout(self._column, 0)
        outer.addStretch(1)
        self.setWidget(page)
        self._fill(page)
        session.status_changed.connect(self._show_state)
        session.problems_changed.connect(self._show_state)
        current.signals().changed.connect(self._show_state)
        self._show_state()

    def refresh(self) -> None:
        """Show the recent files as they are now."""
        while (item := self._recent_rows.takeAt(0)) is not None:
            widget = item.widget()
            if widget is not None:
                widget.deleteLater()
        names = recent()
        self._recent_title.setVisible(bool(names))
        for name in names:
            kind = "Session" if is_session_file(name) else "Model"
            self._recent_rows.addWidget(self._link(name, f"{kind}: {visible_line(name)}"))

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
        self.progress = CaptureProgress(self._session, page)
        self.progress.hide()
        column.addWidget(self.progress)
        self.choices = QWidget(page)
        column.addWidget(self.choices)
        column.addStretch(1)
        self._fill_choices(self.choices)

    def _fill_choices(self, page: QWidget) -> None:
        column = QVBoxLayout(page)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(10)
        column.addWidget(self._title("Open an example", page))
        grid = QGridLayout()
        grid.setSpacing(4)
        for number, example in enumerate(find_examples()):
            target = f"{example.path}:{example.target}"
            button = QCommandLinkButton(example.path.name, example.text, page)
            button.setObjectName(f"example_{example.path.stem}")
            button.setFixedWidth(_COLUMN_WIDTH // 2 - 4)
            button.clicked.connect(self._sender_of(self.example_chosen, target))
            button.setIconSize(QSize(0, 0))
            grid.addWidget(button, number // 2, number % 2)
        column.addLayout(grid)
        column.addWidget(self._title("Or your own", page))
        row = QHBoxLayout()
        for text, signal, tip in (
            (
                "Open your model…",
                self.model_wanted,
                "Choose a Python file and what in it to compile (Ctrl+N)",
            ),
            (
                "Open a session file…",
                self.session_wanted,
                "Open a .loupe file; no code of it is run (Ctrl+O)",
            ),
        ):
            own = QPushButton(text, page)
            own.setToolTip(tip)
            own.setMinimumHeight(32)
            own.clicked.connect(signal)
            row.addWidget(own)
        row.addStretch(1)
        column.addLayout(row)
        self._recent_title = self._title("Opened last", page)
        column.addWidget(self._recent_title)
        self._recent_rows = QVBoxLayout()
        self._recent_rows.setSpacing(2)
        column.addLayout(self._recent_rows)
        self.refresh()

    def _heading(self, page: QWidget) -> QHBoxLayout:
        row = QHBoxLayout()
        picture = QLabel(page)
        picture.setPixmap(app_icon().pixmap(48, 48))
        row.addWidget(picture)
        texts = QVBoxLayout()
        name = QLabel("Torch Loupe", page)
        name.setFont(fonts.interface(1.9, bold=True))
        what = QLabel(
            "See every stage of torch.compile, edit a graph, recompile, and time the kernels.", page
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
        button = QPushButton(text.replace("&", "&&"), self.widget())
        button.setFlat(True)
        button.setStyleSheet("text-align: left; padding: 3px 6px;")
        button.setToolTip(name)
        button.clicked.connect(self._sender_of(self.recent_chosen, name))
        return button

    def _sender_of(self, signal: object, value: str) -> Callable[[], None]:
        return lambda: signal.emit(value)  # type: ignore[attr-defined]

    def _show_state(self) -> None:
        """What the engine is doing, or why the last capture failed."""
        if self._session.capture is not None:
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


def target_of_recent(name: str) -> tuple[str, str]:
    """A program's name as the engine wants it, and the folder it starts from."""
    file, _, thing = name.rpartition(":")
    path = Path(file)
    return (f"{path.name}:{thing}", str(path.parent)) if file.endswith(".py") else (name, str(Path.cwd()))
