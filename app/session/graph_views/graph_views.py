"""How graphs are looked at: what is hidden in them, by which filters, in which colours, and views kept on keys."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Protocol

import msgspec
from PySide6.QtCore import QObject, QSettings, Signal

from app.session.engine_requests.value_requests import ValueLook
from app.session.selection.pass_position import PassScrubber
from app.session.selection.selection import SelectionBroker
from app.session.timing.node_costs import NodeCosts
from compiler.analysis.queries.computed_modules import by_modules
from compiler.analysis.queries.graph_view_state import (
    COLORINGS,
    GROUPINGS,
    GraphLooks,
    HiddenByHand,
    KeptView,
)
from compiler.analysis.queries.node_facts import NodeFacts, gather
from compiler.analysis.queries.node_filters import FilterList, NodeFilter, hidden_by, keys_of
from compiler.analysis.queries.query_language import QueryError, found, parse
from compiler.model.capture.capture import Capture
from compiler.model.capture.capture_spec import TargetSpec
from compiler.model.diagrams.diagrams import Diagram, regrouped
from compiler.model.ir.diagnostics import UNREADABLE, Problem
from compiler.model.ir.ids import NodeId, StageId
from compiler.model.ir.links import Provenance
from compiler.model.ir.stage import Stage

_SAVED = "filters"


@dataclass
class _ByHand:
    hidden: frozenset[NodeId] = frozenset()
    revealed: frozenset[NodeId] = frozenset()


class QueriedSession(Protocol):
    """What of the session queries are about."""

    selection: SelectionBroker
    passes: PassScrubber
    provenance: Provenance

    @property
    def capture(self) -> Capture | None:
        """The capture shown."""

    @property
    def problems(self) -> tuple[Problem, ...]:
        """What is wrong."""

    def edited_nodes(self, stage_id: StageId) -> frozenset[NodeId]:
        """Nodes of a stage that edits name."""


@dataclass
class _Gathered:
    """Facts of the diagram that was asked about last."""

    shown: Diagram
    keys: frozenset[str]
    nodes: list[NodeFacts] = field(default_factory=list)


_LASTING = frozenset(("line", "kernel"))
"""What takes time to gather and does not change while a diagram is shown."""


_STAGES_KEPT = 6
"""Of so many stages it is known how they are gathered by module."""


class GraphViews(QObject):
    """One for the session; panes ask it what to draw and tell it what to hide."""

    changed = Signal()
    """What is hidden, the filters or the colouring changed."""
    view_wanted = Signal(object)
    """Somebody wants to look at this `KeptView` again."""
    filters_wanted = Signal()
    """Somebody wants to see the list of filters."""

    def __init__(
        self,
        session: QueriedSession,
        parent: QObject | None = None,
        costs: NodeCosts | None = None,
        values: ValueLook | None = None,
    ) -> None:
        super().__init__(parent)
        self._session = session
        self._values = values
        self.seconds: Callable[[StageId], Mapping[NodeId, float]] = lambda _stage: {}
        """Measured time of each node of a stage, where there is any."""
        if costs is not None:
            self.seconds = costs.seconds
            costs.changed.connect(self._follow_times)
        if values is not None:
            values.changed.connect(self._follow_values)
        self._by_hand: dict[StageId, _ByHand] = {}
        self._filters: tuple[NodeFilter, ...] = ()
        self._coloring = "line"
        self._grouping = "module"
        self._kept: dict[int, KeptView] = {}
        self._gathered: _Gathered | None = None
        self._grouped: list[tuple[Stage, Diagram, Capture, Diagram]] = []
        self._target: TargetSpec | None = None

    def _follow_times(self) -> None:
        """Other times were measured: what is coloured by them has other colours."""
        if self._coloring == "time":
            self.changed.emit()

    def _follow_values(self) -> None:
        """Other values were seen, because somebody asked: they are shown."""
        if self._values is not None and self._values.found is not None:
            self._coloring = "values"
        self.changed.emit()

    # -- asking ------------------------------------------------------------------------------------------------

    def facts(self, stage: Stage, shown: Diagram, keys: frozenset[str]) -> list[NodeFacts]:
        """What queries with these keys can ask about the nodes of a stage's diagram."""
        return self._gathering(stage, shown, keys)()

    def _gathering(self, stage: Stage, shown: Diagram, keys: frozenset[str]) -> Callable[[], list[NodeFacts]]:
        """What gathers them, for any thread: of 20,000 nodes that takes a third of a second, and is kept."""
        session = self._session
        capture, provenance = session.capture, session.provenance
        if capture is None:
            return list
        wanted = keys & _LASTING
        volatile = bool(keys & {"is", "time"})
        last = self._gathered
        if not volatile and last is not None and last.shown is shown and wanted <= last.keys:
            return lambda: last.nodes
        marked = self.marked(stage.id) if volatile else {}
        seconds = self.seconds(stage.id) if "time" in keys else {}

        def now() -> list[NodeFacts]:
            nodes = gather(stage, shown, wanted, capture, provenance, marked, seconds)
            if not volatile:
                self._gathered = _Gathered(shown, wanted, nodes)
            return nodes

        return now

    def marked(self, stage: StageId) -> dict[str, frozenset[NodeId]]:
        """The nodes of a stage that are marked, by what ``is:`` calls the mark."""
        session = self._session
        places = [problem.place for problem in session.problems if problem.place is not None]
        step = session.passes.step_shown(stage)
        edited = session.edited_nodes(stage)
        return {
            "selected": session.passes.pinned_in(stage),
            "edited": edited,
            "error": frozenset(
                node for location in places if location.stage == stage for node in location.nodes
            ),
            "changed": frozenset((*step.made, *step.changed)) if step is not None else edited,
        }

    def finder(self, stage: Stage, shown: Diagram, text: str) -> Callable[[], tuple[NodeId, ...]]:
        """What gives the nodes that a query finds, in order, in any thread; none for an empty one. Raises QueryError."""
        query = parse(text)
        if not query:
            return tuple
        gather_now = self._gathering(stage, shown, query.keys)
        return lambda: found(query, gather_now())

    def hidden(self, stage: Stage, shown: Diagram) -> frozenset[NodeId]:
        """What is not drawn of a stage. A filter whose query is wrong hides nothing."""
        own = self._own(stage.id)
        return (self._filtered(stage, shown) | own.hidden) - own.revealed

    def _own(self, stage: StageId) -> _ByHand:
        """What is hidden by hand in a stage. Of another program it is forgotten: its stages and nodes have the same names."""
        capture = self._session.capture
        if capture is not None and capture.spec.target != self._target:
            self._target = capture.spec.target
            self._by_hand.clear()
            self._kept.clear()
        return self._by_hand.get(stage, _ByHand())

    def _filtered(self, stage: Stage, shown: Diagram) -> frozenset[NodeId]:
        if not any(row.on for row in self._filters):
            return frozenset()
        try:
            keys = keys_of(self._filters)
            return hidden_by(self._filters, self.facts(stage, shown, keys))
        except QueryError:
            return frozenset()

    @property
    def filters(self) -> tuple[NodeFilter, ...]:
        """The filters, in the order in which they are applied."""
        return self._filters

    @property
    def coloring(self) -> str:
        """One of `COLORINGS`."""
        return self._coloring

    @property
    def grouping(self) -> str:
        """One of `GROUPINGS`."""
        return self._grouping

    def grouped(self, stage: Stage, shown: Diagram) -> Diagram:
        """A stage's diagram with its nodes gathered as chosen."""
        if self._grouping == "module":
            capture = self._session.capture
            return self.by_modules(stage, shown, capture) if capture is not None else shown
        if self._grouping == "none":
            return regrouped(shown, {})
        facts = self.facts(stage, shown, frozenset(("kernel",)))
        groups = {}
        for fact in facts:
            in_lane = [kernel for part, kernel in fact.computed_in if part == fact.lane]
            kernels = in_lane or [kernel for _, kernel in fact.computed_in]
            if len(kernels) == 1:  # what is computed again in several belongs to none
                groups[fact.id] = (kernels[0],)
        return regrouped(shown, groups)

    def by_modules(self, stage: Stage, shown: Diagram, capture: Capture) -> Diagram:
        """The nodes gathered by the modules that they compute, for any thread. What was asked last is known: hiding nodes asks
        again, and of a large capture it takes 0.2 s; so does coming back.
        """
        for row in self._grouped:
            if row[0] is stage and row[1] is shown and row[2] is capture:
                return row[3]
        self._grouped = [
            *self._grouped[1 - _STAGES_KEPT :],
            (stage, shown, capture, by_modules(stage, shown, capture)),
        ]
        return self._grouped[-1][3]

    def hides_anything(self, stage: StageId) -> bool:
        """Whether something may be hidden in a stage."""
        own = self._own(stage)
        return bool(own.hidden) or any(row.on and row.query for row in self._filters)

    # -- changing ----------------------------------------------------------------------------------------------

    def hide(self, stage: StageId, nodes: Iterable[NodeId]) -> None:
        """Leave these nodes out."""
        own = self._own(stage)
        chosen = frozenset(nodes)
        self._set(stage, _ByHand(own.hidden | chosen, own.revealed - chosen))

    def isolate(self, stage: StageId, nodes: Iterable[NodeId], every: Iterable[NodeId]) -> None:
        """Leave out everything but these."""
        chosen = frozenset(nodes)
        self._set(stage, _ByHand(frozenset(every) - chosen, chosen))

    def reveal(self, stage: StageId, nodes: Iterable[NodeId]) -> None:
        """Draw these, whatever hides them."""
        own = self._own(stage)
        chosen = frozenset(nodes)
        if not chosen <= own.revealed or own.hidden & chosen:
            self._set(stage, _ByHand(own.hidden - chosen, own.revealed | chosen))

    def show_all(self, stage: StageId) -> None:
        """Draw everything: nothing is hidden by hand, and filters are off (they stay in the list)."""
        self._by_hand.pop(stage, None)
        self._filters = tuple(msgspec.structs.replace(row, on=False) for row in self._filters)
        self.changed.emit()

    def set_filters(self, filters: tuple[NodeFilter, ...]) -> None:
        """Another list. What was revealed by hand is forgotten."""
        if filters != self._filters:
            self._filters = filters
            for stage, own in list(self._by_hand.items()):
                self._by_hand[stage] = _ByHand(own.hidden)
            self.changed.emit()

    def set_coloring(self, coloring: str) -> None:
        """Colour boxes by something else."""
        if coloring in COLORINGS and coloring != self._coloring:
            self._coloring = coloring
            self.changed.emit()

    def set_grouping(self, grouping: str) -> None:
        """Gather boxes by something else."""
        if grouping in GROUPINGS and grouping != self._grouping:
            self._grouping = grouping
            self.changed.emit()

    def _set(self, stage: StageId, own: _ByHand) -> None:
        self._by_hand[stage] = own
        self.changed.emit()

    # -- views kept on keys ------------------------------------------------------------------------------------

    def keep(
        self, number: int, stage: StageId, collapsed: frozenset[str], zoom: float, center: tuple[float, float]
    ) -> None:
        """Keep what is looked at under a number from 1 to 9."""
        own = self._own(stage)
        self._kept[number] = KeptView(
            number,
            stage,
            tuple(sorted(collapsed)),
            tuple(sorted(own.hidden)),
            tuple(sorted(own.revealed)),
            self._filters,
            self._coloring,
            zoom,
            center,
            self._grouping,
        )

    def kept(self, number: int) -> KeptView | None:
        """The view under a number."""
        return self._kept.get(number)

    def go_to(self, number: int) -> bool:
        """Look at the view under a number again; False where there is none, or its stage is gone."""
        view, capture = self._kept.get(number), self._session.capture
        if view is None or capture is None or all(stage.id != view.stage for stage in capture.stages):
            return False
        self._by_hand[view.stage] = _ByHand(frozenset(view.hidden), frozenset(view.revealed))
        self._filters, self._coloring, self._grouping = view.filters, view.coloring, view.grouping
        self.view_wanted.emit(view)
        self.changed.emit()
        return True

    # -- kept in a session file --------------------------------------------------------------------------------

    def looks(self) -> GraphLooks:
        """All there is to keep in a session file."""
        self._own("")
        by_hand = (
            HiddenByHand(stage, tuple(sorted(own.hidden)), tuple(sorted(own.revealed)))
            for stage, own in sorted(self._by_hand.items())
            if own.hidden or own.revealed
        )
        kept = tuple(view for _, view in sorted(self._kept.items()))
        return GraphLooks(tuple(by_hand), self._filters, self._coloring, self._grouping, kept)

    def restore(self, looks: GraphLooks | None) -> None:
        """What a session file holds of it; where it holds nothing, filters and colours stay as they are."""
        self._own("")
        self._by_hand.clear()
        self._kept.clear()
        if looks is not None:
            for row in looks.by_hand:
                self._by_hand[row.stage] = _ByHand(frozenset(row.hidden), frozenset(row.revealed))
            self._filters, self._coloring, self._grouping = looks.filters, looks.coloring, looks.grouping
            self._kept.update((view.number, view) for view in looks.kept)
        self.changed.emit()

    # -- lists kept under names --------------------------------------------------------------------------------

    def saved(self) -> tuple[FilterList, ...]:
        """The lists that were saved, by name."""
        text = QSettings().value(_SAVED, "")
        try:
            lists = msgspec.json.decode(str(text) or "[]", type=tuple[FilterList, ...])
        except UNREADABLE:  # somebody else's or an older version's: as good as none
            return ()
        return tuple(sorted(lists, key=lambda row: row.name))

    def save_as(self, name: str) -> None:
        """Save the list under a name, over one of the same name."""
        others = tuple(row for row in self.saved() if row.name != name)
        self._write((*others, FilterList(name, self._filters)))

    def forget(self, name: str) -> None:
        """Remove a saved list."""
        self._write(tuple(row for row in self.saved() if row.name != name))

    def _write(self, lists: tuple[FilterList, ...]) -> None:
        QSettings().setValue(_SAVED, msgspec.json.encode(lists).decode())
