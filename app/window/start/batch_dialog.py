"""The table of a batch: how each job ended and what it came to; one of them is opened."""

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QLabel, QWidget

from app.concurrency.file_worker import BackgroundWork
from app.translation.texts import tr, tr_noop
from app.widgets.labels.wrapped_label import WrappedLabel
from app.widgets.layouts.boxes import set_column
from app.widgets.tables.row_table import RowTable
from app.widgets.tables.rows import Cell, Column, Row, Width
from compiler.analysis.batch.batch_folder import batch_folder, batch_rows, session_path
from compiler.analysis.batch.batch_table import shown_cells
from compiler.analysis.text_format.visible_text import visible
from compiler.model.batch.jobs import JobKey
from compiler.model.batch.rows import Cause
from compiler.model.batch.rows import Row as Job

_COLUMNS = (
    Column(tr_noop("Program"), width=Width.STRETCH),
    Column(tr_noop("Target"), width="h100 and"),
    Column("torch", width="2.13.0+c"),
    Column(tr_noop("Mode"), width="max-autotune"),
    Column(tr_noop("Result"), width="too much memory"),
    Column(tr_noop("Breaks"), width="Breaks", right=True),
    Column(tr_noop("Graphs"), width="Graphs", right=True),
    Column(tr_noop("Kernels"), width="Kernels", right=True),
    Column(tr_noop("Step"), width="~9,999.999 ms", right=True),
    Column(tr_noop("÷ eager"), width="÷ eager", right=True),
    Column(tr_noop("Memory"), width="9,999.9 MiB", right=True),
    Column(tr_noop("Compile"), width="Compile", right=True),
)
_RESULTS = {
    Cause.DONE: tr_noop("done"),
    Cause.PARTS: tr_noop("parts failed"),
    Cause.FAILED: tr_noop("failed"),
    Cause.CRASHED: tr_noop("crashed"),
    Cause.TIME: tr_noop("too long"),
    Cause.MEMORY: tr_noop("too much memory"),
    Cause.LOST: tr_noop("lost"),
}
_RESULT, _TIMES = 4, (8, 9)


class BatchDialog(QDialog):
    """Stays while one capture after the other is looked at."""

    def __init__(self, folder: Path, open_path: Callable[[Path], None], parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("batch_dialog")
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(tr("Batch {name}").format(name=folder.name))
        self._folder, self._open_path = folder, open_path
        self.words = _plain_label(self)
        self.table = RowTable(_COLUMNS, tr("Filter jobs"), self)
        self.table.tree.setRootIsDecorated(False)
        self.what = _plain_label(self)
        self.buttons = QDialogButtonBox(
            QDialogButtonBox.StandardButton.Open | QDialogButtonBox.StandardButton.Close, self
        )
        self.open_button = self.buttons.button(QDialogButtonBox.StandardButton.Open)
        set_column(self, self.words, (self.table, 1), self.what, self.buttons)
        self.table.current_changed.connect(lambda _: self._show_current())
        self.table.activated.connect(self._open)
        self.open_button.clicked.connect(lambda: self._open(self.table.current()))
        self.buttons.rejected.connect(self.close)
        self.resize(1040, 480)
        self.words.setText(tr("Reading {name}").format(name=visible(folder.name)))
        self._show_current()
        self._reading = BackgroundWork(self)
        self._reading.run(lambda: batch_rows(folder), self._fill, self._show_error, (ValueError,))

    def _show_error(self, error: Exception) -> None:
        self.words.setText(visible(f"{error}."))

    def _fill(self, found: tuple[list[Job], list[JobKey]]) -> None:
        jobs, missing = found
        failed = sum(job.failed for job in jobs)
        words = [tr("%n job(s)", None, len(jobs))]
        words += [tr("{count} failed").format(count=failed)] if failed else []
        words += [tr("{count} not done yet").format(count=len(missing))] if missing else []
        self.words.setText(" · ".join(words))
        self.table.set_rows(
            [_row(job) for job in jobs] + [_missing(number, key) for number, key in enumerate(missing)]
        )
        timed = any(job.figures is not None and job.figures.step is not None for job in jobs)
        modes = any(shown_cells(job)[3] for job in jobs)
        self.table.leave_out({*(() if timed else _TIMES), *(() if modes else (3,))})
        if jobs:
            self.table.make_current(jobs[0].id)
        self._show_current()

    def _show_current(self) -> None:
        job = self._job(self.table.current())
        self.open_button.setEnabled(job is not None and job.figures is not None)
        self.what.setText(visible(job.what) if job is not None else "")
        self.what.setVisible(bool(self.what.text()))

    @staticmethod
    def _job(row: Row | None) -> Job | None:
        return row.value if row is not None and isinstance(row.value, Job) else None

    def _open(self, row: Row | None) -> None:
        job = self._job(row)
        if job is not None and job.figures is not None:
            self._open_path(session_path(self._folder, job.id))


def offer_batch(path: Path, open_path: Callable[[Path], None], parent: QWidget) -> bool:
    """Show the table of a batch, where a path is that of one."""
    folder = batch_folder(path)
    if folder is not None:
        BatchDialog(folder, open_path, parent).show()
    return folder is not None


def _row(job: Job) -> Row:
    texts = list(shown_cells(job))
    texts[_RESULT] = tr(_RESULTS[job.cause])
    cells = [Cell(text) for text in texts]
    cells[_RESULT] = Cell(texts[_RESULT], color="error" if job.failed else "good", tooltip=job.what)
    return Row(job.id, tuple(cells), value=job)


def _missing(number: int, key: JobKey) -> Row:
    texts = (key.program, key.target, key.torch, "", tr("not done yet"))
    return Row(number, tuple(Cell(visible(text), color="dim_text") for text in texts))


def _plain_label(parent: QWidget) -> QLabel:
    label = WrappedLabel("", parent)
    label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
    return label
