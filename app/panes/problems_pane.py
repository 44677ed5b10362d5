"""The problems pane: everything that went wrong, where, and what to do about it."""

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QGuiApplication, QIcon, QPainter, QPixmap
from PySide6.QtWidgets import (
    QHBoxLayout,
    QLabel,
    QStackedLayout,
    QToolButton,
    QTreeWidgetItem,
    QVBoxLayout,
    QWidget,
)

from app.session.facade.session import Session
from app.theme import current, fonts
from app.translation.compiler_words import stage_title
from app.translation.texts import tr, tr_noop
from app.widgets.empty_state import EmptyState
from app.widgets.filter_tree import FilterTree
from app.widgets.gutter_marks import draw_mark
from app.widgets.line_menu import offer_lines
from compiler.model.ir.diagnostics import Problem, Severity
from compiler.model.ir.ids import NOWHERE, Place, line_id, place
from compiler.model.ir.stage import SourceStage

_WHAT, _WHERE = range(2)
_INDEX_ROLE = int(Qt.ItemDataRole.UserRole)


class ProblemsPane(QWidget):
    """One row a problem with its remedy below it; a click goes to where it is."""

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("problems_pane")
        self._session = session
        self._problems: tuple[Problem, ...] = ()
        self.rows = FilterTree((tr("What"), tr("Where")), tr("Filter problems"), self)
        self.rows.tree.setUniformRowHeights(False)
        self.rows.tree.setWordWrap(True)
        self.rows.stretch_column(_WHAT)
        self.count = QLabel(self)
        self.copy = self._button(tr("Copy"), tr("Copy all problems with their details"))
        self.clear = self._button(
            tr("Clear"), tr("Forget what was reported; problems of captures and edits stay with them")
        )
        bar = QHBoxLayout()
        bar.addWidget(self.count, 1)
        bar.addWidget(self.copy)
        bar.addWidget(self.clear)
        self.empty = EmptyState(
            tr("No problems"), tr("Errors and warnings are listed here with what to do about them."), self
        )
        self._stack = QStackedLayout()
        self._stack.addWidget(self.empty)
        self._stack.addWidget(self.rows)
        column = QVBoxLayout(self)
        column.setContentsMargins(6, 2, 4, 0)
        column.setSpacing(2)
        column.addLayout(bar)
        column.addLayout(self._stack, 1)
        self.rows.tree.itemClicked.connect(self._go_to)
        self.rows.tree.itemActivated.connect(self._go_to)
        offer_lines(self.rows.tree, self._file_line, session.editor.open)
        self.copy.clicked.connect(self._copy)
        self.clear.clicked.connect(session.clear_problems)
        session.problems_changed.connect(self.fill)
        current.signals().changed.connect(self.fill)
        self.fill()

    def _button(self, text: str, tooltip: str) -> QToolButton:
        button = QToolButton(self)
        button.setText(text)
        button.setToolTip(tooltip)
        return button

    def fill(self) -> None:
        """Show the session's problems, the newest first."""
        self._problems = tuple(reversed(self._session.problems))
        self._stack.setCurrentWidget(self.rows if self._problems else self.empty)
        self.rows.tree.clear()
        for index, problem in enumerate(self._problems):
            self._add(index, problem)
        self.rows.apply_filter()
        self.count.setText(_count_text(self._problems))
        self.copy.setEnabled(bool(self._problems))
        self.clear.setEnabled(bool(self._problems))

    def _add(self, index: int, problem: Problem) -> None:
        row = QTreeWidgetItem([problem.what, self._where(problem)])
        row.setIcon(_WHAT, severity_icon(problem.severity))
        row.setToolTip(_WHAT, problem.message())
        row.setData(_WHAT, _INDEX_ROLE, index)
        self.rows.tree.addTopLevelItem(row)
        if problem.remedy:
            remedy = QTreeWidgetItem(row, [f"→ {problem.remedy}"])
            remedy.setData(_WHAT, _INDEX_ROLE, index)
        if problem.detail:
            head = QTreeWidgetItem(row, [tr("Details")])
            head.setForeground(_WHAT, self.palette().placeholderText())
            text = QTreeWidgetItem(head, [problem.detail.strip()])
            text.setFont(_WHAT, fonts.monospace())
        row.setExpanded(True)

    def _where(self, problem: Problem) -> str:
        if problem.path:
            name = problem.path.rpartition("/")[2]
            return f"{name}:{problem.line}" if problem.line else name
        capture = self._session.capture
        if problem.place is None or capture is None:
            return ""
        titles = {stage.id: stage_title(stage.title) for stage in capture.stages}
        nodes = ", ".join(problem.place.nodes[:3])
        return tr("{nodes} in {value}").format(
            nodes=nodes, value=titles.get(problem.place.stage, problem.place.stage)
        )

    def _place_of(self, problem: Problem) -> Place:
        if problem.place is not None:
            return problem.place
        capture = self._session.capture
        for stage in capture.stages if capture is not None and problem.line else ():
            if isinstance(stage.content, SourceStage) and stage.content.file.path == problem.path:
                return place(stage.id, line_id(problem.line or 1))
        return NOWHERE

    def _file_line(self, item: QTreeWidgetItem) -> tuple[str, int] | None:
        index = item.data(_WHAT, _INDEX_ROLE)
        problem = self._problems[index] if index is not None else None
        return (problem.path, problem.line or 1) if problem is not None and problem.path else None

    def _go_to(self, item: QTreeWidgetItem) -> None:
        index = item.data(_WHAT, _INDEX_ROLE)
        location = self._place_of(self._problems[index]) if index is not None else NOWHERE
        if location:
            self._session.selection.select(location, self)
            self._session.show_stage(location.stage)

    def _copy(self) -> None:
        texts = [f"{problem.message()}\n{problem.detail}".strip() for problem in self._problems]
        QGuiApplication.clipboard().setText("\n\n".join(texts))


def _count_text(problems: tuple[Problem, ...]) -> str:
    parts = []
    for severity, counted in (
        (Severity.ERROR, tr_noop("%n error(s)", None, 1)),
        (Severity.WARNING, tr_noop("%n warning(s)", None, 1)),
        (Severity.NOTE, tr_noop("%n note(s)", None, 1)),
    ):
        if count := sum(problem.severity is severity for problem in problems):
            parts.append(tr(counted, None, count))
    return ", ".join(parts)


def severity_icon(severity: Severity) -> QIcon:
    """A sign that differs in shape as well as in colour."""
    colors = current.colors()
    shape, color = {
        Severity.ERROR: ("cross", colors.error),
        Severity.WARNING: ("arrow", colors.warning),
        Severity.NOTE: ("dot", colors.accent),
    }[severity]
    pixmap = QPixmap(16, 16)
    pixmap.fill(Qt.GlobalColor.transparent)
    painter = QPainter(pixmap)
    draw_mark(painter, QRectF(1, 1, 14, 14), shape, color)
    painter.end()
    return QIcon(pixmap)
