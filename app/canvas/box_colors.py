"""Colours of boxes by something one asks about: a kind (dtype, module, kernel) or an amount (bytes, time)."""

import math
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field

from app.translation.texts import tr
from compiler.model.ir.ids import NodeId


@dataclass(frozen=True)
class LegendLine:
    """A colour and what it means."""

    text: str
    color: str


@dataclass(frozen=True)
class Painting:
    """Colours by node, as ``#rrggbb``."""

    legend: tuple[LegendLine, ...] = ()
    kinds: Mapping[NodeId, str] = field(default_factory=dict)
    """For kinds: each node's colour."""
    amounts: Mapping[NodeId, float] = field(default_factory=dict)
    """For amounts: each node's."""
    steps: tuple[tuple[float, str], ...] = ()
    """For amounts: from which amount on which colour, in rising order."""

    def of(self, nodes: Iterable[NodeId]) -> str | None:
        """The colour of a box that holds these nodes: the commonest kind, or the sum's colour."""
        if self.steps:
            known = [self.amounts[node] for node in nodes if node in self.amounts]
            return self._step(sum(known)) if known else None
        counted = Counter(self.kinds[node] for node in nodes if node in self.kinds)
        return counted.most_common(1)[0][0] if counted else None

    def _step(self, amount: float) -> str:
        reached = [color for least, color in self.steps if amount >= least]
        return reached[-1] if reached else self.steps[0][1]


def by_kind(kinds: Mapping[NodeId, str], palette: tuple[str, ...], rest: str) -> Painting:
    """The commonest kinds get the palette's colours, all others share one."""
    counted = Counter(kinds.values())
    ordered = sorted(counted, key=lambda kind: (-counted[kind], kind))
    shown = ordered if len(ordered) <= len(palette) else ordered[: len(palette) - 1]
    colors = dict(zip(shown, palette, strict=False))
    legend = [LegendLine(f"{kind} ({counted[kind]})", colors[kind]) for kind in shown]
    others = len(ordered) - len(shown)
    if others:
        count = sum(counted[kind] for kind in ordered[len(shown) :])
        legend.append(LegendLine(tr("{others} others ({count})").format(others=others, count=count), rest))
    return Painting(tuple(legend), {node: colors.get(kind, rest) for node, kind in kinds.items()})


def by_amount(
    amounts: Mapping[NodeId, float], ramp: tuple[str, ...], describe: Callable[[float], str]
) -> Painting:
    """Colours in steps of equal factors from the smallest to the largest amount; zero is the smallest step."""
    positive = sorted(amount for amount in amounts.values() if amount > 0)
    if not positive:
        return Painting()
    low, high = positive[0], positive[-1]
    count = len(ramp) if high > low else 1
    factor = math.log(high / low) / count if high > low else 0.0
    limits = [0.0, *(low * math.exp(factor * step) for step in range(1, count))]
    chosen = ramp[-count:]
    steps = tuple(zip(limits, chosen, strict=True))
    texts = [tr("from {describe}").format(describe=describe(limit)) for limit in limits]
    texts[0] = tr("below {describe}").format(describe=describe(limits[1])) if count > 1 else describe(high)
    legend = tuple(map(LegendLine, texts, chosen))
    return Painting(legend, amounts=amounts, steps=steps)
