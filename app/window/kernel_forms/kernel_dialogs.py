"""The `KernelShell` of the actions: dialogs about the selected kernel, loop or measured choice."""

from collections.abc import Callable

from PySide6.QtWidgets import QWidget

from app.actions.selection_queries import picked_kernel, picked_knobs, picked_loops
from app.session.edit_builders.kernel_knobs import turn, turned
from app.session.facade.session import Session
from app.window import questions
from compiler.model.edits.edits import ReplaceKernel


class KernelDialogs:
    """Each dialog is imported when it is wanted, so that the window is there sooner."""

    def __init__(
        self, session: Session, parent: QWidget, run: Callable[[str], None], show_pane: Callable[[str], None]
    ) -> None:
        self._session = session
        self._parent = parent
        self._run = run
        self._show_pane = show_pane

    def explain_unfused(self) -> None:
        """Say why the two selected nodes of the loop IR are fused or not, and offer to ask for it."""
        picked = picked_loops(self._session)
        if picked is not None and len(picked.groups) == 1:
            questions.why_together(picked, self._parent)
        elif picked is not None and questions.why_unfused(picked, self._parent):
            self._run("fusion.bring_together")

    def edit_kernel(self) -> None:
        """Let the person change the source of the selected kernel."""
        from app.window.kernel_forms.kernel_dialog import KernelDialog, kernel_errors

        session, picked = self._session, picked_kernel(self._session)
        if picked is None:
            return
        errors = kernel_errors(session.problems, picked.stage, picked.name)

        def then(source: str) -> None:
            session.make_edit(ReplaceKernel(picked.stage, picked.name, source))

        capture = session.capture
        lowered = capture is not None and capture.spec.device is not None
        KernelDialog(picked.name, picked.source, picked.language, errors, then, self._parent, lowered).open()

    def turn_knobs(self) -> None:
        """Let the person turn Inductor's knobs for the selected kernel."""
        from app.window.kernel_forms.knob_dialog import KnobDialog, Wanted

        session, picked = self._session, picked_knobs(self._session)
        if picked is None:
            self._choose_configurations()
            return
        stage, program, groups, kernel = picked.stage, picked.program, picked.groups, picked.kernel

        def then(wanted: Wanted) -> None:
            session.make_edit(turn(stage, program, groups, wanted, kernel))

        dialog = KnobDialog(kernel, lambda knob: turned(program, groups, knob), then, self._parent)
        session.asking.knobs(stage, tuple(node for group in groups for node in group), dialog.take)
        dialog.open()

    def _choose_configurations(self) -> None:
        from app.window.kernel_forms.configuration_dialog import ConfigurationDialog, known_configurations

        session, picked = self._session, picked_kernel(self._session)
        if picked is None or picked.language != "triton":
            return
        rows = known_configurations(picked.source, session.lowering.now(picked.name))

        def then(source: str) -> None:
            session.make_edit(ReplaceKernel(picked.stage, picked.name, source))

        if rows:
            ConfigurationDialog(picked.name, picked.source, rows, then, self._parent).open()

    def show_assembly(self) -> None:
        """Show the instructions of the selected kernel beside its source."""
        picked = picked_kernel(self._session)
        if picked is not None:
            if picked.language == "triton":
                self._show_pane("lowering")
                self._session.lowering.show(picked.name)
                return
            from app.window.kernel_forms.disassembly_dialog import AssemblyDialog

            dialog = AssemblyDialog(picked.name, picked.source, self._parent)
            self._session.asking.assembly(picked.source, dialog.take)
            dialog.show()

    def show_measured(self) -> None:
        """Show every candidate that torch timed on the GPU."""
        from app.window.kernel_forms.autotuning_dialog import MeasuredDialog

        if self._session.capture is not None:
            MeasuredDialog(self._session.capture, self._parent).show()

    def choose_assumptions(self) -> None:
        """Show what was assumed of the GPU, and capture with other choices."""
        from app.window.kernel_forms.assumptions_dialog import AssumptionsDialog

        session = self._session
        if session.capture is not None:
            AssumptionsDialog(
                session.capture, lambda spec: session.capture_target(spec, again=True), self._parent
            ).open()

    def check_kernel(self) -> None:
        """Interpret the selected kernel's graph, and show what became of each kernel."""
        from app.window.kernel_forms.check_dialog import show_check

        if (picked := picked_kernel(self._session)) is not None:
            show_check(self._session, picked, self._parent)
