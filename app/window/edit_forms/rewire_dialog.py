"""Letting a node use another node, and duplicating a node, without a mouse."""

from collections.abc import Callable

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QComboBox,
    QLabel,
    QListWidget,
    QListWidgetItem,
    QWidget,
)

from app.session.edit_builders.from_selection import Use
from app.session.edit_builders.rewiring import possible_sources
from app.session.facade.session import Session
from app.translation.texts import tr
from app.widgets.form_dialog import FormDialog
from app.widgets.labels.wrapped_label import WrappedLabel
from app.widgets.layouts.boxes import set_column
from app.window.edit_forms.trial_label import TrialLabel
from app.window.filter_list import FilterList, FilterRow
from compiler.model.edits.edits import Edit, EditError
from compiler.model.ir.arguments import ArgumentPath
from compiler.model.ir.graph import Graph
from compiler.model.ir.ids import NodeId
from compiler.model.ir.tensor_types import describe

MakeRewiring = Callable[[tuple[ArgumentPath, ...], NodeId], Edit]


class RewireDialog(FormDialog):
    """Which input of the node, and what it is to be instead; the outcome is tried while one chooses."""

    def __init__(
        self, session: Session, graph: Graph, user: NodeId, make: MakeRewiring, parent: QWidget
    ) -> None:
        super().__init__(tr("Another input of {user}").format(user=user), parent, "rewire_dialog")
        self.resize(460, 460)
        self._session, self._graph, self._make = session, graph, make
        node = graph.node(user)
        self._paths = [path for _, path in node.uses()]
        self._sources = possible_sources(graph, user)
        self.edges = QComboBox(self)
        for used, path in node.uses():
            self.edges.addItem(tr("{names}: now {used}").format(names=".".join(path), used=used))
        self.list = FilterList(tr("Type to search for a node"), self)
        self.list.set_rows(
            [FilterRow(source, describe(graph.node(source).value)) for source in reversed(self._sources)]
        )
        self.outcome = TrialLabel(node, self)
        self._add_buttons(tr("Make the edit"))
        set_column(
            self,
            QLabel(tr("{user} ({target}) uses").format(user=user, target=node.target), self),
            self.edges,
            QLabel(tr("Let it use"), self),
            (self.list, 1),
            self.outcome,
            self.buttons,
        )
        self.edges.currentIndexChanged.connect(self._try)
        self.list.current_changed.connect(self._try)
        self.list.chosen.connect(self._accept)
        self._try()
        self.list.setFocus()

    def edit(self) -> Edit | None:
        """What is chosen as an edit; None where it changes nothing."""
        index, row = self.edges.currentIndex(), self.list.current
        if index < 0 or row < 0:
            return None
        try:
            return self._make((self._paths[index],), self._sources[::-1][row])
        except EditError:
            return None

    def _try(self) -> None:
        edit = self.edit()
        self.apply_button.setEnabled(edit is not None)
        self.outcome.wait(edit is not None)
        if edit is not None:
            self._session.asking.trial(edit, lambda answer: self._show_outcome(edit, answer))

    def _show_outcome(self, edit: Edit, answer: object) -> None:
        if self._open and edit == self.edit():
            self.outcome.show_answer(answer)

    def _accept(self) -> None:
        edit = self.edit()
        if edit is not None:
            self.accept()
            self._session.make_edit(edit)


class DuplicateDialog(FormDialog):
    """Which uses of a node the second one takes over."""

    def __init__(
        self, node: NodeId, uses: tuple[Use, ...], then: Callable[[tuple[Use, ...]], None], parent: QWidget
    ) -> None:
        super().__init__(tr("Duplicate {node}").format(node=node), parent, "duplicate_dialog")
        self.resize(400, 320)
        self._uses, self._then = uses, then
        note = WrappedLabel(
            tr("A second {node} is made. The uses ticked here become uses of the second.").format(node=node),
            self,
        )
        self.list = QListWidget(self)
        for index, (user, path) in enumerate(uses):
            item = QListWidgetItem(f"{user}    {'.'.join(path)}", self.list)
            item.setFlags(item.flags() | Qt.ItemFlag.ItemIsUserCheckable)
            last = index == len(uses) - 1 and len(uses) > 1
            item.setCheckState(Qt.CheckState.Checked if last else Qt.CheckState.Unchecked)
        self._add_buttons(tr("Make the edit"))
        set_column(self, note, self.list, self.buttons)

    def _accept(self) -> None:
        ticked = [
            self.list.item(row).checkState() is Qt.CheckState.Checked for row in range(self.list.count())
        ]
        chosen = tuple(use for use, on in zip(self._uses, ticked, strict=True) if on)
        self.accept()
        self._then(chosen)
