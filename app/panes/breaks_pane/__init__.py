"""The graph breaks pane: where Dynamo stopped, why, and what to do about it."""

from app.panes.breaks_pane.pane import BreaksPane

__all__ = ["BreaksPane"]
