"""What became of Triton kernels that were run on the CPU through the interpreter, beside their graph."""

import msgspec
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget

from app.actions.selection_queries import PickedKernel
from app.session.facade.session import Session
from app.translation.texts import tr, tr_noop
from app.widgets.form_dialog import FormDialog
from app.widgets.labels.wrapped_label import WrappedLabel
from app.widgets.layouts.boxes import set_column
from app.widgets.tables.row_table import RowTable
from app.widgets.tables.rows import Cell, Column, Row, Width
from compiler.model.gpu.kernel_checks import CheckOrder, GraphCheck, KernelCheck, check_orders, format_check
from compiler.model.ir.diagnostics import Problem
from compiler.model.ir.stage import KernelStage
from compiler.model.timing.verdicts import Difference

_SIZE = (980, 520)
_COLUMNS = (
    Column(tr_noop("Kernel"), width=Width.STRETCH),
    Column(tr_noop("Largest relative error")),
    Column(tr_noop("Interpreted")),
    Column(tr_noop("Time")),
)
_MARKS = {True: ("✓", "good"), False: ("✗", "error"), None: ("–", "dim_text")}
_ABOUT = tr_noop(
    "Each kernel runs on the CPU, and what it makes is compared with its part of the graph in float64, computed from what "
    "the kernel was given. Mathematics and masks are checked; races, layouts and the GPU's own arithmetic are not."
)


class CheckDialog(FormDialog):
    """Fills when the answer comes; stays open beside the window."""

    def __init__(self, kernel: str, parent: QWidget | None = None) -> None:
        super().__init__(tr("Kernels checked on the CPU"), parent)
        self.resize(*_SIZE)
        self._kernel = kernel
        about = WrappedLabel(tr(_ABOUT), self)
        self.state = WrappedLabel(tr("Running the kernels through Triton's interpreter…"), self)
        self.table = RowTable(_COLUMNS, parent=self)
        self.table.tree.setAlternatingRowColors(True)
        self.table.tree.setTextElideMode(Qt.TextElideMode.ElideMiddle)
        self.table.current_changed.connect(self._show_text)
        set_column(self, about, (self.table, 1), self.state)

    def take(self, answer: tuple[GraphCheck, ...] | Problem) -> None:
        """Show a row a kernel with its buffers below, or why there is none."""
        if not self._open:
            return
        problem = answer if isinstance(answer, Problem) else answer[-1].problem
        if isinstance(answer, Problem) or problem is not None:
            self.state.setText(problem.message() if problem is not None else "")
            return
        graph = answer[-1]
        self.table.set_rows([_row(row, row.kernel == self._kernel) for row in graph.kernels])
        right, wrong = (sum(row.agrees is verdict for row in graph.kernels) for verdict in (True, False))
        self.setWindowTitle(
            tr("Kernels checked on the CPU: {right} of {count} agree").format(
                right=right, count=len(graph.kernels)
            )
            + (tr(", {wrong} do not").format(wrong=wrong) * (wrong > 0))
        )
        self.table.make_current(self._kernel)
        self.table.tree.setToolTip(graph.inputs)

    def _show_text(self, row: Row | None) -> None:
        if row is not None and isinstance(row.value, KernelCheck):
            self.state.setText(f"{row.value.kernel}: {format_check(row.value)}")


def _row(row: KernelCheck, is_open: bool) -> Row:
    mark, color = _MARKS[row.agrees]
    worst = row.worst.relative_text if row.worst is not None else tr("not judged")
    own = (
        row.blocks
        if row.own_blocks or not row.blocks
        else tr("{blocks} (Inductor's are smaller)").format(blocks=row.blocks)
    )
    cells = (
        Cell(f"{mark}  {row.kernel}", tooltip=row.kernel, color=color),
        Cell(worst, tooltip=format_check(row)),
        Cell(own),
        Cell(f"{row.seconds:.2f} s"),
    )
    buffers = tuple(_buffer(difference, row) for difference in row.buffers)
    return Row(row.kernel, cells, buffers, value=row, open=is_open)


def _buffer(difference: Difference, of: KernelCheck) -> Row:
    error = tr("largest error {error}").format(error=difference.absolute_text)
    cells = (Cell(difference.tensor), Cell(difference.relative_text), Cell(error))
    return Row((of.kernel, difference.tensor), cells, value=of)


def _as_edited(session: Session, order: CheckOrder) -> CheckOrder:
    content = session.stage_with_edits(order.stage).content
    if not isinstance(content, KernelStage):
        return order
    return msgspec.structs.replace(order, kernels=content.kernels.kernels)


def show_check(session: Session, picked: PickedKernel, parent: QWidget) -> None:
    """Ask for the check of the graph that the kernel is of, after its forward's where it is a backward."""
    capture = session.capture
    if capture is None:
        return
    orders = check_orders(capture)
    wanted = next((_as_edited(session, order) for order in orders if order.stage == picked.stage), None)
    if wanted is None:
        session.report(
            Problem(
                tr("This graph's kernels cannot be checked."), tr("Its graph or loop IR was not captured.")
            )
        )
        return
    needed = [
        order
        for order in orders
        if order.compile_id == wanted.compile_id and order.part == "forward" and wanted.part == "backward"
    ]
    dialog = CheckDialog(picked.name, parent)
    session.asking.kernel_checks((*needed, wanted), dialog.take)
    dialog.show()
