"""The dialogs that edit graphs, opened on what is selected."""

from collections.abc import Callable

from PySide6.QtWidgets import QWidget

from app.actions.selection_queries import (
    editable_graph,
    editable_stage,
    picked_alike,
    picked_call,
    picked_nodes,
    picked_source,
)
from app.session.edit_builders.from_selection import (
    Use,
    insert_on_edge,
    replace_every,
    replace_target,
    uses_of,
)
from app.session.edit_builders.node_edits import insert_before, set_constant
from app.session.edit_builders.rewiring import duplicate, rewire
from app.session.facade.session import Session
from app.session.facade.tried_edit import make_or_report
from app.translation.texts import tr, tr_noop
from app.window.edit_forms.argument_dialog import ArgumentDialog
from app.window.edit_forms.constant_dialog import ConstantDialog
from app.window.edit_forms.operation_dialog import EdgeChooser, OperationDialog
from app.window.edit_forms.paste_dialog import PasteDialog
from app.window.edit_forms.rewire_dialog import DuplicateDialog, RewireDialog
from app.window.edit_forms.subgraph_dialog import RegionDialog
from app.window.edit_forms.transform_dialog import TransformDialog
from compiler.analysis.edits.clipboard import Fragment
from compiler.analysis.transforms import Transform
from compiler.model.edits.edits import Edit
from compiler.model.edits.subgraphs import extract_submodule, wrap_in_operator
from compiler.model.ir.diagnostics import Problem
from compiler.model.ir.graph import Graph
from compiler.model.ir.ids import NodeId, StageId
from compiler.model.operators.op_candidates import OpChoice

_SUBMODULE = tr_noop(
    "The selected nodes become one call of a submodule. AOTAutograd sees through it, so the generated code stays the same."
)
_OPERATOR = tr_noop(
    "The selected nodes become one operator that Inductor cannot look into: what is in it is run by eager kernels and "
    "fuses with nothing. Its gradient is an operator too, which runs them again."
)


