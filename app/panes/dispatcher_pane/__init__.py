"""Torch's dispatcher: tables of operators, calls of the open program, keys of tensors, lessons."""

from app.panes.dispatcher_pane.pane import DispatcherPane

__all__ = ["DispatcherPane"]
