"""What actions about kernels need of the window."""

from typing import Protocol


class KernelShell(Protocol):
    """Each is about the selected kernel, loop or measured choice."""

    def explain_unfused(self) -> None:
        """Say why the two selected nodes of the loop IR are fused or not, and offer to ask for it."""

    def edit_kernel(self) -> None:
        """Let the person change the source of the selected kernel."""

    def turn_knobs(self) -> None:
        """Let the person turn Inductor's knobs for the selected kernel."""

    def show_assembly(self) -> None:
        """Show the instructions of the selected kernel."""

    def check_kernel(self) -> None:
        """Interpret the selected Triton kernel and its neighbours, and say whether they are right."""

    def choose_assumptions(self) -> None:
        """Show what was assumed of an absent GPU, and let the person choose otherwise."""

    def show_measured(self) -> None:
        """Show what torch timed on the GPU while it compiled."""
