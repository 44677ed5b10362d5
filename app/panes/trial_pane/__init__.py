"""The trial pane: a change before it is made, what it does to the program, and how to keep it."""

from app.panes.trial_pane.pane import TrialPane

__all__ = ["TrialPane"]
