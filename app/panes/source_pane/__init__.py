"""The source pane: the user's files with what Dynamo captured of them."""

from app.panes.source_pane.pane import SourcePane

__all__ = ["SourcePane"]
