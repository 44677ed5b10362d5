"""The pattern pane: a pattern from the selection, its matches and near misses, and what takes their place."""

from app.panes.pattern_pane.pane import PatternPane

__all__ = ["PatternPane"]
