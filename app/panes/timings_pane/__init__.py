"""The timings pane: every kernel of every iteration while the program runs, and the honest sum of it."""

from app.panes.timings_pane.pane import TimingsPane

__all__ = ["TimingsPane"]
