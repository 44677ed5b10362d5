"""What the stages of the capture shown look like with edits that are not compiled yet."""

import msgspec

from app.session.captures.capture_store import CaptureStore, edits_in
from app.session.edit_history.edit_history import EditHistory
from app.session.edit_history.previews import Previews
from compiler.model.edits.edits import Editable, nodes_of
from compiler.model.ir.graph import Graph
from compiler.model.ir.identity_cache import IdentityStore
from compiler.model.ir.ids import NodeId, StageId
from compiler.model.ir.loop_ir import KernelSet, LoopProgram, WrapperCode
from compiler.model.ir.stage import (
    FxStage,
    JointStage,
    KernelStage,
    LoopStage,
    Stage,
    TextStage,
    WrapperStage,
)


class EditedStages:
    """Puts together the newest capture, the active edits and the engine's preview of them.

    Edits not compiled yet belong to the newest capture; an older one is shown as it was.
    """

    def __init__(self, store: CaptureStore, history: EditHistory, previews: Previews) -> None:
        self._store = store
        self._history = history
        self._previews = previews
        self._made: IdentityStore[Stage] = IdentityStore()

    @property
    def uncompiled(self) -> bool:
        """Whether the newest capture was compiled from other edits than those active."""
        return not self._store.is_compiled_from(self._history.edits)

    def stage(self, stage_id: StageId) -> Stage:
        """The stage of the capture shown with its edited graph, the same object until that is another: what is known of a stage is
        kept by identity. Raises KeyError.
        """
        stage = self._store.stage(self._store.shown, stage_id)
        if stage is None:
            raise KeyError(stage_id)
        edited = self._content(stage_id)
        if edited is None:
            return stage
        made = self._made.get(stage, edited)
        if made is None:
            made = _with_content(stage, edited)
            self._made.put(made, stage, edited)
        return made

    def edited_nodes(self, stage_id: StageId) -> frozenset[NodeId]:
        """Nodes of a stage that edits name."""
        shown_is_head = self._store.shown is self._store.head
        edits = self._history.edits if shown_is_head else self._store.edits_of(self._store.shown)
        return frozenset(node for edit in edits_in(edits, stage_id) for node in nodes_of(edit))

    def _content(self, stage_id: StageId) -> Editable | None:
        """The content with uncompiled edits, or None where the compiled one is what there is to show."""
        head, edits = self._store.head, self._history.edits
        if self._store.shown is not head or not self.uncompiled:
            return None
        if edits_in(edits, stage_id) == edits_in(self._store.edits_of(head), stage_id):
            return None
        if not edits:
            return self._store.content(self._store.root, stage_id)
        return self._previews.graph(edits, stage_id) or self._history.content(stage_id)


def _with_content(stage: Stage, edited: Editable) -> Stage:
    match stage.content, edited:
        case (FxStage() | JointStage()) as content, Graph() as graph:
            return msgspec.structs.replace(stage, content=msgspec.structs.replace(content, graph=graph))
        case LoopStage() as loops, LoopProgram() as program:
            return msgspec.structs.replace(stage, content=msgspec.structs.replace(loops, program=program))
        case KernelStage() as stage_kernels, KernelSet() as kernels:
            return msgspec.structs.replace(
                stage, content=msgspec.structs.replace(stage_kernels, kernels=kernels)
            )
        case TextStage(), TextStage() as text:
            return msgspec.structs.replace(stage, content=text)
        case WrapperStage() as wrapper, WrapperCode() as code:
            return msgspec.structs.replace(stage, content=msgspec.structs.replace(wrapper, code=code))
    return stage
