"""What the forward keeps for the backward: decisions, choices, the budget."""

from app.panes.partition_pane.pane import PartitionPane

__all__ = ["PartitionPane"]
