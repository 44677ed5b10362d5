"""Whether what a step of a tour waits for is done, and doing it for somebody who wants to see how."""

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


class TourGoals:
    """Asks the session and the window; changes them only in `bring_about` and `set_scene`."""

    def __init__(self, session: Session, window: TourWindow) -> None:
        self._session = session
        self._window = window

    # -- asking ------------------------------------------------------------------------------------------------

    def is_reached(self, goal: Goal) -> bool:
        """Whether what is waited for is so now."""
        session, value = self._session, goal.value
        capture, stage = session.capture, session.stage
        match goal.kind:
            case "line":
                line = selected_line(capture, session.selection.pinned, session.provenance)
                return line is not None and line.line == value
            case "node":
                return stage is not None and any(
                    _is_called(stage, node, str(value)) for node in session.passes.pinned_in(stage.id)
                )
            case "stage":
                return stage is not None and _is_kind(stage, str(value))
            case "pane":
                return self._is_seen(str(value))
            case "workspace":
                return self._window.workspace == value
            case "edits":
                return not session.edits if value == 0 else len(session.edits) >= int(value)
            case "compiled":
                return bool(session.edits) and not session.has_uncompiled_edits and session.verdict is not None
            case "pass":
                return stage is not None and session.passes.position(stage.id) is not None
            case "timed":
                return session.timings.has_samples
            case "trial":
                return session.trials.result is not None
            case "kept":
                return capture is not None and bool(capture.spec.changes)
            case "front_ends":
                return bool(session.front_ends.cells) and not session.front_ends.busy
            case "lowered":
                return capture is not None and bool(answers_of(capture))
        return False

    def _is_seen(self, pane: str) -> bool:
        dock = self._window.show_panes().docks.get(pane)
        return dock is not None and dock.isVisible() and not dock.visibleRegion().isEmpty()

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
        if step.line:
            self._select_line(step.line)

    def bring_about(self, step: TourStep) -> None:
        """Do what a step waits for."""
        goal, session = step.goal, self._session
        if goal is None:
            return
        if step.action:
            self._window.run_action(step.action)
            return
        capture, stage = session.capture, session.stage
        match goal.kind:
            case "line":
                self._select_line(int(goal.value))
            case "node" if stage is not None:
                self._select_node(stage, str(goal.value))
            case "stage":
                self._show_stage(str(goal.value))
            case "pane":
                self._window.show_panes().show_pane(str(goal.value))
            case "workspace":
                self._window.show_workspace(str(goal.value))
            case "edits":
                while session.edits and goal.value == 0:
                    session.undo()
            case "compiled":
                session.recompile()
            case "pass" if stage is not None:
                session.passes.step(stage.id, -1)
            case "timed":
                session.timings.start(TimingSettings())
            case "trial":
                self._try_first_remedy()
            case "kept":
                session.trials.keep()
            case "front_ends":
                session.front_ends.start(search=False)
            case "lowered" if capture is not None:
                session.lowering.lower([kernel.name for kernel in triton_kernels(capture)][:1])

    def _select_line(self, line: int) -> None:
        capture = self._session.capture
        for stage in capture.stages if capture is not None else ():
            if isinstance(stage.content, SourceStage):
                self._session.selection.select(place(stage.id, line_id(line)))
                return

    def _select_node(self, stage: Stage, name: str) -> None:
        drawn = diagram(stage_in_view(self._session, stage.id)) if is_drawn(stage) else None
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
