"""TorchScript's IR as a text that is changed and run, and the saved program run by C++."""

from app.panes.script_pane.pane import ScriptPane

__all__ = ["ScriptPane"]
