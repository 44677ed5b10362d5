"""Which ranks compiled the same, which went apart and where first; a click on a cell shows the difference."""

from pathlib import Path

from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import (
    QFileDialog,
    QPushButton,
    QWidget,
)

from app.panes.ranks_pane.plan_page import PlanPage
from app.panes.ranks_pane.rank_table import Picked, RankTable
from app.session.facade.session import Session
from app.theme import current, fonts
from app.translation.texts import tr
from app.widgets.diff_view import DiffView
from app.widgets.empty_state import EmptyState
from app.widgets.labels.wrapped_label import WrappedLabel
from app.widgets.layouts.boxes import Room, as_widget, column_of, row_of, set_column, set_pages, split_of
from compiler.analysis.ranks.compare_ranks import CompileRow, RanksCompared, RespectRow

_TEXT_OF = {"graph": "python", "lowered graphs": "python", "guards": "python", "kernels": "cpp"}


class RanksPane(QWidget):
    """Follows the session's ranks: of a run that goes on, of session files, of logs."""

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("ranks_pane")
        self._session = session
        self._asked: tuple[str, str, str, str] | None = None
        self._state: tuple[object, str] = (None, "")
        self.headline = WrappedLabel("", self)
        self.headline.setFont(fonts.interface(1.1, bold=True))
        self.groups = WrappedLabel("", self)
        self.table = RankTable(self)
        self.table.picked.connect(self._on_picked)
        self.what = WrappedLabel("", self)
        self.open_other = QPushButton(tr("Show in all panes"), self)
        self.open_other.setToolTip(tr("Show this compile of the other rank in every pane"))
        self.open_other.clicked.connect(self._open_other)
        self.compare = QPushButton(tr("Compare…"), self)
        self.compare.setToolTip(tr("Both ranks' graphs node by node, in the Compare pane"))
        self.compare.clicked.connect(self._compare)
        self.diff = DiffView(self)
        self.diff.setReadOnly(True)
        self.diff.setAccessibleName(tr("Difference of two ranks"))
        self.next_to_table = QWidget(self)
        buttons = row_of((self.what, 1), self.open_other, self.compare)
        set_column(self.next_to_table, buttons, (self.diff, 1), margins=(6, 0, 0, 0), spacing=4)
        self.split = split_of(self.table, self.next_to_table, parent=self, sizes=(620, 380))
        self.add = QPushButton(tr("Add files…"), self)
        self.add.setToolTip(tr("Session files or logs of other ranks"))
        self.add.clicked.connect(self._add)
        first = row_of((self.headline, 1), (self.add, 0, Qt.AlignmentFlag.AlignTop))
        rows = column_of(first, self.groups, (self.split, 1), margins=(8, 6, 8, 0), spacing=4)
        self._page = as_widget(rows, self)
        self.empty = EmptyState("", "", self)
        self.read = QPushButton(tr("Compare with the others"), self)
        self.read.setAccessibleName(tr("Compare with the ranks beside it"))
        self.read.clicked.connect(session.ranks.read_folder)
        nothing = column_of(Room(2), self.empty, (self.read, 0, Qt.AlignmentFlag.AlignHCenter), Room(3))
        self._nothing = as_widget(nothing, self)
        self._stack = set_pages(self, self._nothing, self._page)
        self.plan = PlanPage(session.ranks.stages, self)
        self._stack.addWidget(self.plan)
        session.ranks.changed.connect(self.fill)
        session.ranks.difference_found.connect(self._show_difference)
        current.signals().changed.connect(self.fill)
        session.ranks.follow()
        self.fill()

    def sizeHint(self) -> QSize:
        return QSize(760, 320)

    # -- what is shown -------------------------------------------------------------------------------------------

    def fill(self) -> None:
        """Show the ranks as far as they are known."""
        ranks = self._session.ranks
        compared = ranks.compared
        plan = ranks.stages.plan if compared is None and not ranks.in_folder and not ranks.doing else None
        self._stack.setCurrentWidget(
            self._page if compared is not None else self._nothing if plan is None else self.plan
        )
        if compared is None:
            self._state = None, ""
            if plan is not None:
                self.plan.fill(plan)
            self._show_empty()
            return
        self.headline.setText(compared.sentence())
        reported = compared.groups_sentence() if compared.differences and len(compared.ranks) > 2 else ""
        slow = compared.slow_ranks()
        if slow:
            names = ", ".join(row.rank for row in slow)
            reported = f"{reported}. " * bool(reported) + tr(
                "Steps of rank {names} are slower than those of the fastest, beyond both spreads"
            ).format(names=names)
        if ranks.doing or ranks.in_folder:
            more = ranks.doing or tr("%n more file(s) lie beside this one", None, len(ranks.in_folder))
            reported = f"{reported} · {more}" if reported else more
        self.groups.setText(reported)
        self.groups.setVisible(bool(reported))
        self.add.setVisible(not self._session.run.following)
        shown = ranks.shown
        if (compared, shown) != self._state:
            self._state = compared, shown
            self.table.show_ranks(compared, shown)
            self._pick_first(compared)

    def _show_empty(self) -> None:
        ranks = self._session.ranks
        count = len(ranks.in_folder)
        self.read.setVisible(bool(count) and not ranks.doing)
        if ranks.doing:
            self.empty.show_text(ranks.doing, tr("The ranks are compared as soon as they are read."))
        elif count:
            what = tr("one of {value} ranks of a run").format(value=count + 1)
            names = ", ".join(path.name for path in ranks.in_folder[:3]) + (" …" if count > 3 else "")
            self.empty.show_text(
                tr("What is open is {what}").format(what=what), tr("Beside it: {names}").format(names=names)
            )
            self.read.setText(tr("Compare with the %n other(s)", None, count))
        else:
            self.empty.show_text(
                tr("No ranks to compare"),
                tr(
                    "Record all of a distributed program: loupe run -o run.loupe torchrun --nproc-per-node 2 train.py, or open the "
                    "folder of logs that TORCH_TRACE named."
                ),
            )

    def _pick_first(self, compared: RanksCompared) -> None:
        """Where ranks went apart first; else nothing is different."""
        if compared.differences:
            first = compared.differences[0]
            self._ask(first.compile_id, first.what, first.groups[0].ranks[0], first.groups[1].ranks[0])
            return
        self._asked = None
        self._show_buttons()

    # -- hands ---------------------------------------------------------------------------------------------------

    def _on_picked(self, picked: Picked) -> None:
        compared = self._session.ranks.compared
        row = (
            next((row for row in compared.rows if row.compile_id == picked.compile_id), None)
            if compared
            else None
        )
        if compared is None or row is None:
            return
        respect = _respect(row, picked)
        pair = _pair(compared, respect, picked.ranks)
        if self._session.ranks.shown:
            self._session.ranks.show_rank(self._session.ranks.shown, row.compile_id)
        self._ask(row.compile_id, respect.what, *pair)

    def _ask(self, compile_id: str, what: str, rank: str, other: str) -> None:
        self._asked = compile_id, what, rank, other
        self.what.setText(
            tr("{compile_id}, {what}: rank {rank} and rank {other}").format(
                compile_id=compile_id, what=what, rank=rank, other=other
            )
        )
        self._session.ranks.ask_difference(compile_id, what, rank, other)
        self._show_buttons()

    def _show_difference(self, found: tuple[str, str, str, str, tuple[str, ...]]) -> None:
        if found[:4] != self._asked:
            return
        compile_id, what, rank, other, lines = found
        self.diff.show_diff("\n".join(lines), _TEXT_OF.get(what, "plain"))
        reported = (
            tr("rank {rank} (−) → rank {other} (+)").format(rank=rank, other=other)
            if lines
            else tr("no difference of rank {rank} and rank {other}").format(rank=rank, other=other)
        )
        self.what.setText(f"{compile_id}, {what}: {reported}")

    def _show_buttons(self) -> None:
        ranks = self._session.ranks
        self.next_to_table.setVisible(self._asked is not None)
        if self._asked is not None:
            other = self._other(self._asked)
            source = ranks.source(other)
            opens = source is not None and source.path is not None
            self.open_other.setText(
                tr("Open rank {other}").format(other=other)
                if opens
                else tr("Show rank {other}").format(other=other)
            )

    def _other(self, asked: tuple[str, str, str, str]) -> str:
        """Of the two, the one that the other panes do not show."""
        return asked[2] if asked[3] == self._session.ranks.shown else asked[3]

    def _open_other(self) -> None:
        if self._asked is not None:
            self._session.ranks.show_rank(self._other(self._asked), self._asked[0])

    def _compare(self) -> None:
        if self._asked is not None:
            compile_id, what, rank, other = self._asked
            if not self._session.ranks.show_two(rank, other, compile_id, what):
                self.what.setText(
                    tr("{compile_id}: one of the two ranks has no graph of it.").format(compile_id=compile_id)
                )

    def _add(self) -> None:
        names, _ = QFileDialog.getOpenFileNames(
            self, tr("Other ranks"), "", tr("Sessions and logs (*.loupe *.log *.log.gz)")
        )
        if names:
            self._session.ranks.add(tuple(map(Path, names)))


def _respect(row: CompileRow, picked: Picked) -> RespectRow:
    """The one that was clicked; of a whole compile the first in which the ranks went apart."""
    named = next((respect for respect in row.respects if respect.what == picked.respect), None)
    difference = row.first_difference(picked.ranks[0]) if picked.ranks else None
    return named or difference or next(iter(row.differing), row.respects[0])


def _pair(compared: RanksCompared, respect: RespectRow, ranks: tuple[str, ...]) -> tuple[str, str]:
    """A rank of the most, and the one that was clicked; where that is one of the most, one of those that differ."""
    most = respect.groups[0].ranks[0]
    if ranks and respect.group_of(ranks[0]) != 0:
        return most, ranks[0]
    if not respect.same:
        return (ranks[0] if ranks else most), respect.groups[1].ranks[0]
    first = ranks[0] if ranks else most
    return first, next(rank for rank in compared.ranks if rank != first)
