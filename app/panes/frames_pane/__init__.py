"""The frames pane: what became of each Python frame, as a story."""

from app.panes.frames_pane.pane import FramesPane

__all__ = ["FramesPane"]
