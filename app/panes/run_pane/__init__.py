"""The Run pane: what a program that runs by itself is doing, and why it is slow."""

from app.panes.run_pane.pane import RunPane

__all__ = ["RunPane"]
