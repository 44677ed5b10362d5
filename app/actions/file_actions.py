"""Opening, saving, leaving."""

from app.actions.action_row import ActionRow, Context
from app.session.files.graph_export import has_graph


def _has_capture(context: Context) -> bool:
    return context.session.capture is not None


def _assumes(context: Context) -> bool:
    capture = context.session.capture
    return capture is not None and bool(capture.assumed) and context.session.engine_state != "stopped"


def _measured(context: Context) -> bool:
    capture = context.session.capture
    return capture is not None and bool(capture.measured)


def _has_engine(context: Context) -> bool:
    """Or none was started yet, since nothing has asked for one."""
    return context.session.engine_state != "stopped" or context.session.engine.generation == 0


ROWS = (
    ActionRow(
        "file.open_model", "Open model…", lambda c: c.shell.open_model(), "Ctrl+N",
        "Choose a program and its inputs, and capture its compilation",
        _has_engine, icon="open", menu="File", in_toolbar=True,
    ),
    ActionRow(
        "file.open_session", "Open file…", lambda c: c.shell.open_session(), "Ctrl+O",
        "A session, a log of torch's, a Python file, or what torch.export saved; no code of a session or log is run",
        menu="File",
    ),
    ActionRow(
        "file.machine", "Run on another machine…", lambda c: c.shell.choose_machine(), "",
        "Start the engine where the GPU is, over your own ssh or another command", menu="File",
    ),
    ActionRow(
        "file.capture_again", "Capture again", lambda c: c.shell.capture_again(), "F5",
        "Run the program that is open once more, from the files as they are now; edits start afresh",
        lambda c: _has_capture(c) and c.session.engine_state != "stopped", menu="File",
    ),
    ActionRow(
        "file.assumptions", "Assumptions…", lambda c: c.shell.kernels.choose_assumptions(), "",
        "What the absent GPU would have measured, and what to assume instead", _assumes, menu="File",
    ),
    ActionRow(
        "file.mine", "Your files…", lambda c: c.shell.choose_own_files(), "",
        "Say which installed packages and which folders are yours, and capture so",
        lambda c: _has_capture(c) and c.session.engine_state != "stopped", menu="File",
    ),
    ActionRow(
        "file.measured", "Measured choices…", lambda c: c.shell.kernels.show_measured(), "",
        "Every candidate that torch timed on the GPU while it compiled", _measured, menu="File",
    ),
    ActionRow(
        "file.watch", "Watch the file", lambda c: c.session.watch.set_on(not c.session.watch.on), "Ctrl+Shift+W",
        "Capture again whenever a file of the program is saved, and say what changed; edits that fit are made again",
        _has_capture, checked=lambda c: c.session.watch.on, menu="File",
    ),
    ActionRow(
        "file.save", "Save", lambda c: c.shell.save(ask=False), "Ctrl+S",
        "Save captures, edits and results", _has_capture, icon="save", menu="File", group="save", in_toolbar=True,
    ),
    ActionRow(
        "file.save_as", "Save as…", lambda c: c.shell.save(ask=True), "Ctrl+Shift+S",
        "Save to another file", _has_capture, menu="File", group="save",
    ),
    ActionRow(
        "file.export", "Export edits as code…", lambda c: c.shell.export_edits(), "Ctrl+Shift+E",
        "Write the compiled edits as FX passes that need torch only, with a test and a recipe for loupe edit",
        lambda c: c.session.exporting.possible and c.session.engine_state != "stopped", menu="File", group="save",
    ),
    ActionRow(
        "file.export_graph", "Export graph…", lambda c: c.shell.export_graph(), "",
        "Write the graph in front as GraphML or DOT, for yEd, Gephi, Graphviz or networkx",
        lambda c: has_graph(c.session.stage), menu="File", group="save",
    ),
    ActionRow(
        "file.share", "Share as HTML…", lambda c: c.shell.share_page(), "",
        "Write what is shown as one page that any browser opens, with its code or without", _has_capture,
        menu="File", group="save",
    ),
    ActionRow("file.quit", "Quit", lambda c: c.shell.close_window(), "Ctrl+Q", menu="File", group="quit"),
)  # fmt: skip
