"""Choosing an operation: what a node calls instead, or what is put on an edge."""

from collections.abc import Callable

from PySide6.QtWidgets import QComboBox, QDialog, QDialogButtonBox, QVBoxLayout, QWidget

from app.session.edit_builders.from_selection import Use
from app.session.facade.session import Session
from app.translation.texts import tr
from app.widgets.labels.wrapped_label import WrappedLabel
from app.window.edit_forms.answer_label import AnswerLabel
from app.window.filter_list import FilterList, FilterRow
from compiler.model.ir.arguments import NodeArgument
from compiler.model.ir.diagnostics import Problem
from compiler.model.ir.graph import Graph
from compiler.model.ir.ids import NodeId, StageId
from compiler.model.operators.op_candidates import OpChoice, OpChoices


class OperationDialog(QDialog):
    """Asks the engine for the operations that fit a node, or an edge behind it, and lets the person search them, likely
    ones first.
    """

    def __init__(
        self,
        session: Session,
        stage: StageId,
        node: NodeId,
        title: str,
        then: Callable[[OpChoice], None],
        parent: QWidget,
        behind: bool = False,
    ) -> None:
        super().__init__(parent)
        self.setObjectName("operation_dialog")
        self.setWindowTitle(title)
        self._then = then
        self._choices: tuple[OpChoice, ...] = ()
        self._open = True
        self.state = AnswerLabel(session, tr("Looking for operations that fit…"), self)
        self.list = FilterList(tr("Type to search: gelu, tanh, add…"), self)
        self.signature = WrappedLabel("", self)
        self.buttons = QDialogButtonBox(
            QDialogButtonBox.StandardButton.Ok | QDialogButtonBox.StandardButton.Cancel, self
        )
        self.column = QVBoxLayout(self)
        for widget in (self.state, self.list, self.signature, self.buttons):
            self.column.addWidget(widget)
        self.buttons.accepted.connect(lambda: self._choose(self.list.current))
        self.buttons.rejected.connect(self.reject)
        self.list.chosen.connect(self._choose)
        self.list.current_changed.connect(self._show_signature)
        self.finished.connect(self._on_finished)
        self._enable()
        self.resize(560, 480)
        self.list.setFocus()
        session.asking.operations(stage, node, self._take, behind=behind)

    def _take(self, answer: OpChoices | Problem) -> None:
        if not self._open:
            return
        if isinstance(answer, Problem):
            self.state.setText(answer.message())
            return
        self._choices = tuple(sorted(answer.choices, key=lambda choice: not choice.common))
        self.state.setText(
            tr("%n operation(s) fit.", None, len(self._choices))
            if self._choices
            else tr("No operation fits here.")
        )
        self.list.set_rows([FilterRow(choice.label, choice.target) for choice in self._choices])
        self._enable()

    def _choose(self, index: int) -> None:
        if 0 <= index < len(self._choices):
            self.accept()
            self._then(self._choices[index])

    def _show_signature(self, index: int) -> None:
        self.signature.setText(self._choices[index].signature if 0 <= index < len(self._choices) else "")
        self._enable()

    def _enable(self) -> None:
        self.buttons.button(QDialogButtonBox.StandardButton.Ok).setEnabled(self.list.current >= 0)

    def _on_finished(self) -> None:
        self._open = False
        self.deleteLater()


class EdgeChooser(QComboBox):
    """Which uses of a node's result an inserted operation stands on."""

    def __init__(self, source: NodeId, uses: tuple[Use, ...], wished: NodeId | None, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("edge_chooser")
        self._groups: list[tuple[Use, ...]] = []
        if len(uses) > 1:
            self._add(tr("{source} → all {count} uses").format(source=source, count=len(uses)), uses)
        for user, path in uses:
            self._add(f"{source} → {user} ({'.'.join(path)})", ((user, path),))
            if user == wished:
                self.setCurrentIndex(self.count() - 1)

    def offer_each(self, graph: Graph, uses: tuple[Use, ...]) -> None:
        """Each input of a node as an edge of its own; an input used twice also as one."""
        self._groups.clear()
        self.clear()
        by_input: dict[NodeId, list[Use]] = {}
        for user, path in uses:
            argument = graph.node(user).argument(path)
            if isinstance(argument, NodeArgument):
                by_input.setdefault(argument.node, []).append((user, path))
        for source, found in by_input.items():
            if len(found) > 1:
                self._add(
                    tr("{source} → {value} (all {count})").format(
                        source=source, value=found[0][0], count=len(found)
                    ),
                    tuple(found),
                )
            for user, path in found:
                self._add(f"{source} → {user} ({'.'.join(path)})", ((user, path),))

    @property
    def uses(self) -> tuple[Use, ...]:
        """The uses chosen."""
        return self._groups[self.currentIndex()]

    def _add(self, text: str, uses: tuple[Use, ...]) -> None:
        self._groups.append(uses)
        self.addItem(text)
