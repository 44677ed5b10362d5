"""The inspector's texts: what a node is, and the card that says what it was and what became of it."""

from app.panes.inspector_pane.facts import Facts, source_link
from app.panes.inspector_pane.history_card import write_history
from app.translation.compiler_texts import stage_title
from app.translation.texts import tr
from app.widgets.labels.link_label import RichText
from compiler.analysis.passes.events import HistoryEvent
from compiler.model.capture.capture import Capture
from compiler.model.ir.diagnostics import Problem, Severity
from compiler.model.ir.ids import Place
from compiler.model.ir.stage import Stage


class NodeSummary:
    """Writes the texts for one node and remembers where their links lead."""

    def __init__(self) -> None:
        self._places: list[Place] = []
        self._positions: list[int | None] = []

    def place_of(self, number: int) -> Place:
        """Where a link leads."""
        return self._places[number]

    def position_of(self, number: int) -> int | None:
        """After which pass the place is to be looked at; None for the stage itself."""
        return self._positions[number]

    def link(self, text: str, location: Place, style: str = "", position: int | None = None) -> RichText:
        """A text with one link."""
        self._places.append(location)
        self._positions.append(position)
        return RichText().link(text, len(self._places) - 1, style)

    def opening(self, stage: Stage, facts: Facts, edited: bool, problems: tuple[Problem, ...]) -> RichText:
        """Name, what it is, problems, facts."""
        text = RichText().text(facts.name, "bold mono").text(f"   {facts.what}", "dim")
        if edited:
            text.text(tr("   edited"), "edited")
        where = " ".join(part for part in (stage_title(stage.title), stage.compile_id, stage.part) if part)
        text.line().text(where, "dim").line()
        for problem in problems:
            text.text(problem.message(), "error" if problem.severity is Severity.ERROR else "warning").line()
        return text.rows(facts.rows) if facts.rows else text

    def rest(self, capture: Capture, facts: Facts) -> RichText:
        """Notes, longer texts, the stack."""
        text = RichText()
        if facts.notes:
            text.heading(tr("Notes"))
            for note in facts.notes:
                text.paragraph(RichText().text(f"• {note}"))
        for heading, body in facts.texts:
            text.heading(heading).code(body)
        if facts.stack:
            text.heading(tr("Comes from"))
            for location in reversed(facts.stack):
                name = location.short
                row = RichText().append(source_link(capture, location, name, self.link))
                row.text(f"  {location.function}" if location.function else "", "dim")
                text.paragraph(row.text(f"  {location.text.strip()}" if location.text else "", "mono"))
        return text

    def history(self, capture: Capture, events: tuple[HistoryEvent, ...]) -> RichText:
        """Everything that happened to the node."""
        text = RichText().heading(tr("History"))
        if len(events) < 2:
            return text.text(tr("No link to another stage was recorded for it."), "dim")
        return write_history(text, capture, events, self.link)
