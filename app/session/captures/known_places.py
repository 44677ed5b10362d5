"""Places as far as the capture shown has them: nothing that is not there is ever selected, so panes need not ask."""

from app.session.captures.capture_store import CaptureStore
from compiler.model.capture.capture import Capture
from compiler.model.ir.ids import NOWHERE, NodeId, Place, StageId, place
from compiler.model.ir.stage import FxStage, JointStage, LoopStage
from compiler.model.session_file.stage_checks import node_ids


class KnownPlaces:
    """Asked about each place before it is selected. Graphs are let through: nodes of them come and go with edits and passes."""

    def __init__(self, store: CaptureStore) -> None:
        self._store = store
        self._of: Capture | None = None
        self._ids: dict[StageId, set[NodeId]] = {}

    def known(self, location: Place) -> Place:
        """The place without nodes that its stage does not have."""
        stage = self._store.stage(self._store.shown, location.stage)
        if stage is None:
            return NOWHERE
        if isinstance(stage.content, FxStage | JointStage | LoopStage):
            return location
        if self._of is not self._store.shown:
            self._of = self._store.shown
            self._ids.clear()
        if location.stage not in self._ids:
            self._ids[location.stage] = node_ids(stage)
        nodes = [node for node in location.nodes if node in self._ids[location.stage]]
        return place(location.stage, *nodes) if nodes else NOWHERE
