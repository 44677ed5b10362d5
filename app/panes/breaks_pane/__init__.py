"""The graph breaks pane: where Dynamo stopped, why, and what became of each frame."""

from app.panes.breaks_pane.pane import BreaksPane

__all__ = ["BreaksPane"]
