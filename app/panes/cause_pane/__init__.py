"""What makes the results of compiled code wrong: the question, the answer, every trial."""

from app.panes.cause_pane.pane import CausePane

__all__ = ["CausePane"]
