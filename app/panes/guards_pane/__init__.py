"""The guards pane: what compiled code asks of its inputs, why it was compiled again, and what other inputs would do."""

from app.panes.guards_pane.pane import GuardsPane

__all__ = ["GuardsPane"]
