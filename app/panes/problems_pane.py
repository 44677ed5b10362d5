"""The problems pane: everything that went wrong, where, and what to do about it."""

from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QLabel, QStackedLayout, QWidget

from app.session.facade.session import Session
from app.translation.compiler_texts import stage_title
from app.translation.texts import tr, tr_noop
from app.widgets.buttons.tool_button import tool_button
from app.widgets.empty_state import EmptyState
from app.widgets.layouts.boxes import row_of, set_column
from app.widgets.line_menu import offer_lines
from app.widgets.tables.row_table import RowTable
from app.widgets.tables.rows import Cell, Column, Row, Width
from compiler.model.ir.diagnostics import Problem, Severity
from compiler.model.ir.ids import NOWHERE, Place, line_id, place
from compiler.model.ir.stage import SourceStage

_COLUMNS = (Column(tr_noop("What"), width=Width.STRETCH, wraps=True), Column(tr_noop("Where")))
_MARKS = {
    Severity.ERROR: ("cross", "error"),
    Severity.WARNING: ("arrow", "warning"),
    Severity.NOTE: ("dot", "accent"),
}
"""They differ in shape as well as in colour."""


class ProblemsPane(QWidget):
    """One row a problem with its remedy below it; a click goes to where it is."""

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("problems_pane")
        self._session = session
        self._problems: tuple[Problem, ...] = ()
        self.rows = RowTable(_COLUMNS, tr("Filter problems"), self)
        self.count = QLabel(self)
        copy, clear = tr("Copy"), tr("Clear")
        self.copy = tool_button(self, copy, tr("Copy all problems with their details"), name=copy)
        self.clear = tool_button(
            self,
            clear,
            tr("Forget what was reported; problems of captures and edits stay with them"),
            name=clear,
        )
        bar = row_of((self.count, 1), self.copy, self.clear)
        self.empty = EmptyState(
            tr("No problems"), tr("Errors and warnings are listed here with what to do about them."), self
        )
        self._stack = QStackedLayout()
        self._stack.addWidget(self.empty)
        self._stack.addWidget(self.rows)
        set_column(self, bar, (self._stack, 1), margins=(6, 2, 4, 0), spacing=2)
        self.rows.row_picked.connect(self._go_to)
        offer_lines(self.rows, _file_line, session.editor.open)
        self.copy.clicked.connect(self._copy)
        self.clear.clicked.connect(session.clear_problems)
        session.problems_changed.connect(self.fill)
        self.fill()

    def fill(self) -> None:
        """Show the session's problems, the newest first."""
        self._problems = tuple(reversed(self._session.problems))
        self._stack.setCurrentWidget(self.rows if self._problems else self.empty)
        self.rows.set_rows([self._row(problem) for problem in self._problems])
        self.count.setText(_count_text(self._problems))
        self.copy.setEnabled(bool(self._problems))
        self.clear.setEnabled(bool(self._problems))

    def _row(self, problem: Problem) -> Row:
        mark, color = _MARKS[problem.severity]
        what = Cell(problem.what, tooltip=problem.message(), mark=mark, mark_color=color)
        inside = []
        if problem.remedy:
            inside.append(Row("remedy", (Cell(f"→ {problem.remedy}"),), value=problem))
        if problem.detail:
            text = Row("text", (Cell(problem.detail.strip(), monospace=True),))
            inside.append(Row("details", (Cell(tr("Details"), color="dim_text"),), (text,)))
        key = (problem.what, problem.path, problem.line, problem.detail)
        return Row(key, (what, Cell(self._where(problem))), tuple(inside), value=problem, open=True)

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

    def _go_to(self, row: Row) -> None:
        location = self._place_of(row.value) if isinstance(row.value, Problem) else NOWHERE
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


def _file_line(row: Row) -> tuple[str, int] | None:
    problem = row.value
    return (problem.path, problem.line or 1) if isinstance(problem, Problem) and problem.path else None
