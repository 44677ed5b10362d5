"""The history pane: every edit made, every recompile, and what was judged of it."""

from app.panes.history_pane.pane import HistoryPane

__all__ = ["HistoryPane"]
