"""What the graph pane will ask about a stage that it is about to show: for any thread, since the answers are immutable and kept."""

from collections.abc import Callable

from app.graph_layout.running_order import in_running_order
from app.session.facade.session import Session
from compiler.analysis.text_format.printer import program
from compiler.model.diagrams.diagrams import diagram
from compiler.model.ir.stage import Stage


def questions_of(session: Session, stage: Stage) -> Callable[[], None]:
    """Called in the window's thread; what it gives is not."""
    capture, views, colors = session.capture, session.views, session.colors
    gathered = views.grouping == "module"

    def ask() -> None:
        shown = in_running_order(diagram(stage))
        if shown is None or not shown.nodes:
            program(stage)
        elif capture is not None and gathered:
            views.by_modules(stage, shown, capture)
        colors.indices(stage.id)

    return ask
