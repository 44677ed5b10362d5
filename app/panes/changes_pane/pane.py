"""What changed since the capture before: figures, then every difference; a click selects what it is about."""

from PySide6.QtWidgets import (
    QPushButton,
    QWidget,
)

from app.session.comparison.rows import Difference
from app.session.comparison.rows_grouped import figure_text, groups_of
from app.session.facade.session import Session
from app.theme import fonts
from app.translation.texts import tr
from app.widgets.difference_tree import DifferenceTree
from app.widgets.empty_state import EmptyState
from app.widgets.labels.wrapped_label import WrappedLabel
from app.widgets.layouts.boxes import row_of, set_column, set_pages
from app.widgets.line_menu import offer_lines
from app.widgets.tables.rows import Row
from compiler.model.ir.ids import StageId


class ChangesPane(QWidget):
    """Follows the session's changes."""

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("changes_pane")
        self._session = session
        self.headline = WrappedLabel("", self)
        self.headline.setFont(fonts.interface(bold=True))
        self.figures = WrappedLabel("", self)
        self.graphs = QPushButton(tr("Compare graphs"), self)
        self.graphs.setToolTip(
            tr("Lay the stage in front beside the same one of the capture before, drawn and as text")
        )
        self.graphs.clicked.connect(self._compare_graphs)
        self.tree = DifferenceTree(self)
        self.empty = EmptyState("", "", self)
        page = QWidget(self)
        row = row_of((self.headline, 1), self.graphs)
        set_column(page, row, self.figures, (self.tree, 1), margins=(8, 6, 8, 0), spacing=3)
        self._page = page
        self._stack = set_pages(self, self.empty, page)
        self.tree.row_clicked.connect(self._go_to)
        offer_lines(self.tree, _file_line, session.editor.open)
        session.changes.changed.connect(self.fill)
        session.capture_changed.connect(self._show_empty)
        self.fill()

    def fill(self) -> None:
        """Show what the session compared last."""
        changes = self._session.changes
        if changes.diff is None or changes.before is None or changes.after is None:
            self.tree.set_rows(())
            self._show_empty()
            return
        self._stack.setCurrentWidget(self._page)
        self.headline.setText(changes.words)
        self.figures.setText(" · ".join(map(figure_text, changes.diff.figures)))
        self.tree.show_groups(groups_of(changes.before, changes.after, changes.diff))

    def _show_empty(self) -> None:
        if self._session.changes.diff is not None:
            return
        self._stack.setCurrentWidget(self.empty)
        if self._session.capture is None:
            self.empty.show_text(
                tr("No program captured yet"), tr("What changes from one capture to the next is listed here.")
            )
        else:
            self.empty.show_text(
                tr("Captured once so far"),
                tr(
                    "Watch the file (File menu) or press F5: what changed since the capture before is listed here."
                ),
            )

    def _compare_graphs(self) -> None:
        if self._session.stage is not None:
            self._session.comparison.show_before(self._session.stage.id)

    def _go_to(self, row: Difference) -> None:
        session = self._session
        if not row.location:
            return
        if self._in_shown(row.location.stage):
            session.show_stage(row.location.stage)
            session.selection.select(row.location, self)

    def _in_shown(self, stage_id: StageId) -> bool:
        capture = self._session.capture
        return capture is not None and any(stage.id == stage_id for stage in capture.stages)


def _file_line(row: Row) -> tuple[str, int] | None:
    found = row.value
    return (found.line.path, found.line.line) if isinstance(found, Difference) and found.line else None
