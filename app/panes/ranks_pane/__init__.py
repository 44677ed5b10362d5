"""Ranks of a distributed program beside each other."""

from app.panes.ranks_pane.pane import RanksPane

__all__ = ("RanksPane",)
