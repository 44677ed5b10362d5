"""All front ends beside one another."""

from app.panes.front_ends_pane.pane import FrontEndsPane

__all__ = ["FrontEndsPane"]
