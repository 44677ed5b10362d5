"""Shows the stage in front, or one that is held, as a program whose lines are linked to everything else."""

from collections.abc import Callable

from PySide6.QtCore import QTimer
from PySide6.QtGui import QGuiApplication, QPaintEvent, QPalette
from PySide6.QtWidgets import QComboBox, QToolButton, QWidget

from app.linked_text.linked_editor import LinkedEditor
from app.linked_text.shown_program import (
    describe_stage,
    kernels_of,
    shown_program,
    stage_name,
)
from app.panes.code_pane.front_end_text_editing import FrontEndTextEditing
from app.panes.code_pane.graph_editing import GraphEditing
from app.panes.code_pane.stage_text_editing import StageTextEditing
from app.panes.code_pane.wrapper_editing import WrapperEditing, fault_of
from app.session.facade.displayed_stage import stage_in_view
from app.session.facade.prepared_stages import PreparedStages
from app.session.facade.session import Session
from app.translation.compiler_texts import stage_title
from app.translation.texts import tr
from app.widgets.empty_state import EmptyState
from app.widgets.labels.elided_label import ElidedLabel
from app.widgets.layouts.boxes import row_of, set_column, set_pages
from compiler.analysis.text_format.printer import program
from compiler.model.edits.editable_stages import edits_graph, edits_text, why_fixed
from compiler.model.ir.ids import StageId
from compiler.model.ir.stage import Stage, StageKind


