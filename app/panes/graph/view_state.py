"""How the stage in front is looked at: what is left out of it, its colours, what a search finds, views kept on keys."""

from collections.abc import Callable

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QWidget

from app.canvas.box_colors import Painting
from app.panes.graph.coloring import TITLES, painting
from app.panes.graph.filter_panel import FilterPanel
from app.panes.graph.graph_toolbar import GraphToolbar
from app.session.facade.session import Session
from app.translation.texts import tr, tr_noop
from app.widgets.legend_strip import LegendEntry, LegendStrip
from compiler.analysis.diagrams.hidden_nodes import without
from compiler.analysis.queries.graph_view_state import KeptView
from compiler.model.diagrams.diagrams import Diagram
from compiler.model.ir.ids import NodeId
from compiler.model.ir.stage import Stage

_MOST_IN_LEGEND = 9
_GROUPINGS = {
    "module": tr_noop("Gather by module"),
    "kernel": tr_noop("Gather by kernel"),
    "none": tr_noop("Gather nothing"),
}
_LONGEST_IN_LEGEND = 34


class ViewState(QObject):
    """Holds the filter panel and the legend, and asks the session's `GraphViews` for the pane."""

    changed = Signal()
    """Something else is left out, or other colours."""

    def __init__(self, session: Session, toolbar: GraphToolbar, parent: QWidget) -> None:
        super().__init__(parent)
        self._session = session
        self._toolbar = toolbar
        self._stage: Stage | None = None
        self.full: Diagram | None = None
        """Everything there is in the stage in front."""
        self._hidden: frozenset[NodeId] = frozenset()
        self._left: Diagram | None = None
        self._grouping = ""
        self.wanted: KeptView | None = None
        """A view to go to as soon as its stage is laid out."""
        self.filters = FilterPanel(session.views, parent)
        self.legend = LegendStrip(parent)
        self.legend.hide()
        toolbar.filters_asked.connect(self.filters.open)
        toolbar.group_asked.connect(session.views.set_grouping)
        toolbar.color_asked.connect(session.views.set_coloring)
        session.views.filters_wanted.connect(self.filters.open)
        session.views.changed.connect(self._on_change)
        session.views.view_wanted.connect(self._on_view)
        self._on_change()

    def left(self, stage: Stage, full: Diagram) -> Diagram:
        """What is drawn of a stage, of which this is everything."""
        if (
            self._stage is not None
            and self._stage.id == stage.id
            and full == self.full
            and self.full is not None
        ):
            full = self.full  # the same object, so that what was asked about it is known still
        views = self._session.views
        hidden, grouping = views.hidden(stage, full), views.grouping
        self._stage = stage
        if (
            full is not self.full
            or (hidden, grouping) != (self._hidden, self._grouping)
            or self._left is None
        ):
            self.full, self._hidden, self._grouping = full, hidden, grouping
            self._left = without(views.grouped(stage, full), hidden)
        count = tr("{count:,} node(s)", None, len(full.nodes)).format(count=len(full.nodes))
        shown = len(self._left.nodes)
        self._toolbar.set_counts(
            tr("{shown:,} of {count}").format(shown=shown, count=count) if hidden else count
        )
        return self._left

    def painting(self) -> Painting | None:
        """The colours chosen for the stage in front; informs the legend."""
        chosen = None
        if self._stage is not None and self.full is not None:
            chosen = painting(self._session, self._stage, self.full)
        rows = chosen.legend[:_MOST_IN_LEGEND] if chosen is not None else ()
        self.legend.set_entries(tuple(LegendEntry(_short(row.text), row.color) for row in rows))
        return chosen

    def finder(self, text: str) -> tuple[Callable[[], tuple[NodeId, ...]], int]:
        """What gives what a query finds in all of the stage, in any thread, and among how many nodes. Raises QueryError."""
        if self._stage is None or self.full is None:
            return tuple, 0
        return self._session.views.finder(self._stage, self.full, text), len(self.full.nodes)

    def extend(self, to_inputs: bool) -> bool:
        """Reveal and select what is hidden among the inputs (or outputs) of the selection; False where nothing is."""
        if self._stage is None or self.full is None:
            return False
        held = self._session.passes.pinned_in(self._stage.id)
        ends = (
            (edge.target, edge.source) if to_inputs else (edge.source, edge.target)
            for edge in self.full.edges
        )
        found = {far for near, far in ends if near in held and far in self._hidden}
        if found:
            self._session.views.reveal(self._stage.id, found)
            self._session.selection.select(self._session.passes.at(self._stage.id, *held, *found))
        return bool(found)

    def reveal(self, node: NodeId) -> None:
        """Draw a node that is hidden, since somebody goes to it."""
        if self._stage is not None and node in self._hidden:
            self._session.views.reveal(self._stage.id, (node,))

    def hides_all(self) -> bool:
        """Whether nothing is left."""
        return self._left is not None and not self._left.nodes and bool(self._hidden)

    def _on_change(self) -> None:
        views = self._session.views
        self._toolbar.set_colorings({name: tr(title) for name, title in TITLES.items()}, views.coloring)
        self._toolbar.set_groupings({name: tr(title) for name, title in _GROUPINGS.items()}, views.grouping)
        active = sum(row.on and bool(row.query) for row in views.filters)
        self._toolbar.filter_button.setText(
            tr("Filters ({active})").format(active=active) if active else tr("Filters")
        )
        self.changed.emit()

    def _on_view(self, view: KeptView) -> None:
        self.wanted = view
        self._session.show_stage(view.stage)


def _short(text: str) -> str:
    """A long name loses its middle; its number and how often it comes stay."""
    if len(text) <= _LONGEST_IN_LEGEND:
        return text
    return f"{text[: _LONGEST_IN_LEGEND - 13]}…{text[-12:]}"
