"""The torch.compile pane: all it can be told, and what that changes for the program that is open."""

from app.panes.options_pane.pane import OptionsPane

__all__ = ["OptionsPane"]
