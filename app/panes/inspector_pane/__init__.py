"""The inspector: everything known of what is selected, and the arguments to edit."""

from app.panes.inspector_pane.pane import InspectorPane

__all__ = ["InspectorPane"]
