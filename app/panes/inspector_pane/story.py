"""The inspector's texts: what a node is, and the card that tells what it was and what became of it."""

from app.panes.inspector_pane.facts import Facts, source_link
from app.panes.inspector_pane.history_card import Counterparts, history_of
from app.widgets.link_label import RichText
from compiler.model.capture import Capture
from compiler.model.ids import Place, StageId
from compiler.model.problems import Problem, Severity
from compiler.model.stage import Stage


class Story:
    """Writes the texts for one node and remembers where their links lead."""

    def __init__(self) -> None:
        self._places: list[Place] = []

    def place_of(self, number: int) -> Place:
        """Where a link leads."""
        return self._places[number]

    def link(self, text: str, spot: Place, style: str = "") -> RichText:
        """A text with one link."""
        self._places.append(spot)
        return RichText().link(text, len(self._places) - 1, style)

    def opening(self, stage: Stage, facts: Facts, edited: bool, problems: tuple[Problem, ...]) -> RichText:
        """Name, what it is, problems, facts."""
        text = RichText().text(facts.name, "bold mono").text(f"   {facts.what}", "dim")
        if edited:
            text.text("   edited", "edited")
        where = " ".join(part for part in (stage.title, stage.compile_id, stage.part) if part)
        text.line().text(where, "dim").line()
        for problem in problems:
            text.text(problem.message(), "error" if problem.severity is Severity.ERROR else "warning").line()
        return text.rows(facts.rows) if facts.rows else text

    def rest(
        self, capture: Capture, stage: Stage, facts: Facts, everywhere: dict[StageId, Place]
    ) -> RichText:
        """Notes, longer texts, the stack, the history."""
        text = RichText()
        if facts.notes:
            text.heading("Notes")
            for note in facts.notes:
                text.paragraph(RichText().text(f"• {note}"))
        for heading, body in facts.texts:
            text.heading(heading).code(body)
        if facts.stack:
            text.heading("Comes from")
            for spot in reversed(facts.stack):
                name = f"{spot.path.rpartition('/')[2]}:{spot.line}"
                row = RichText().append(source_link(capture, spot, name, self.link))
                row.text(f"  {spot.function}" if spot.function else "", "dim")
                text.paragraph(row.text(f"  {spot.text.strip()}" if spot.text else "", "mono"))
        history = history_of(capture, everywhere, stage.id)
        text.heading("Through the pipeline")
        if len(history) < 2:
            return text.text("No link to another stage was recorded for it.", "dim")
        graphs = {item.stage.compile_id for item in history if item.stage.compile_id}
        for item in history:
            graph = f" {item.stage.compile_id}" if len(graphs) > 1 and item.stage.compile_id else ""
            row = RichText().text("▸ " if item.is_here else "", "bold")
            row.append(self.link(item.stage.title + graph, item.spot, "dim")).text("  ")
            self._name_counterparts(row, item)
            text.paragraph(row)
        return text

    def _name_counterparts(self, text: RichText, item: Counterparts) -> None:
        for index, (name, spot) in enumerate(item.named()):
            text.text(", " if index else "").append(self.link(name, spot, "mono"))
        if item.unnamed:
            text.text(f" and {item.unnamed} more", "dim")
