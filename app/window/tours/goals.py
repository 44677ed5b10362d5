"""Whether what a step of a tour waits for is done, and doing it for somebody who wants to see how."""

from collections.abc import Callable
from typing import TypeAlias

from app.session.facade.displayed_stage import stage_in_view
from app.session.facade.session import Session
from app.session.selection.selected_line import selected_line
from app.window.tours.tour_window import TourWindow
from compiler.analysis.remedies import remedies_for
from compiler.analysis.tours.tour import Goal, TourStep
from compiler.model.diagrams.diagrams import diagram, is_drawn
from compiler.model.gpu.lowered_stages import answers_of, triton_kernels
from compiler.model.ir.ids import NodeId, line_id, place
from compiler.model.ir.stage import SourceStage, Stage, StageKind
from compiler.model.timing.timings import TimingSettings

Value: TypeAlias = str | int | bool


class TourGoals:
    """Asks the session and the window; changes them only in `bring_about` and `set_scene`."""

    def __init__(self, session: Session, window: TourWindow) -> None:
        self._session = session
        self._window = window

    # -- asking ------------------------------------------------------------------------------------------------

    def is_reached(self, goal: Goal) -> bool:
        """Whether what is waited for is so now."""
        return self._asks()[goal.kind](goal.value)

    def _asks(self) -> dict[str, Callable[[Value], bool]]:
        session = self._session
        capture, stage = session.capture, session.stage
        return {
            "line": self._is_line_selected,
            "node": self._is_node_selected,
            "stage": lambda kind: stage is not None and _is_kind(stage, str(kind)),
            "pane": lambda pane: self._is_seen(str(pane)),
            "workspace": lambda name: self._window.workspace == name,
            "edits": lambda many: len(session.edits) >= int(many) if many else not session.edits,
            "compiled": lambda _: (
                bool(session.edits) and not session.has_uncompiled_edits and session.verdict is not None
            ),
            "pass": lambda _: stage is not None and session.passes.position(stage.id) is not None,
            "timed": lambda _: bool(session.timings.kernels and session.timings.kernel_medians()),
            "trial": lambda _: session.trials.result is not None,
            "kept": lambda _: capture is not None and bool(capture.spec.changes),
            "front_ends": lambda _: bool(session.front_ends.cells) and not session.front_ends.busy,
            "lowered": lambda _: capture is not None and bool(answers_of(capture)),
        }

    def _is_line_selected(self, number: Value) -> bool:
        session = self._session
        line = selected_line(session.capture, session.selection.pinned, session.provenance)
        return line is not None and line.line == number

    def _is_node_selected(self, name: Value) -> bool:
        pinned, stage = self._session.selection.pinned, self._session.stage
        return stage is not None and any(
            _is_called(stage, node, str(name)) for node in pinned.nodes if pinned.stage == stage.id
        )

    def _is_seen(self, pane: str) -> bool:
        found = self._window.show_panes().panes.get(pane)
        return found is not None and found.isVisible() and not found.visibleRegion().isEmpty()

    # -- doing -------------------------------------------------------------------------------------------------

    def set_scene(self, step: TourStep) -> None:
        """Bring to the front what a step talks about."""
        area = self._window.show_panes()
        if step.workspace:
            self._window.show_workspace(step.workspace)
        if step.pane:
            area.show_pane(step.pane)
        if step.stage:
            self._show_stage(step.stage)
            if (stage := self._session.stage) is not None:
                self._session.passes.go_to(stage.id, None)
        if step.line:
            self._select_line(step.line)
        if step.point == "graph":
            area.focus_pane("graph")  # its keys are single letters

    def bring_about(self, step: TourStep) -> None:
        """Do what a step waits for."""
        if step.goal is None:
            return
        if step.action:
            self._window.run_action(step.action)
        else:
            self._acts()[step.goal.kind](step.goal.value)

    def _acts(self) -> dict[str, Callable[[Value], object]]:
        session, area = self._session, self._window.show_panes()
        return {
            "line": lambda number: self._select_line(int(number)),
            "node": lambda name: self._select_node(str(name)),
            "stage": lambda kind: self._show_stage(str(kind)),
            "pane": lambda pane: area.show_pane(str(pane)),
            "workspace": lambda name: self._window.show_workspace(str(name)),
            "edits": self._take_back,
            "compiled": lambda _: session.recompile(),
            "pass": lambda _: session.passes.step(session.stage.id, -1) if session.stage else None,
            "timed": lambda _: session.timings.start(TimingSettings()),
            "trial": lambda _: self._try_first_remedy(),
            "kept": lambda _: session.trials.keep(),
            "front_ends": lambda _: session.front_ends.start(),
            "lowered": lambda _: self._lower_first(),
        }

    def _take_back(self, many: Value) -> None:
        """Edits to make are made by the step's action."""
        while self._session.edits and many == 0:
            self._session.undo()

    def _lower_first(self) -> None:
        capture = self._session.capture
        kernels = triton_kernels(capture) if capture is not None else ()
        self._session.lowering.lower([kernel.name for kernel in kernels][:1])

    def _select_line(self, line: int) -> None:
        capture = self._session.capture
        for stage in capture.stages if capture is not None else ():
            if isinstance(stage.content, SourceStage):
                self._session.selection.select(place(stage.id, line_id(line)))
                return

    def _select_node(self, name: str) -> None:
        stage = self._session.stage
        if stage is None or not is_drawn(stage):
            return
        drawn = diagram(stage_in_view(self._session, stage.id))
        nodes = drawn.nodes if drawn is not None else ()
        found = next((node.id for node in nodes if _is_called(stage, node.id, name)), None)
        if found is not None:
            self._session.selection.select(self._session.passes.at(stage.id, found))

    def _show_stage(self, wanted: str) -> None:
        capture, shown = self._session.capture, self._session.stage
        stages = [stage for stage in capture.stages if _is_kind(stage, wanted)] if capture is not None else []
        here = shown.compile_id if shown is not None else ""
        stages.sort(key=lambda stage: stage.compile_id != here)
        if stages:
            self._session.show_stage(stages[0].id)

    def _try_first_remedy(self) -> None:
        trials, capture = self._session.trials, self._session.capture
        if trials.proposal is None and capture is not None:
            remedies = (remedy for found in capture.breaks for remedy in remedies_for(capture, found))
            if (first := next(remedies, None)) is not None:
                trials.choose(first)
        trials.start()


def _is_kind(stage: Stage, wanted: str) -> bool:
    part, _, kind = wanted.rpartition(" ")
    return stage.kind is StageKind(kind) and (not part or stage.part == part)


def _is_called(stage: Stage, node_id: NodeId, name: str) -> bool:
    """By its id, or by what it calls."""
    if name in node_id:
        return True
    node = next((node for node in stage.graph.nodes if node.id == node_id), None) if stage.graph else None
    return node is not None and name in node.target.rpartition(".")[2]
