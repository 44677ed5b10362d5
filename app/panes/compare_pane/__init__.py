"""Two stages beside each other: one drawing of both or one of each, and their programs."""

from app.panes.compare_pane.pane import ComparePane

__all__ = ["ComparePane"]
