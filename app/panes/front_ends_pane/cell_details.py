"""One front end's cell in words: how it looks at a program, what it did with this one, and on which inputs."""

from app.translation.texts import tr, tr_noop
from app.widgets.labels.link_label import RichText
from compiler.model.capture.front_ends import FrontEnd
from compiler.model.front_end_comparison.front_end_matrix import PRINT_LOST, FrontEndCell, Judgement, Outcome

LINE_LINK = 0
"""The link that leads to the user's line."""
_STYLES = {
    Outcome.SAME: (tr_noop("ok"), "good"),
    Outcome.WRONG: (tr_noop("WRONG"), "error bold"),
    Outcome.REFUSED: (tr_noop("refuses"), "warning"),
    Outcome.UNJUDGED: (tr_noop("not judged"), "dim"),
    Outcome.FAILED: (tr_noop("not taken"), "dim"),
    Outcome.DIED: (tr_noop("dies"), "error bold"),
}


def cell_details(front_end: FrontEnd, cell: FrontEndCell | None) -> RichText:
    """The text; its only link is the line of the error."""
    text = RichText().text(front_end.title, "bold").line().text(front_end.lesson, "dim").line()
    if cell is None:
        return text
    if cell.problem is not None:
        text.heading(tr("Not captured")).text(cell.problem.what, "error").line()
        if cell.problem.path and cell.problem.line:
            name = f"{cell.problem.path.rpartition('/')[2]}:{cell.problem.line}"
            text.link(name, LINE_LINK).line()
        if cell.problem.remedy and cell.problem.remedy != front_end.lesson:
            text.text(f"→ {cell.problem.remedy}", "dim").line()
        return text
    _remarks(text, cell)
    given = [judgement for judgement in cell.judgements if not judgement.found]
    found = [judgement for judgement in cell.judgements if judgement.found]
    text.heading(tr("The example, and inputs you gave")).rows(map(_row, given))
    if found:
        usual = cell.judgements[0].losses
        same = [item for item in found if item.outcome is Outcome.SAME and item.losses == usual]
        differing = [item for item in found if item not in same]
        text.heading(tr("Inputs that were tried"))
        text.rows(map(_row, _worst_first(differing)))
        if same:
            names = ", ".join(judgement.input for judgement in same)
            text.text(tr("{count} give what eager gives: ").format(count=len(same)), "dim").text(
                names, "dim"
            ).line()
    if cell.untried:
        text.text(tr("There was no time to try {untried} more.").format(untried=cell.untried), "dim").line()
    return text


def _remarks(text: RichText, cell: FrontEndCell) -> None:
    if cell.warnings:
        text.heading(tr("Torch warned while it captured"))
        for warning in cell.warnings:
            text.paragraph(RichText().text(warning, "warning"))
    if cell.note:
        text.paragraph(RichText().text(cell.note, "dim"))


def format_opening(cell: FrontEndCell | None, shown: bool) -> str:
    """What happens when this capture is opened."""
    if shown:
        return tr("This is the capture that is open.")
    if cell is not None and not cell.captured:
        return tr("There is no capture to open.")
    if cell is not None and cell.kept:
        return tr("Show what was captured here; it takes the place of what is open.")
    why = f": {cell.not_kept}" if cell is not None and cell.not_kept else ""
    return tr("Capture the program this way again{why}. It takes the place of what is open.").format(why=why)


def hint(compared: bool) -> RichText:
    """What stands here while no row is chosen."""
    if compared:
        return RichText().text(tr("Choose a row to see what it did on which input."), "dim")
    text = RichText().text(tr("The same program, captured in every way torch has"), "bold").line()
    return text.text(
        tr(
            "Each front end forgets something else: branches not taken, the number of elements, a mode, what is printed. "
            "Compare them to see which still do what the program does, and what each costs."
        ),
        "dim",
    )


def _worst_first(judgements: list[Judgement]) -> list[Judgement]:
    first = (Outcome.WRONG, Outcome.DIED, Outcome.REFUSED)
    return sorted(
        judgements, key=lambda item: first.index(item.outcome) if item.outcome in first else len(first)
    )


def _row(judgement: Judgement) -> tuple[RichText | str, RichText]:
    word, style = _STYLES[judgement.outcome]
    reported = RichText().text(tr(word), style)
    if judgement.print_lost:
        reported.text(tr(", print lost"), "warning")
    if judgement.attribute_lost:
        reported.text(tr(", attribute lost"), "warning")
    if judgement.no_gradients:
        reported.text(tr(", no gradients"), "warning")
    if judgement.detail and judgement.detail != PRINT_LOST:
        reported.text(f"  {judgement.detail}", "dim" if judgement.outcome is Outcome.SAME else "")
    return RichText().text(judgement.input, "mono"), reported
