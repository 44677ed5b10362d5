"""What is open: the capture shown, the stage in front, the selection, the edits, and what the engine is doing.

Panes listen to the signals here and call the methods here; they know nothing else. The engine answers through
`app.engine_client`; a fake one with the same methods serves the tests.
"""

from PySide6.QtCore import QObject, Signal


class Session(QObject):
    """The one object that panes talk to."""

    capture_changed = Signal()
    """Another capture is shown (captured, recompiled, opened, or picked in the history)."""
    stage_changed = Signal()
    """Another stage is in front."""
    edits_changed = Signal()
    """The list of edits, or what is undone of it, changed."""
    preview_changed = Signal()
    """Fresh shapes and errors for the edited graphs arrived."""
    problems_changed = Signal()
    status_changed = Signal()
    """What the engine is doing changed: `engine_state`, `status_text`, `busy`."""
    output_arrived = Signal(str)
    """The program or the engine printed this."""
    verdict_changed = Signal()
    timings_changed = Signal()
    """Timing started, stopped, or samples arrived."""
