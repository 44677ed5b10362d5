"""The keys of the canvas for the list of shortcuts; apart, so that the window need not load the canvas for it."""

from app.translation.texts import tr_noop

KEY_ROWS = (
    (
        tr_noop("Arrow keys"),
        tr_noop("Walk"),
        tr_noop("Select the next box along the arrows, or the one beside"),
    ),
    (
        "I, O",
        tr_noop("Inputs, outputs"),
        tr_noop("Add the inputs or outputs to the selection; what is hidden among them is drawn"),
    ),
    (
        tr_noop("Return"),
        tr_noop("Open module"),
        tr_noop("Open the selected module; of equal ones in one box the first"),
    ),
    (tr_noop("Backspace"), tr_noop("Collapse module"), tr_noop("Collapse the module around the selection")),
    (tr_noop("Space, F"), tr_noop("Show everything"), tr_noop("Fit the graph into the view")),
    ("+, -", tr_noop("Zoom"), tr_noop("One step nearer or farther; Ctrl and the wheel zoom too")),
    ("/, F3", tr_noop("Search"), tr_noop("Search the graph by words and queries; go to the next match")),
    (
        "Ctrl+1 … Ctrl+9",
        tr_noop("Keep view"),
        tr_noop("Keep the stage, zoom, open modules, filters and colours under a number"),
    ),
    ("1 … 9", tr_noop("Go to view"), tr_noop("Look at what was kept under the number")),
)
"""For the list of shortcuts: keys, title, what they do."""
