"""Triton kernels below their source: lowered on demand, with what they need of the GPU, form by form."""

from PySide6.QtGui import QPalette
from PySide6.QtWidgets import (
    QCheckBox,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QWidget,
)

from app.panes.lowering_pane.kernel_list import KernelList, KernelRow
from app.panes.lowering_pane.needs_view import NeedsView
from app.session.engine_requests.kernel_lowering import ALL_CONFIGURATIONS
from app.session.facade.session import Session
from app.theme import current
from app.translation.texts import tr
from app.widgets.empty_state import EmptyState
from app.widgets.layouts.boxes import set_column, set_pages, split_of
from app.widgets.layouts.flow_layout import FlowLayout
from compiler.analysis.line_times.triton_kernel_names import TritonKernelName, triton_kernel_names
from compiler.model.capture.capture import Capture
from compiler.model.gpu.lowered_stages import kernel_stage_of, stage_below, triton_kernels
from compiler.model.ir.ids import StageId, place
from compiler.model.ir.lowered_kernel import FORM_TITLES

_ASSEMBLY = ("ptx", "amdgcn")
_SIZES = (640, 420)


class LoweringPane(QWidget):
    """Picking a kernel selects it; a selection elsewhere finds its kernel here."""

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("lowering_pane")
        self._session = session
        self._named: tuple[Capture | None, dict[str, TritonKernelName]] = (None, {})
        """Names are found once for a capture."""
        self.one = QPushButton(tr("Lower the kernel"), self)
        self.one.setToolTip(
            tr("Have Triton compile the selected kernel down to machine code, as Inductor does")
        )
        self.all = QPushButton(tr("Lower all"), self)
        self.cancel = QPushButton(tr("Cancel"), self)
        self.every = QCheckBox(tr("all configurations"), self)
        self.every.setToolTip(
            tr(
                "Lower every configuration that Inductor would try on the GPU, and those that it makes after a first launch"
            )
        )
        self.state = QLabel(self)
        self.state.setForegroundRole(QPalette.ColorRole.PlaceholderText)
        self.list = KernelList(self)
        self.needs = NeedsView(self)
        self.forms: dict[str, QPushButton] = {}
        self.empty = EmptyState(
            tr("No Triton kernels"),
            tr(
                "Capture for a GPU (Open model, device), here or elsewhere: its kernels are lowered to machine code here."
            ),
            self,
        )
        self._stack = set_pages(self, self.empty, self._make_page())
        self.one.clicked.connect(self._lower_one)
        self.all.clicked.connect(lambda: self._lower(()))
        self.cancel.clicked.connect(session.cancel)
        self.list.picked.connect(self._picked)
        session.capture_changed.connect(self.fill)
        session.lowering.changed.connect(self.fill)
        session.selection.changed.connect(self._follow_selection)
        current.signals().changed.connect(self.fill)
        self.fill()

    def _make_page(self) -> QWidget:
        page = QWidget(self)
        bar, second = FlowLayout(), QHBoxLayout()
        for widget in (self.one, self.all, self.cancel):
            bar.addWidget(widget)
        second.addWidget(self.every)
        second.addWidget(self.state, 1)
        for name, title in FORM_TITLES.items():
            button = QPushButton(page)
            button.setText(title)
            button.setToolTip(tr("Bring the kernel's {title} to the front").format(title=title))
            button.clicked.connect(lambda _=False, form=name: self.show_form(form))
            self.forms[name] = button
            bar.addWidget(button)
        split = split_of(self.list, self.needs, parent=page, sizes=_SIZES)
        set_column(page, bar, second, (split, 1), margins=(6, 4, 6, 0), spacing=3)
        return page

    def fill(self) -> None:
        """Show the kernels of the session's capture and what is known of them."""
        capture, lowering = self._session.capture, self._session.lowering
        kernels = triton_kernels(capture) if capture is not None else []
        self._stack.setCurrentIndex(1 if kernels else 0)
        if capture is not self._named[0]:
            links = self._session.selection.provenance
            self._named = (capture, triton_kernel_names(capture, links) if capture is not None else {})
        names = self._named[1]
        self.list.show_kernels(
            [
                KernelRow(
                    kernel.name,
                    names[kernel.name].text,
                    names[kernel.name].calls,
                    lowering.now(kernel.name),
                    lowering.before(kernel.name),
                    self._state(kernel.name),
                )
                for kernel in kernels
            ]
        )
        busy = bool(lowering.asking)
        self.all.setEnabled(not busy)
        self.one.setEnabled(not busy)
        self.cancel.setVisible(busy)
        known = sum(lowering.now(kernel.name) is not None for kernel in kernels)
        device = capture.spec.device.name if capture is not None and capture.spec.device is not None else ""
        doing = (
            tr("lowering {count}…").format(count=len(lowering.asking))
            if busy
            else tr("{known} of {count} lowered").format(known=known, count=len(kernels))
        )
        self.state.setText(" · ".join(filter(None, (doing, device))))
        if kernels and not self.list.at()[0]:
            self.list.choose(kernels[0].name)
        self._follow_selection(None)
        self._show_needs()
        if lowering.wanted and lowering.now(lowering.wanted) is not None:
            self.list.choose(lowering.wanted)
            lowering.wanted = ""
            self._show_needs()
            self.show_form(next((form for form in _ASSEMBLY if not self.forms[form].isHidden()), ""))

    def show_form(self, form: str) -> None:
        """Bring the stage with a form of the current kernel to the front, the kernel selected."""
        kernel, stage_id = self.list.at()[0], self._kernel_stage()
        capture = self._session.capture
        below = stage_below(capture, stage_id, form) if capture is not None and stage_id else None
        if below is not None:
            self._session.show_stage(below.id)
            self._session.selection.select(place(below.id, kernel), self)

    def _state(self, kernel: str) -> str:
        lowering = self._session.lowering
        if kernel in lowering.asking:
            return tr("being lowered…")
        fault = lowering.faults.get(kernel)
        return fault.what if fault is not None else tr("not lowered yet")

    def _show_needs(self) -> None:
        kernel, row = self.list.at()
        now, before = self._session.lowering.now(kernel), self._session.lowering.before(kernel)
        rows = now.lowered if now is not None else ()
        chosen = rows[row] if row < len(rows) else None
        # a candidate is compared with the first configuration, an edited kernel with itself before
        old = before.lowered[0] if before is not None and before.lowered else rows[0] if row else None
        self.needs.show_needs(old, chosen)
        made = {form.name for form in rows[0].forms} if rows else set()
        for name, button in self.forms.items():
            button.setVisible(name in made)

    def _lower_one(self) -> None:
        kernel = self.list.at()[0]
        if kernel:
            self._lower((kernel,))

    def _lower(self, names: tuple[str, ...]) -> None:
        self._session.lowering.lower(names, ALL_CONFIGURATIONS if self.every.isChecked() else 1)

    def _picked(self, kernel: str, _row: int) -> None:
        stage = self._kernel_stage()
        if stage:
            self._session.selection.select(place(stage, kernel), self)
        self._show_needs()

    def _kernel_stage(self) -> StageId:
        capture, kernel = self._session.capture, self.list.at()[0]
        return kernel_stage_of(capture, kernel) if capture is not None else ""

    def _follow_selection(self, sender: object) -> None:
        capture, pinned = self._session.capture, self._session.selection.pinned
        if sender is self or capture is None or not pinned:
            return
        names = {kernel.name for kernel in triton_kernels(capture)}
        found = {
            node.partition(":")[0].partition("#")[0]
            for location in self._session.selection.everywhere().values()
            for node in location.nodes
        } & names
        if len(found) == 1 and (name := found.pop()) != self.list.at()[0]:
            self.list.choose(name)
            self._show_needs()
