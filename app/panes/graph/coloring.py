"""What boxes are coloured by, as colours of the nodes on show."""

from collections.abc import Mapping

from app.canvas.box_colors import LegendLine, Painting, by_amount, by_kind
from app.panes.graph.value_colors import painted_by_values
from app.session.facade.session import Session
from app.theme import current
from app.theme.heat import heat_ramp
from app.theme.palette import blend
from app.translation.texts import tr, tr_noop
from compiler.analysis.queries.node_facts import NodeFacts
from compiler.analysis.text_format.times import time_text
from compiler.model.diagrams.diagrams import Diagram
from compiler.model.ir.ids import NodeId
from compiler.model.ir.stage import Stage
from compiler.model.ir.tensor_types import describe_bytes

TITLES = {
    "line": tr_noop("Source line"),
    "op": tr_noop("Operation"),
    "module": tr_noop("Module"),
    "dtype": tr_noop("Data type"),
    "kernel": tr_noop("Kernel"),
    "bytes": tr_noop("Bytes of the result"),
    "time": tr_noop("Measured time"),
    "values": tr_noop("Values of a step"),
    "error": tr_noop("Errors"),
    "changed": tr_noop("Edited or changed"),
    "none": tr_noop("Nothing"),
}
_KEYS = {"kernel": "kernel", "time": "time", "error": "is", "changed": "is"}


def painting(session: Session, stage: Stage, shown: Diagram) -> Painting | None:
    """The colours chosen, or None for those of source lines."""
    choice = session.views.coloring
    if choice == "line":
        return None
    key = _KEYS.get(choice)
    facts = session.views.facts(stage, shown, frozenset((key,)) if key else frozenset())
    colors = current.colors()
    if choice == "bytes":
        sizes = {fact.id: float(fact.bytes) for fact in facts if fact.bytes is not None}
        return by_amount(sizes, heat_ramp(colors), lambda amount: describe_bytes(round(amount)))
    if choice == "time":
        times = {fact.id: fact.seconds for fact in facts if fact.seconds is not None}
        if not times:
            return Painting((LegendLine(tr("No times yet: measure in the timings pane"), colors.line),))
        return by_amount(times, heat_ramp(colors), lambda seconds: time_text(seconds * 1e9))
    if choice == "values":
        return painted_by_values(session.causes.values.of(stage.id), colors)
    if choice in ("error", "changed"):
        color = colors.error if choice == "error" else colors.edited
        return _marked(facts, choice, blend(colors.node, color, 0.45))
    if choice == "none":
        return Painting()
    return by_kind(_kinds(facts, choice), _palette(), blend(colors.node, colors.dim_text, 0.3))


def _marked(facts: list[NodeFacts], mark: str, color: str) -> Painting:
    chosen = {fact.id: color for fact in facts if mark in fact.marks}
    text = tr("an error") if mark == "error" else tr("edited, or changed by the pass on show")
    return Painting((LegendLine(f"{text} ({len(chosen)})", color),), chosen)


def _kinds(facts: list[NodeFacts], choice: str) -> Mapping[NodeId, str]:
    match choice:
        case "op":
            return {fact.id: fact.op for fact in facts if fact.role == "operation"}
        case "dtype":
            return {fact.id: fact.dtype for fact in facts if fact.dtype}
        case "kernel":
            names = {fact.id: sorted(kernel for _, kernel in fact.computed_in) for fact in facts}
            return {node: kernels[0] for node, kernels in names.items() if kernels}
        case _:
            return {fact.id: _layer(fact.module) for fact in facts if fact.module}


def _layer(module: str) -> str:
    """A module path as far as its first number, ``encoder.layers.0``; without one its first two names."""
    parts = module.split(".")
    number = next((index for index, part in enumerate(parts) if part.isdigit()), 1)
    return ".".join(parts[: number + 1])


def _palette() -> tuple[str, ...]:
    return current.colors().links
