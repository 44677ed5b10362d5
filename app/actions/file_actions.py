"""Opening, saving, leaving."""

from app.actions.action_row import ActionRow, Context
from app.translation.texts import tr_noop


def _can_save(context: Context) -> bool:
    """Stages that are shown while the first capture goes on are none that a file holds."""
    return bool(context.session.captures)


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


def _can_run_again(context: Context) -> bool:
    spec, stopped = context.session.causes.failures.spec, context.session.engine_state == "stopped"
    return spec is not None and not spec.target.recorded and not stopped


ROWS = (
    ActionRow(
        "file.open_model", tr_noop("Open model…"), lambda c: c.shell.open_model(), "Ctrl+N",
        tr_noop("Choose a program and its inputs, and capture its compilation"),
        _has_engine, icon="open", menu="File", in_toolbar=True,
    ),
    ActionRow(
        "file.open_session", tr_noop("Open file…"), lambda c: c.shell.open_session(), "Ctrl+O",
        tr_noop("A session, a log of torch's, a Python file, or what torch.export saved; no code of a session or log is run"),
        menu="File",
    ),
    ActionRow(
        "file.machine", tr_noop("Run on another machine…"), lambda c: c.shell.choose_machine(), "",
        tr_noop("Start the engine where the GPU is, over your own ssh or another command"), menu="File",
    ),
    ActionRow(
        "file.capture_again", tr_noop("Capture again"), lambda c: c.shell.capture_again(), "F5",
        tr_noop("Run the program that is open, or that failed, once more, from the files as they are now; edits start afresh"),
        _can_run_again, menu="File",
    ),
    ActionRow(
        "file.assumptions", tr_noop("Assumptions…"), lambda c: c.shell.kernels.choose_assumptions(), "",
        tr_noop("What the absent GPU would have measured, and what to assume instead"), _assumes, menu="File",
    ),
    ActionRow(
        "file.mine", tr_noop("Your files…"), lambda c: c.shell.choose_own_files(), "",
        tr_noop("Say which installed packages and which folders are yours, and capture so"),
        lambda c: _has_capture(c) and c.session.engine_state != "stopped", menu="File",
    ),
    ActionRow(
        "file.measured", tr_noop("Measured choices…"), lambda c: c.shell.kernels.show_measured(), "",
        tr_noop("Every candidate that torch timed on the GPU while it compiled"), _measured, menu="File",
    ),
    ActionRow(
        "file.watch", tr_noop("Watch the file"), lambda c: c.session.watch.set_on(not c.session.watch.on), "Ctrl+Shift+W",
        tr_noop("Capture again whenever a file of the program is saved, and say what changed; edits that fit are made again"),
        _has_capture, checked=lambda c: c.session.watch.on, menu="File",
    ),
    ActionRow(
        "file.save", tr_noop("Save"), lambda c: c.shell.save(ask=False), "Ctrl+S",
        tr_noop("Save captures, edits and results"), _can_save, icon="save", menu="File", group="save", in_toolbar=True,
    ),
    ActionRow(
        "file.save_as", tr_noop("Save as…"), lambda c: c.shell.save(ask=True), "Ctrl+Shift+S",
        tr_noop("Save to another file"), _can_save, menu="File", group="save",
    ),
    ActionRow(
        "file.export", tr_noop("Export edits as code…"), lambda c: c.shell.export_edits(), "Ctrl+Shift+E",
        tr_noop("Write the compiled edits as FX passes that need torch only, with a test and a recipe for loupe edit"),
        lambda c: c.session.exporting.possible and c.session.engine_state != "stopped", menu="File", group="save",
    ),
    ActionRow(
        "file.export_graph", tr_noop("Export graph…"), lambda c: c.shell.export_graph(), "",
        tr_noop("Write the graph in front as GraphML or DOT, for yEd, Gephi, Graphviz or networkx"),
        lambda c: c.session.stage is not None, menu="File", group="save",
    ),
    ActionRow(
        "file.share", tr_noop("Share as HTML…"), lambda c: c.shell.share_page(), "",
        tr_noop("Write what is shown as one page that any browser opens, with its code or without"), _has_capture,
        menu="File", group="save",
    ),
    ActionRow("file.quit", tr_noop("Quit"), lambda c: c.shell.close_window(), "Ctrl+Q", menu="File", group="quit"),
)  # fmt: skip
