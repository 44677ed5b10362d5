"""What each node of a stage costs at run time: the times of kernels, carried along the links to the nodes they came from."""

import time
from dataclasses import dataclass

from PySide6.QtCore import QObject, Signal

from app.session.selection.selection import SelectionBroker
from app.session.timing.timing_recorder import TimingRecorder
from compiler.model.ir.ids import NodeId, Place, StageId
from compiler.model.ir.links import Provenance
from compiler.model.timing.timings import TimedKernel

_REPORT_SECONDS = 0.5
"""While a program is timed, costs are reported to have changed at most so often."""


@dataclass(frozen=True)
class NodeCost:
    """Nanoseconds in one step."""

    nanoseconds: float
    guess: bool
    """Some kernel holds several nodes of the stage; its time was shared out among them equally."""
    kernels: tuple[Place, ...]
    """The kernels that the time is of."""


class NodeCosts(QObject):
    """The costs of nodes, by stage. What no kernel was made from is not in it."""

    changed = Signal()
    """Other samples. That another capture is shown, the session says."""

    def __init__(
        self, recorder: TimingRecorder, selection: SelectionBroker, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._recorder = recorder
        self._selection = selection
        self._links: tuple[Provenance, tuple[TimedKernel, ...]] | None = None
        self._reached: list[dict[StageId, tuple[NodeId, ...]]] = []
        self._reported_at = 0.0
        self._reported: tuple[bool, tuple[TimedKernel, ...], bool] = (False, (), False)
        """Whether it runs, of what, and whether there were samples, when change was last reported."""
        recorder.changed.connect(self._follow)

    def of_stage(self, stage: StageId) -> dict[NodeId, NodeCost]:
        """The costs of the nodes of a stage; empty where nothing was timed."""
        spent: dict[NodeId, float] = {}
        guesses: set[NodeId] = set()
        kernels: dict[NodeId, list[Place]] = {}
        timed = self._times()
        self._follow_links(tuple(kernel for kernel, _ in timed))
        for (kernel, median), reached in zip(timed, self._reached, strict=True):
            nodes = reached.get(stage, ())
            for node in nodes:
                spent[node] = spent.get(node, 0.0) + median / len(nodes)
                kernels.setdefault(node, []).append(kernel.place)
                if len(nodes) > 1:
                    guesses.add(node)
        return {node: NodeCost(cost, node in guesses, tuple(kernels[node])) for node, cost in spent.items()}

    def seconds(self, stage: StageId) -> dict[NodeId, float]:
        """The same in seconds, without what is known of it."""
        return {node: cost.nanoseconds / 1e9 for node, cost in self.of_stage(stage).items()}

    def _times(self) -> list[tuple[TimedKernel, float]]:
        """Every kernel that ran, with its median; of a session file what it holds."""
        recorder = self._recorder
        if recorder.kernels:
            rows = [(kernel, recorder.summary(index)) for index, kernel in enumerate(recorder.kernels)]
        else:
            earlier = recorder.baseline.kernels if recorder.baseline is not None else ()
            rows = [(row.kernel, row.summary) for row in earlier]
        return [(kernel, summary.median) for kernel, summary in rows if summary is not None]

    def _follow_links(self, kernels: tuple[TimedKernel, ...]) -> None:
        """Walk the links of every kernel, once for a capture."""
        provenance = self._selection.provenance
        if self._links is not None and self._links[0] is provenance and self._links[1] == kernels:
            return
        self._links = provenance, kernels
        self._reached = [
            {stage: location.nodes for stage, location in provenance.follow(kernel.place).items()}
            for kernel in kernels
        ]

    def _follow(self) -> None:
        recorder, now = self._recorder, time.monotonic()
        state = recorder.running, recorder.timed_kernels, recorder.has_samples
        if state != self._reported or now - self._reported_at > _REPORT_SECONDS:
            self._reported, self._reported_at = state, now
            self.changed.emit()
