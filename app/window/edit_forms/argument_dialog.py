"""Changing the arguments of a node in a form that is typed by its operation's schema."""

from collections.abc import Callable

from PySide6.QtCore import QTimer
from PySide6.QtGui import QPalette
from PySide6.QtWidgets import QComboBox, QWidget

from app.session.edit_builders.bulk_edits import arguments_of_all
from app.session.facade.session import Session
from app.theme import current, fonts
from app.translation.texts import and_more, tr
from app.widgets.form_dialog import FormDialog
from app.widgets.labels.wrapped_label import WrappedLabel
from app.widgets.layouts.boxes import set_column
from app.window.edit_forms.answer_label import AnswerLabel
from app.window.edit_forms.argument_form import ArgumentForm
from app.window.edit_forms.trial_label import TrialLabel
from compiler.model.edits.edits import Edit, EditError
from compiler.model.edits.node_edits import SetArguments
from compiler.model.ir.diagnostics import Problem
from compiler.model.ir.graph import Graph, Node
from compiler.model.ir.ids import NodeId, StageId
from compiler.model.operators.op_schemas import NodeSignatures, OpSignature

_SIZE = (620, 560)
_TRIAL_DELAY_MS = 200


class ArgumentDialog(FormDialog):
    """Asks the engine what the node's operation takes; tries what is typed on fake tensors while one types."""

    def __init__(
        self,
        session: Session,
        stage: StageId,
        graph: Graph,
        nodes: tuple[NodeId, ...],
        then: Callable[[Edit], None],
        parent: QWidget,
    ) -> None:
        node_id = nodes[0]
        more = and_more(len(nodes) - 1)
        title = tr("Arguments of {node_id}{more}").format(node_id=node_id, more=more)
        super().__init__(title, parent, "argument_dialog")
        self.resize(*_SIZE)
        self._session, self._stage, self._then = session, stage, then
        self._graph, self._others = graph, nodes[1:]
        self._node: Node = graph.node(node_id)
        self._signatures: tuple[OpSignature, ...] = ()
        self.target = WrappedLabel(self._node.target, self)
        self.target.setFont(fonts.monospace())
        self.help = AnswerLabel(session, tr("Looking up what it takes…"), self)
        self.help.setForegroundRole(QPalette.ColorRole.PlaceholderText)
        self.chooser = QComboBox(self)
        self.chooser.setToolTip(tr("The ways in which this operation can be called"))
        self.chooser.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.chooser.hide()
        self.form = ArgumentForm(graph, self._node, self)
        self.outcome = TrialLabel(self._node, self)
        self._add_buttons(tr("Make the edit"))
        set_column(self, self.target, self.chooser, self.help, (self.form, 1), self.outcome, self.buttons)
        self._try_soon = QTimer(self, interval=_TRIAL_DELAY_MS, singleShot=True)
        self._try_soon.timeout.connect(self._try)
        self.form.changed.connect(self._on_change)
        self.chooser.currentIndexChanged.connect(self._show_signature)
        self.apply_button.setEnabled(False)
        session.asking.signatures(stage, node_id, self._take)

    def edit(self) -> Edit | None:
        """What is typed as an edit; None while it cannot be made or changes nothing."""
        if not self._signatures or not self.form.complete:
            return None
        args, kwargs = self.form.arguments()
        if (args, kwargs) == (self._node.args, self._node.kwargs):
            return None
        edit = SetArguments(self._stage, self._node.id, args, kwargs)
        if not self._others:
            return edit
        try:
            return arguments_of_all(
                edit, self._graph, self._signatures[self.chooser.currentIndex()], self._others
            )
        except EditError as error:
            self.outcome.refuse(str(error))
            return None

    def _take(self, answer: NodeSignatures | Problem) -> None:
        if not self._open:
            return
        if isinstance(answer, Problem):
            self.help.setText(answer.message())
            self.help.setStyleSheet(f"color: {current.colors().error}")
            return
        self._signatures = answer.signatures
        shown = ", ".join(f"{name}={value}" for name, value in answer.attributes)
        self.help.setText(" ".join(filter(None, (shown, answer.help))))
        self.help.setVisible(bool(self.help.text()))
        for signature in answer.signatures:
            self.chooser.addItem(signature.text)
        self.chooser.setVisible(len(answer.signatures) > 1)
        if len(answer.signatures) == 1:
            self.target.setText(answer.signatures[0].text)
        self._show_signature()

    def _show_signature(self) -> None:
        index = self.chooser.currentIndex()
        if 0 <= index < len(self._signatures):
            self.form.show_signature(self._signatures[index])
            first = next(iter(self.form.fields.values()), None)
            if first is not None:
                first.setFocus()

    def _on_change(self) -> None:
        self.outcome.wait(False)
        edit = self.edit()
        self.apply_button.setEnabled(edit is not None)
        if edit is not None:
            self.outcome.wait(True)
            self._try_soon.start()

    def _try(self) -> None:
        edit = self.edit()
        if edit is not None and self._open:
            self._session.asking.trial(edit, lambda answer: self._show_outcome(edit, answer))

    def _show_outcome(self, edit: Edit, answer: object) -> None:
        if self._open and edit == self.edit():
            self.outcome.show_answer(answer)

    def _accept(self) -> None:
        edit = self.edit()
        if edit is not None:
            self.accept()
            self._then(edit)

    def _on_finished(self) -> None:
        super()._on_finished()
        self._try_soon.stop()
