"""The pipeline pane: every stage in the order it was made, graph by graph, with what became of it."""

from app.panes.pipeline_pane.pane import PipelinePane

__all__ = ["PipelinePane"]
