"""The code pane: any stage as a readable program."""

from app.panes.code_pane.pane import CodePane

__all__ = ["CodePane"]
