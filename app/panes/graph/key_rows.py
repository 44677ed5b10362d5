"""The keys of the canvas for the list of shortcuts; apart, so that the window need not load the canvas for it."""

KEY_ROWS = (
    ("Arrow keys", "Walk", "Select the next box along the arrows, or the one beside"),
    (
        "I, O",
        "Inputs, outputs",
        "Add the inputs or outputs to the selection; what is hidden among them is drawn",
    ),
    ("Return", "Open module", "Open the selected module; of equal ones in one box the first"),
    ("Backspace", "Collapse module", "Collapse the module around the selection"),
    ("Space, F", "Show everything", "Fit the graph into the view"),
    ("+, -", "Zoom", "One step nearer or farther; Ctrl and the wheel zoom too"),
    ("/, F3", "Search", "Search the graph by words and queries; go to the next match"),
    (
        "Ctrl+1 … Ctrl+9",
        "Keep view",
        "Keep the stage, zoom, open modules, filters and colours under a number",
    ),
    ("1 … 9", "Go to view", "Look at what was kept under the number"),
)
"""For the list of shortcuts: keys, title, what they do."""
