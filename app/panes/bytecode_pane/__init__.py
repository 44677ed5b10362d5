"""The bytecode pane: a frame's original bytecode beside what Dynamo rewrote it to."""

from app.panes.bytecode_pane.pane import BytecodePane

__all__ = ["BytecodePane"]
