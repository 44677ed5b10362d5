"""What torch timed on the GPU while it compiled: every candidate with its time, the fastest first."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDialog, QHeaderView, QLabel, QTreeWidget, QTreeWidgetItem, QVBoxLayout, QWidget

from app.translation.texts import tr, tr_noop
from compiler.model.capture.capture import Capture
from compiler.model.capture.gpu_autotuning import TEMPLATE, Candidate, MeasuredChoice

_SIZE = (1240, 620)
_ABOUT = tr_noop(
    "Times are torch's own, on the GPU of this capture. For a matrix product they are of templates and library calls "
    "(max-autotune); for a generated kernel of its blocks and warps, at the first launch."
)


class MeasuredDialog(QDialog):
    """A row a decision, its candidates below it."""

    def __init__(self, capture: Capture, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(tr("Measured choices"))
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.resize(*_SIZE)
        about = QLabel(tr(_ABOUT), self)
        about.setWordWrap(True)
        self.tree = QTreeWidget(self)
        self.tree.setAccessibleName(tr("Measured choices"))
        self.tree.setHeaderLabels((tr("Candidate"), tr("Time"), tr("Over the fastest"), tr("Configuration")))
        self.tree.setAlternatingRowColors(True)
        self.tree.setTextElideMode(Qt.TextElideMode.ElideRight)
        self.tree.header().setSectionResizeMode(0, QHeaderView.ResizeMode.Interactive)
        for choice in capture.measured:
            self.tree.addTopLevelItem(_choice(choice))
        self.tree.expandAll()
        for column in (1, 2):
            self.tree.resizeColumnToContents(column)
        self.tree.setColumnWidth(0, 300)
        whole = QVBoxLayout(self)
        whole.addWidget(about)
        whole.addWidget(self.tree, 1)


def _choice(choice: MeasuredChoice) -> QTreeWidgetItem:
    kind = tr("templates and libraries") if choice.what == TEMPLATE else tr("configurations")
    item = QTreeWidgetItem([choice.subject, "", "", f"{len(choice.candidates)} {kind}"])
    item.setToolTip(0, choice.subject)
    best = choice.candidates[0].seconds if choice.candidates else None
    item.addChildren([_candidate(row, best) for row in choice.candidates])
    return item


def _candidate(row: Candidate, best: float | None) -> QTreeWidgetItem:
    spent = f"{row.seconds * 1e6:,.2f} µs" if row.seconds is not None else tr("could not run")
    over = f"{row.seconds / best:.2f} ×" if row.seconds is not None and best else ""
    item = QTreeWidgetItem([row.name, spent, over, row.configuration])
    item.setTextAlignment(1, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
    for column, text in ((0, row.name), (3, row.configuration)):
        item.setToolTip(column, text)
    return item
