"""What actions that edit graphs need of the window: dialogs that end in an edit."""

from typing import Protocol

from compiler.analysis.edits.clipboard import Fragment
from compiler.analysis.transforms import Transform


class EditShell(Protocol):
    """Each asks for what is missing, about what is selected, and makes the edit."""

    def choose_operation(self, every: bool) -> None:
        """Let the person choose what the selected node, or every one like it, calls instead."""

    def choose_insertion(self, before: bool) -> None:
        """Let the person choose an operation to put behind, or before, the selected node."""

    def edit_arguments(self) -> None:
        """Let the person change the arguments of the selected node in a form."""

    def choose_constant(self) -> None:
        """Let the person set the result of the selected node to a constant."""

    def choose_input(self) -> None:
        """Let the person choose another input of the selected node."""

    def duplicate(self) -> None:
        """Let the person choose which uses a second node like the selected one takes over."""

    def paste(self, fragment: Fragment) -> None:
        """Let the person choose where copied nodes go."""

    def transform(self, transform: Transform) -> None:
        """Let the person look into a transform of the graph in front, and make it."""

    def make_region(self, operator: bool) -> None:
        """Let the person name the submodule, or the custom operator, that the selected nodes become."""
