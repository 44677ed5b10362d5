"""Pasting nodes: what stands for their inputs here, and whose place their results take."""

from collections.abc import Callable

from PySide6.QtCore import QTimer
from PySide6.QtGui import QPalette
from PySide6.QtWidgets import (
    QComboBox,
    QFormLayout,
    QWidget,
)

from app.session.facade.session import Session
from app.translation.texts import tr, tr_noop
from app.widgets.form_dialog import FormDialog
from app.widgets.labels.wrapped_label import WrappedLabel
from app.widgets.layouts.boxes import set_column
from app.widgets.layouts.page_scroll import PageScroll
from compiler.analysis.edits.clipboard import Fragment, counterparts, obvious, paste
from compiler.model.edits.edits import Edit, EditError
from compiler.model.ir.diagnostics import Problem
from compiler.model.ir.graph import Graph
from compiler.model.ir.ids import NodeId, StageId
from compiler.model.ir.tensor_types import describe
from compiler.model.protocol.messages import Preview

_ASK = tr_noop("choose a node")
_NOBODY = tr_noop("nothing yet")


class PasteDialog(FormDialog):
    """A row for each input and each result; what comes of it is tried while one chooses."""

    def __init__(
        self,
        session: Session,
        stage: StageId,
        graph: Graph,
        fragment: Fragment,
        likely: NodeId | None,
        then: Callable[[Edit], None],
        parent: QWidget,
    ) -> None:
        count = len(fragment.nodes)
        super().__init__(tr("Paste %n node(s)", None, count), parent, "paste_dialog")
        self.resize(520, 420)
        self._session, self._stage, self._graph, self._fragment, self._then = (
            session,
            stage,
            graph,
            fragment,
            then,
        )
        shown = ", ".join(node.id for node in fragment.nodes[:8]) + (" …" if count > 8 else "")
        head = WrappedLabel(shown, self)
        head.setForegroundRole(QPalette.ColorRole.PlaceholderText)
        self.inputs = {item.name: self._input_box(item.name) for item in fragment.inputs}
        self.results = {name: self._result_box(name, likely) for name in fragment.outputs}
        self.fault = WrappedLabel("", self)
        self._add_buttons(tr("Paste"))
        set_column(self, head, (self._rows(), 1), self.fault, self.buttons)
        self._try_soon = QTimer(self, interval=150, singleShot=True)
        self._try_soon.timeout.connect(self._try)
        for box in (*self.inputs.values(), *self.results.values()):
            box.currentIndexChanged.connect(self._on_change)
        self._on_change()

    def _rows(self) -> QWidget:
        page = QWidget()
        rows = QFormLayout(page)
        rows.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.AllNonFixedFieldsGrow)
        types = {item.name: describe(item.value) for item in self._fragment.inputs}
        for name, box in self.inputs.items():
            rows.addRow(f"{name}  {types[name]}", box)
        for name, box in self.results.items():
            rows.addRow(tr("Result {name} is used instead of").format(name=name), box)
        return PageScroll(page, self)

    def _input_box(self, name: NodeId) -> QComboBox:
        item = next(item for item in self._fragment.inputs if item.name == name)
        box = self._box(counterparts(self._graph, item), tr(_ASK))
        known = obvious(self._graph, item)
        box.setCurrentIndex(max(0, box.findData(known)))
        return box

    def _result_box(self, name: NodeId, likely: NodeId | None) -> QComboBox:
        users = self._graph.users()
        box = self._box(tuple(node.id for node in reversed(self._graph.nodes) if users[node.id]), tr(_NOBODY))
        if len(self._fragment.outputs) == 1:
            box.setCurrentIndex(max(0, box.findData(likely)))
        return box

    def _box(self, nodes: tuple[NodeId, ...], nothing: str) -> QComboBox:
        box = QComboBox(self)
        box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        box.setMaxVisibleItems(24)
        box.addItem(nothing, None)
        for node in nodes:
            box.addItem(f"{node}  {describe(self._graph.node(node).value)}".rstrip(), node)
        return box

    def edit(self) -> Edit:
        """What is chosen as an edit. Raises EditError while something is not chosen, or does not go together."""
        stands = {name: box.currentData() for name, box in self.inputs.items()}
        missing = [name for name, node in stands.items() if node is None]
        if missing:
            raise EditError(tr("Choose what stands for {first} here.").format(first=missing[0]))
        replaced = {name: box.currentData() for name, box in self.results.items() if box.currentData()}
        return paste(self._stage, self._graph, self._fragment, stands, replaced)

    def _on_change(self) -> None:
        try:
            self.edit()
        except EditError as error:
            self.fault.say(str(error), "dim_text")
            self.apply_button.setEnabled(False)
            self._try_soon.stop()
            return
        self.apply_button.setEnabled(True)
        self.fault.say(tr("Trying…"), "dim_text")
        self._try_soon.start()

    def _try(self) -> None:
        edit = self.edit()
        self._session.asking.trial(edit, lambda answer: self._take(edit, answer))

    def _take(self, edit: Edit, answer: Preview | Problem) -> None:
        if not self._open or not self.apply_button.isEnabled() or edit != self.edit():
            return
        if isinstance(answer, Problem):
            self.fault.say(answer.message(), "error")
        elif answer.problems:
            self.fault.say(answer.problems[0].what, "error")
        else:
            self.fault.say(tr("It fits: every type is known."), "good")

    def _accept(self) -> None:
        edit = self.edit()
        self.accept()
        self._then(edit)

    def _on_finished(self) -> None:
        super()._on_finished()
        self._try_soon.stop()
