"""What changed from the capture before to the one that is open."""

from app.panes.changes_pane.pane import ChangesPane

__all__ = ["ChangesPane"]
