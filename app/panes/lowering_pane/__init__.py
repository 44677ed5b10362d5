"""What Triton kernels become below their source, and what they need of the GPU."""

from app.panes.lowering_pane.pane import LoweringPane

__all__ = ["LoweringPane"]