class CodePane(QWidget):
    """*Follow* shows whatever is in front; picking a stage from the list holds it while the canvas moves on."""

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("code_pane")
        self._session = session
        self.follow = QToolButton(self)
        self.follow.setText(tr("Follow"))
        self.follow.setCheckable(True)
        self.follow.setChecked(True)
        self.follow.setToolTip(
            tr("Show the stage in front. Off: hold the stage picked here while others come to the front.")
        )
        self.picker = self._combo(9, tr("The stage shown here"))
        self.kernel_picker = self._combo(7, tr("All kernels of the graph, or one"))
        self.copy = QToolButton(self)
        self.copy.setText(tr("Copy"))
        self.copy.setToolTip(tr("Copy the whole program"))
        self.edit = QToolButton(self)
        self.edit.setText(tr("Edit"))
        self.edit.setToolTip(tr("Change the graph as text (T)"))
        self.facts = ElidedLabel("", self)
        self.facts.setForegroundRole(QPalette.ColorRole.PlaceholderText)
        self.facts.setContentsMargins(6, 0, 6, 2)
        self.editor = LinkedEditor(session, self)
        graphs = GraphEditing(session, self.editor, self._edited, self)
        self.wrappers = WrapperEditing(session, self.editor, self._edited, self)
        self.texts = FrontEndTextEditing(session, self.editor, self._edited, self)
        self._stale = False
        """Whether what is on show is not what is to be shown, since nobody sees it."""
        self._prepared = PreparedStages(session, self._questions, self)
        self._graphs = graphs
        self.editing: StageTextEditing = graphs
        """The bar of what is edited, or was last."""
        self.empty = EmptyState(
            tr("No stage to show"), tr("Every stage of a captured program prints as code here."), self
        )
        self._stack = set_pages(self, self.empty, self._make_page())
        self.follow.toggled.connect(self.fill)
        self.picker.activated.connect(self._picked)
        self.kernel_picker.activated.connect(self._show)
        self.copy.clicked.connect(self._copy)
        self.edit.clicked.connect(self.begin_editing)
        session.asking.text_wanted.connect(self._edit_front)
        session.capture_changed.connect(self.fill)
        session.stage_changed.connect(self._stage_changed)
        session.edits_changed.connect(self._show)
        session.preview_changed.connect(self._show)
        session.passes.changed.connect(self._pass_changed)
        self.fill()

    def _combo(self, letters: int, tooltip: str) -> QComboBox:
        combo = QComboBox(self)
        combo.setAccessibleName(tr("Stage shown as text"))
        combo.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        combo.setMinimumContentsLength(letters)
        combo.setMaxVisibleItems(30)
        combo.setToolTip(tooltip)
        return combo

    def _make_page(self) -> QWidget:
        page = QWidget(self)
        bar = row_of(
            self.follow,
            (self.picker, 2),
            (self.kernel_picker, 2),
            self.edit,
            self.copy,
            margins=(4, 4, 4, 2),
            spacing=4,
        )
        set_column(
            page,
            bar,
            self.facts,
            (self.editor, 1),
            self._graphs,
            self.wrappers,
            self.texts,
            margins=0,
            spacing=0,
        )
        return page

    # -- what is shown -----------------------------------------------------------------------------------------

    def fill(self) -> None:
        """List the stages of the session's capture and show the one that is followed or held."""
        if self.editing.active:
            self.editing.check()
            return
        capture = self._session.capture
        held = self.picker.currentData()
        self._stack.setCurrentIndex(0 if capture is None else 1)
        self.picker.clear()
        if capture is None:
            return
        for stage in capture.stages:
            self.picker.addItem(stage_name(stage), stage.id)
        front = self._session.stage.id if self._session.stage is not None else capture.stages[0].id
        wanted = front if self.follow.isChecked() else held
        index = self.picker.findData(wanted)
        self.picker.setCurrentIndex(index if index >= 0 else max(0, self.picker.findData(front)))
        self._list_kernels()
        self._show()

    @property
    def stage_id(self) -> StageId:
        """The stage shown here, or empty."""
        return self.picker.currentData() or ""

    def _stage_changed(self) -> None:
        if self.editing.active:
            return
        if self.follow.isChecked() and self._session.stage is not None:
            self.picker.setCurrentIndex(self.picker.findData(self._session.stage.id))
            self._list_kernels()
            self._show()

    def _picked(self) -> None:
        """A stage picked here is held, since that is what picking it here means."""
        self.follow.blockSignals(True)
        self.follow.setChecked(False)
        self.follow.blockSignals(False)
        self._list_kernels()
        self._show()

    def _list_kernels(self) -> None:
        capture = self._session.capture
        if capture is None or not self.stage_id:
            return
        before = self.kernel_picker.currentData()
        kernels = kernels_of(capture.stage(self.stage_id))
        self.kernel_picker.clear()
        self.kernel_picker.addItem(tr("All %n kernel(s)", None, len(kernels)), "")
        for kernel in kernels:
            self.kernel_picker.addItem(kernel, kernel)
        self.kernel_picker.setCurrentIndex(max(0, self.kernel_picker.findData(before)))
        self.kernel_picker.setVisible(bool(kernels))

    def _show(self) -> None:
        """Show the stage; behind another pane, as soon as this one is seen."""
        self._stale = self.window() is not self and self.visibleRegion().isEmpty()
        if not self._stale:
            self._show_now()

    def paintEvent(self, event: QPaintEvent) -> None:
        if self._stale:
            self._stale = False
            QTimer.singleShot(0, self, self._show)
        super().paintEvent(event)

    def _show_now(self, at_once: bool = False) -> None:
        if self._session.capture is None or not self.stage_id or self.editing.active:
            return
        stage = stage_in_view(self._session, self.stage_id)
        if not at_once and not self._prepared.ready(stage, self._show):
            return
        looking_back = self._session.passes.position(stage.id) is not None
        titles = {other.id: stage_title(other.title) for other in self._session.capture.stages}
        edited = stage is not self._session.capture.stage(stage.id) and not looking_back
        facts = describe_stage(stage, titles, edited)
        self.facts.setText(f"{self._pass_shown(stage.id)} · {facts}" if looking_back else facts)
        self.editor.show_program(shown_program(stage, self.kernel_picker.currentData() or ""))
        fixed = why_fixed(stage) if stage.graph is not None else ""
        fault, what = fault_of(stage) or fixed, tr("graph as text")
        if looking_back:
            fault = tr("This is the graph after an earlier pass; the last one can be edited.")
        if stage.kind is StageKind.WRAPPER:
            what = tr("wrapper")
        elif edits_text(stage):
            what = tr("text")
        self.edit.setVisible(bool(fault) or self._bar_for(stage) is not None)
        self.edit.setEnabled(not fault)
        self.edit.setToolTip(fault or tr("Change the {what} (T)").format(what=what))

    def _questions(self, stage: Stage) -> Callable[[], object]:
        colors = self._session.colors
        return lambda: (program(stage), colors.indices(stage.id))

    def _pass_changed(self) -> None:
        capture = self._session.capture
        if capture is not None and any(stage.id == self.stage_id for stage in capture.stages):
            self._show()  # else another capture comes in just now, and `fill` follows

    def _pass_shown(self, stage: StageId) -> str:
        step = self._session.passes.step_shown(stage)
        return tr("after {name}").format(name=step.name) if step is not None else tr("before all passes")

    # -- editing -----------------------------------------------------------------------------------------------

    def begin_editing(self) -> None:
        """Let the graph or the wrapper on show be changed as text."""
        if self.editor.shown is None or self.editing.active:
            return
        stage = self.editor.shown.stage
        if self._session.passes.position(stage.id) is not None:
            return
        bar = self._bar_for(stage)
        if bar is not None:
            for widget in (self.follow, self.picker, self.kernel_picker, self.edit):
                widget.setEnabled(False)
            self.editing = bar
            self.editor.set_loose(True)
            bar.begin(stage.id)

    def _bar_for(self, stage: Stage) -> StageTextEditing | None:
        """What a stage is edited with; None where it cannot be."""
        if stage.kind is StageKind.WRAPPER:
            return None if fault_of(stage) else self.wrappers
        if edits_text(stage):
            return self.texts
        return self._graphs if edits_graph(stage) else None

    def _edit_front(self) -> None:
        """The graph or wrapper in front is to be edited here."""
        if not self.editing.active and self._session.stage is not None:
            self.picker.setCurrentIndex(self.picker.findData(self._session.stage.id))
            self._list_kernels()
            self._show_now(at_once=True)
            self.begin_editing()

    def _edited(self) -> None:
        self.editor.set_loose(False)
        for widget in (self.follow, self.picker, self.kernel_picker, self.edit):
            widget.setEnabled(True)
        self.fill()

    def _copy(self) -> None:
        if self.editor.shown is not None:
            QGuiApplication.clipboard().setText(self.editor.shown.code.text)
