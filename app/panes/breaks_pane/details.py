"""One graph break in full: what, why, what to do, and the way there."""

from app.widgets.link_label import RichText
from compiler.model.capture import Capture
from compiler.model.graph import SourceLine
from compiler.model.ids import Place
from compiler.model.to_do import ToDo, line_place


def break_details(capture: Capture, item: ToDo) -> tuple[RichText, list[Place]]:
    """The text, and where its links lead."""
    text, whole = RichText(), item.first
    places: list[Place] = []
    text.text(whole.kind, "bold")
    if whole.registry_id:
        text.text(f"   {whole.registry_id}", "dim")
    text.line()
    times = f"met {item.times} times" if item.times > 1 else "met once"
    frames = f" in graph {', '.join(item.frames)}" if item.frames else ""
    text.text(f"{times}{frames}", "dim").line()
    if whole.skipped_frame:
        text.text("The whole frame was given up: it runs eagerly.", "warning").line()
    if whole.explanation:
        text.line().text(whole.explanation.strip()).line()
    if whole.hints:
        text.heading("What to do")
        for hint in whole.hints:
            text.paragraph(RichText().text(f"• {hint.strip()}"))
    if whole.stack:
        text.heading("Where")
        for spot in reversed(whole.stack):
            _write_line(text, places, capture, spot)
    if whole.context:
        text.heading("For developers of torch").text(whole.context.strip(), "mono").line()
    if not whole.explanation or not whole.hints:
        text.heading("What torch said").code(whole.reason.strip())
    return text, places


def _write_line(text: RichText, places: list[Place], capture: Capture, spot: SourceLine) -> None:
    """A line of the stack, a link where its file was captured."""
    name = f"{spot.path.rpartition('/')[2]}:{spot.line}"
    target = line_place(capture, spot)
    if target:
        places.append(target)
        text.link(name, len(places) - 1)
    else:
        text.text(name)
    text.text(f"  {spot.function}", "dim").text(f"  {spot.text.strip()}", "mono").line()
