"""The frames pane: what became of each Python frame, told as a story."""

from app.panes.frames_pane.pane import FramesPane

__all__ = ["FramesPane"]
