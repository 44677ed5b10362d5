"""The engine, and finding one's way through the actions themselves."""

from app.actions.action_row import ActionRow
from app.session.engine_requests.cause_requests import FAILS, SLOW
from app.translation.texts import tr_noop
from compiler.model.experiments.costs import COMPILE_TIME

ROWS = (
    ActionRow(
        "engine.cancel", tr_noop("Cancel"), lambda c: c.session.cancel(), "Esc", tr_noop("Stop what the engine is doing; nothing is lost"),
        lambda c: c.session.working, menu="Engine",
    ),
    ActionRow(
        "engine.restart", tr_noop("Restart engine"), lambda c: c.session.engine.restart(), "Ctrl+Shift+F5",
        tr_noop("End the worker and start another; captures and edits are kept"), menu="Engine",
    ),
    ActionRow(
        "engine.find_cause", tr_noop("Find what makes it wrong"), lambda c: c.session.causes.want(), "",
        tr_noop("Take parts of the pipeline out, one after the other, until what makes compiled results wrong is known"),
        lambda c: not c.session.why_not_run, menu="Engine",
    ),
    ActionRow(
        "engine.find_failure", tr_noop("Find why it does not compile"), lambda c: c.session.causes.want(FAILS), "",
        tr_noop("Compile the program one step of the pipeline further each time, in processes of their own, until it fails; then make it "
        "smaller"),
        lambda c: c.session.causes.failures.spec is not None, menu="Engine",
    ),
    ActionRow(
        "engine.find_slowness", tr_noop("Find what makes it slow"), lambda c: c.session.causes.want(SLOW), "",
        tr_noop("Try on copies what could make the step faster, each timed in turns with the step as it is"),
        lambda c: not c.session.why_not_run, menu="Engine",
    ),
    ActionRow(
        "engine.find_costs", tr_noop("Find what compiling costs"), lambda c: c.session.causes.want(COMPILE_TIME), "",
        tr_noop("By line and module: seconds of a cold compile, memory of a step, recompiles; and what one change saves"),
        lambda c: not c.session.why_not_run, menu="Engine",
    ),
    ActionRow(
        "engine.look_at_values", tr_noop("Look at values"), lambda c: c.session.causes.values.look(), "",
        tr_noop("Run a step and colour post-grad graphs by NaN, infinities, overflow beyond float16 and zeros of every node"),
        lambda c: not c.session.why_not_run, menu="Engine",
    ),
    ActionRow(
        "help.tours", tr_noop("Tours…"), lambda c: c.shell.choose_tour(), "F1",
        tr_noop("Walks through the window, on a program that comes with it or one of yours"), menu="Help",
    ),
    ActionRow(
        "help.start", tr_noop("Start page"), lambda c: c.shell.show_start(), "Ctrl+Shift+H",
        tr_noop("Open, recent, tours, examples; what is open stays open"), menu="Help",
    ),
    ActionRow(
        "help.palette", tr_noop("All actions…"), lambda c: c.shell.show_palette(), "Ctrl+Shift+P", tr_noop("Search every action"),
        menu="Help",
    ),
    ActionRow(
        "help.shortcuts", tr_noop("Shortcuts"), lambda c: c.shell.show_shortcuts(), "?", tr_noop("List every shortcut"), menu="Help",
    ),
)  # fmt: skip
