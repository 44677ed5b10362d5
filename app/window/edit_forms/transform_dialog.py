"""Looking into a transform before it is made: its edits, one by one, and what comes of them."""

from collections.abc import Callable
from functools import partial

from PySide6.QtGui import QPalette
from PySide6.QtWidgets import QCheckBox, QListWidget, QWidget

from app.concurrency.newest_work import NewestWork
from app.session.facade.prepared_stages import LARGE
from app.session.facade.session import Session
from app.translation.edit_texts import edit_title
from app.translation.texts import tr
from app.widgets.form_dialog import FormDialog
from app.widgets.labels.wrapped_label import WrappedLabel
from app.widgets.layouts.boxes import set_column
from compiler.analysis.transforms import Transform
from compiler.model.edits.edits import Edit, EditError, EditGroup, apply_edit, nodes_of
from compiler.model.ir.diagnostics import Problem
from compiler.model.ir.graph import Graph
from compiler.model.ir.ids import NOWHERE, NodeId, StageId, place
from compiler.model.protocol.messages import Preview


class TransformDialog(FormDialog):
    """The edits of a transform as a list; the current one's node lights up in the window."""

    def __init__(
        self,
        session: Session,
        stage: StageId,
        graph: Graph,
        chosen: tuple[NodeId, ...],
        transform: Transform,
        then: Callable[[Edit], None],
        parent: QWidget,
    ) -> None:
        super().__init__(transform.title, parent, "transform_dialog")
        self.resize(620, 440)
        self._session, self._stage, self._graph, self._transform, self._then = (
            session,
            stage,
            graph,
            transform,
            then,
        )
        self._chosen = chosen
        self.group: EditGroup | None = None
        about = WrappedLabel(transform.about, self)
        about.setForegroundRole(QPalette.ColorRole.PlaceholderText)
        self.only = QCheckBox(
            tr("Only the %n selected node(s)", None, len(chosen)),
            self,
        )
        self.only.setChecked(len(chosen) > 1)
        self.only.setVisible(bool(chosen))
        self.list = QListWidget(self)
        self.list.setUniformItemSizes(True)
        self.state = WrappedLabel("", self)
        self._add_buttons(tr("Make the edits"))
        set_column(self, about, self.only, self.list, self.state, self.buttons)
        self._work = NewestWork(parent=self)
        self._work.done.connect(self._list)
        self._work.slow.connect(lambda: self.state.say(tr("Looking for what there is to edit…"), "dim_text"))
        self.only.toggled.connect(self._fill)
        self.list.currentRowChanged.connect(self._light_up)
        self._fill()

    def _fill(self) -> None:
        self.list.clear()
        self.group = None
        self.apply_button.setEnabled(False)
        chosen = self._chosen if self.only.isChecked() else ()
        make = partial(_made, self._transform, self._stage, self._graph, chosen)
        if len(self._graph.nodes) >= LARGE:
            self.state.say("", "dim_text")
            self._work.start(make)
        else:
            self._list(make())

    def _list(self, made: object) -> None:
        if not isinstance(made, EditGroup):
            self.state.say(str(made or tr("It failed; the log says why.")), "dim_text")
            return
        self.group = group = made
        self.list.addItems([edit_title(part) for part in group.edits])
        self.apply_button.setEnabled(True)
        self._count = tr("%n edit(s), undone in one step.", None, len(group.edits))
        self.state.say(tr("{count} Trying…").format(count=self._count), "dim_text")
        self._session.asking.trial(group, lambda answer: self._take(group, answer))

    def _take(self, group: EditGroup, answer: Preview | Problem) -> None:
        if not self._open or group is not self.group:
            return
        problems = (answer,) if isinstance(answer, Problem) else answer.problems
        if problems:
            self.state.say(problems[0].what, "error")
        else:
            self.state.say(tr("{count} It works: every type is known.").format(count=self._count), "good")

    def _light_up(self, row: int) -> None:
        if self.group is not None and 0 <= row < len(self.group.edits):
            known = self._graph.by_id()
            nodes = [node for node in nodes_of(self.group.edits[row]) if node in known]
            self._session.selection.hover(place(self._stage, *nodes) if nodes else NOWHERE, self)

    def _accept(self) -> None:
        group = self.group
        self.accept()
        if group is not None:
            self._then(group)

    def _on_finished(self) -> None:
        super()._on_finished()
        self._work.cancel()
        self._session.selection.hover(NOWHERE, self)


def _made(
    transform: Transform, stage: StageId, graph: Graph, chosen: tuple[NodeId, ...]
) -> EditGroup | EditError:
    """For any thread. The graph with the edits is made too: of thousands that takes long, and it is known when they are made."""
    try:
        group = transform.make(stage, graph, chosen)
        apply_edit(graph, group)
    except EditError as error:
        return error
    return group
