"""PrimTorch: the program at four levels, and what an operator is made of."""

from app.panes.prims_pane.pane import PrimsPane

__all__ = ["PrimsPane"]