class EditDialogs:
    """The `EditShell` of the actions. What cannot be made becomes a problem."""

    def __init__(self, session: Session, parent: QWidget) -> None:
        self._session = session
        self._parent = parent

    def choose_operation(self, every: bool) -> None:
        """Let the person choose what the selected nodes, or every one like them, call instead."""
        picked = self._picked_alike()
        if picked is None:
            return
        stage, graph, nodes = picked
        node = nodes[0]

        def then(choice: OpChoice) -> None:
            if every or len(nodes) > 1:
                self._make(lambda: replace_every(stage, graph, node, choice, () if every else nodes))
            else:
                self._make(lambda: replace_target(stage, node, choice))

        what = graph.node(node).operation
        which = (
            tr("every {what}").format(what=what)
            if every
            else tr("{what} in {node}").format(what=what, node=node)
            if len(nodes) == 1
            else f"{len(nodes)} × {what}"
        )
        OperationDialog(
            self._session, stage, node, tr("Replace {which}").format(which=which), then, self._parent
        ).open()

    def choose_insertion(self, before: bool) -> None:
        """Let the person choose an operation to put behind, or before, the selected node."""
        session = self._session
        stage, graph = editable_stage(session), editable_graph(session)
        source = picked_call(session) if before else picked_source(session)
        if source is None or stage is None or graph is None:
            return
        if before:
            self._insert_before(stage, graph, source)
            return

        def then(choice: OpChoice) -> None:
            self._make(lambda: insert_on_edge(stage, graph, source, edges.uses, choice))

        others = [node for node in picked_nodes(session) if node != source]
        title = tr("Insert behind {source}").format(source=source)
        dialog = OperationDialog(session, stage, source, title, then, self._parent, behind=True)
        edges = EdgeChooser(source, uses_of(graph, source), others[0] if others else None, dialog)
        dialog.column.insertWidget(0, edges)
        dialog.open()

    def _insert_before(self, stage: StageId, graph: Graph, user: NodeId) -> None:
        inputs = graph.node(user).inputs()
        if not inputs:
            self._session.report(
                Problem(tr("{user} uses no other node.").format(user=user), tr("Select another node."))
            )
            return

        def then(choice: OpChoice) -> None:
            self._make(lambda: insert_before(stage, graph, user, edges.uses, choice))

        title = tr("Insert before {user}").format(user=user)
        dialog = OperationDialog(self._session, stage, inputs[0], title, then, self._parent, behind=True)
        uses = tuple((user, path) for _, path in graph.node(user).uses())
        edges = EdgeChooser("", (), None, dialog)
        edges.offer_each(graph, uses)
        dialog.column.insertWidget(0, edges)
        dialog.open()

    def edit_arguments(self) -> None:
        """Let the person change the arguments of the selected nodes in a form."""
        picked = self._picked_alike()
        if picked is not None:
            stage, graph, nodes = picked
            ArgumentDialog(self._session, stage, graph, nodes, self._session.make_edit, self._parent).open()

    def paste(self, fragment: Fragment) -> None:
        """Let the person choose where copied nodes go."""
        session = self._session
        stage, graph = editable_stage(session), editable_graph(session)
        if stage is not None and graph is not None:
            likely = next(iter(picked_nodes(session)), None)
            PasteDialog(session, stage, graph, fragment, likely, session.make_edit, self._parent).open()

    def transform(self, transform: Transform) -> None:
        """Let the person look into a transform of the graph in front, and make it."""
        session = self._session
        stage, graph = editable_stage(session), editable_graph(session)
        if stage is not None and graph is not None:
            chosen = picked_nodes(session)
            TransformDialog(session, stage, graph, chosen, transform, session.make_edit, self._parent).open()

    def make_region(self, operator: bool) -> None:
        """Let the person name the submodule, or the custom operator, that the selected nodes become."""
        session = self._session
        stage, graph, chosen = editable_stage(session), editable_graph(session), picked_nodes(session)
        if stage is None or graph is None or not chosen:
            return

        def make(name: str) -> Edit:
            made = wrap_in_operator if operator else extract_submodule
            return made(stage, graph, chosen, name)

        title = tr("Wrap in a custom operator") if operator else tr("Extract to a submodule")
        about = tr(_OPERATOR) if operator else tr(_SUBMODULE)
        RegionDialog(session, title, about, "operator" if operator else "block", make, self._parent).open()

    def choose_constant(self) -> None:
        """Let the person set the result of the selected node to a constant."""
        picked = self._picked_call()
        if picked is None:
            return
        stage, graph, node = picked

        def then(text: str) -> None:
            self._make(lambda: set_constant(stage, graph, node, text))

        ConstantDialog(graph.node(node), then, self._parent).open()

    def choose_input(self) -> None:
        """Let the person choose another input of the selected node."""
        session = self._session
        stage, graph, nodes = editable_stage(session), editable_graph(session), picked_nodes(session)
        if stage is None or graph is None or len(nodes) != 1 or not graph.node(nodes[0]).inputs():
            return
        user = nodes[0]
        RewireDialog(
            session,
            graph,
            user,
            lambda paths, source: rewire(stage, graph, user, paths, source),
            self._parent,
        ).open()

    def duplicate(self) -> None:
        """Let the person choose which uses a second node like the selected one takes over."""
        picked = self._picked_call()
        if picked is None:
            return
        stage, graph, node = picked

        def then(uses: tuple[Use, ...]) -> None:
            self._make(lambda: duplicate(stage, graph, node, uses))

        DuplicateDialog(node, uses_of(graph, node), then, self._parent).open()

    def _picked_alike(self) -> tuple[StageId, Graph, tuple[NodeId, ...]] | None:
        session = self._session
        stage, graph, nodes = editable_stage(session), editable_graph(session), picked_alike(session)
        return (stage, graph, nodes) if stage is not None and graph is not None and nodes else None

    def _picked_call(self) -> tuple[StageId, Graph, NodeId] | None:
        session = self._session
        stage, graph, node = editable_stage(session), editable_graph(session), picked_call(session)
        return (stage, graph, node) if stage is not None and graph is not None and node is not None else None

    def _make(self, make: Callable[[], Edit]) -> None:
        make_or_report(self._session, make, tr("The edit was not made."))
