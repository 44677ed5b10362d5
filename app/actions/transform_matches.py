"""Which ready transforms find something in the graph in front: looked for when their menu is opened, one after the other, so that
the window answers between them. What finds nothing cannot be chosen, and says why.
"""

from contextlib import suppress
from functools import partial

from PySide6.QtCore import QObject, QTimer, SignalInstance
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMenu

from app.actions.action_row import Context
from app.actions.selection_queries import editable_graph, editable_stage
from app.translation.compiler_texts import translate_fixed_text
from compiler.analysis.transforms import Transform, found_transforms, why_nothing
from compiler.model.ir.graph import Graph
from compiler.model.ir.ids import StageId

_BY_SELECTION = "cast_region"
"""Asks for a selection where there is none: that is said in its dialog."""


class TransformMatches(QObject):
    """Of one window."""

    def __init__(
        self, context: Context, actions: dict[str, QAction], updated: SignalInstance, menu: QMenu
    ) -> None:
        super().__init__(menu)
        self._context, self._actions = context, actions
        self._graph: Graph | None = None
        self._stage: StageId = ""
        self._reasons: dict[str, str] = {}
        """By transform, why it finds nothing in the graph; empty where it finds something."""
        self._left: list[Transform] = []
        self._next = QTimer(self, interval=0)
        self._next.timeout.connect(self._look)
        menu.aboutToShow.connect(self._begin)
        updated.connect(self._show_matches)

    @property
    def looking(self) -> bool:
        """Whether some were not tried yet."""
        return self._next.isActive()

    def _begin(self) -> None:
        stage, graph = editable_stage(self._context.session), editable_graph(self._context.session)
        if stage is None or graph is None:
            return
        if graph is not self._graph:
            self._stage, self._graph, self._reasons = stage, graph, {}
        self._left = [row for row in found_transforms().rows if row.id not in self._reasons]
        self._show_matches()
        if self._left:
            self._look()
            self._next.start()

    def _look(self) -> None:
        if not self._left or self._graph is None or editable_graph(self._context.session) is not self._graph:
            self._next.stop()
            return
        transform = self._left.pop(0)
        self._reasons[transform.id] = ""
        if transform.id != _BY_SELECTION:
            with suppress(Exception):  # a plug-in's fault, which is reported when it is chosen
                self._reasons[transform.id] = why_nothing(
                    partial(transform.make, self._stage, self._graph, ())
                )
        self._show_matches()

    def _show_matches(self) -> None:
        """What is known, as long as that graph is in front."""
        if self._graph is None or editable_graph(self._context.session) is not self._graph:
            return
        for transform, reason in self._reasons.items():
            action = self._actions[f"transform.{transform}"]
            if reason and action.isEnabled():
                action.setEnabled(False)
                action.setToolTip(f"{action.toolTip()}\n{translate_fixed_text(reason)}")
