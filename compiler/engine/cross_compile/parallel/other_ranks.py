"""Every rank's program beside the one that was captured, by what was asked for of the rank and by torch's own sharding."""

import dataclasses
import math
from collections.abc import Iterator
from typing import Any

import torch

from compiler.engine.torch_internals.distributed import rank_queries
from compiler.engine.torch_internals.distributed.rank_queries import RankQuery
from compiler.engine.torch_internals.distributed.shard_sizes import layout_of, local_shape, size_and_offset
from compiler.model.capture.counted import more_than
from compiler.model.prediction.other_ranks import (
    CONSTANTS,
    SAME,
    SIZES,
    STAGE,
    STORED,
    UNKNOWN,
    AlikeRanks,
    OtherRanks,
    Shards,
    runs_of,
)
from compiler.model.prediction.parallel_plan import CONTEXT, DATA, PIPELINE, REPLICATED, SHARDED, ParallelPlan

MOST_RANKS = 8192
"""Larger worlds are not gone through rank by rank."""
_STORING = (DATA, REPLICATED, SHARDED, CONTEXT)
"""FSDP2 cuts along these what it keeps; compiled code sees what is gathered."""
_OWN_MESH = (
    "The program makes its mesh itself, so what each rank is for is not known: capture others with --rank."
)


@dataclasses.dataclass(frozen=True)
class _Layout:
    """How parameters of one shape are cut."""

    shape: tuple[int, ...]
    names: tuple[str, ...]
    sizes: tuple[int, ...]
    placements: tuple[Any, ...]
    itemsize: int

    def seen_by_program(self, plan: ParallelPlan) -> "_Layout":
        """Without what FSDP2 gathers before the program sees it."""
        if not plan.is_sharded:
            return self
        kept = [at for at, name in enumerate(self.names) if not _stores(name)]
        return dataclasses.replace(
            self,
            names=tuple(self.names[at] for at in kept),
            sizes=tuple(self.sizes[at] for at in kept),
            placements=tuple(self.placements[at] for at in kept),
        )


def other_ranks(plan: ParallelPlan, model: torch.nn.Module, asked: tuple[RankQuery, ...]) -> OtherRanks:
    """All ranks in groups of the same program. `asked`: what the program made of its rank while it was spread and compiled."""
    if not plan.mesh:
        return OtherRanks(plan.rank, problem=_OWN_MESH)
    if plan.world > MOST_RANKS:
        return OtherRanks(
            plan.rank,
            problem=f"Of worlds of more than {MOST_RANKS:,} ranks others are not derived: capture them with --rank.",
        )
    return _Derived(plan, model, asked).all_ranks()


class _Derived:
    def __init__(self, plan: ParallelPlan, model: torch.nn.Module, asked: tuple[RankQuery, ...]) -> None:
        self._plan = plan
        self._whole = 0
        self._cut: dict[_Layout, list[str]] = {}
        for name, value in model.named_parameters():
            layout = layout_of(value)
            if layout is None:
                self._whole += value.numel() * value.element_size()
            else:
                self._cut.setdefault(_Layout(*layout, value.element_size()), []).append(name)
        kept = {layout.shape for layout in self._cut}
        self._asked = tuple(
            row
            for row in asked
            if not (row.shape in kept and plan.is_sharded and all(map(_stores, row.dimensions)))
        )
        """Without what the optimizer asks of parameters that FSDP2 keeps."""
        self._shapes: dict[tuple[_Layout, tuple[int, ...]], tuple[int, ...]] = {}
        self._home = plan.place(plan.rank)
        self._here = self._kept(self._home)

    def all_ranks(self) -> OtherRanks:
        """The captured rank's group first, then by their first rank."""
        found: dict[tuple[str, tuple[str, ...], tuple[tuple[int, ...], ...]], list[int]] = {}
        for rank in range(self._plan.world):
            place = self._plan.place(rank)
            verdict, words = self._verdict(place)
            kept = self._kept(place) if self._is_known(verdict) else ()
            found.setdefault((verdict, words, kept), []).append(rank)
        groups = [self._group(*key, tuple(ranks)) for key, ranks in found.items()]
        groups.sort(key=lambda group: (not group.has(self._plan.rank), group.example))
        return OtherRanks(self._plan.rank, tuple(groups))

    def _group(
        self, verdict: str, words: tuple[str, ...], kept: tuple[tuple[int, ...], ...], ranks: tuple[int, ...]
    ) -> AlikeRanks:
        runs = runs_of(ranks)
        if not self._is_known(verdict):
            return AlikeRanks(runs, verdict, words)
        held, shards = self._whole, []
        for (layout, names), shape, here in zip(self._cut.items(), kept, self._here, strict=True):
            size, captured = (math.prod(one) * layout.itemsize for one in (shape, here))
            held += size * len(names)
            if shape != here:
                shards += [Shards(name, shape, size, captured) for name in names]
        return AlikeRanks(runs, verdict, words, held, tuple(shards))

    def _is_known(self, verdict: str) -> bool:
        """Whether the parameters of such ranks are those that were captured, cut as theirs."""
        unbound = verdict == UNKNOWN and any(self._is_unbound(row) for row in self._asked)
        return verdict != STAGE and not unbound

    def _verdict(self, place: dict[str, int]) -> tuple[str, tuple[str, ...]]:
        plan, home = self._plan, self._home
        if place == home:
            return SAME, ()
        if place.get(PIPELINE, 0) != home.get(PIPELINE, 0):
            return STAGE, (f"stage {place[PIPELINE]} of {plan.size(PIPELINE)}",)
        unknown = [row.what for row in self._asked if self._is_unknown(row, place)]
        if unknown:
            return UNKNOWN, tuple(f"asks for its rank: {what}" for what in dict.fromkeys(unknown))
        kept = self._kept(place)
        sizes = list(self._other_sizes(place))
        if sizes:
            return SIZES, tuple(dict.fromkeys(sizes))
        constants = tuple(dict.fromkeys(self._constants(place)))
        if constants:
            return CONSTANTS, constants
        return (STORED if kept != self._here else SAME), ()

    def _is_unbound(self, row: RankQuery) -> bool:
        return row.effect == rank_queries.UNKNOWN and not self._known(row)

    def _is_unknown(self, row: RankQuery, place: dict[str, int]) -> bool:
        if row.effect != rank_queries.UNKNOWN:
            return False
        names = self._known(row)
        differs = (_index(name, place, self._plan) != _index(name, self._home, self._plan) for name in names)
        return not names or any(differs)

    def _known(self, row: RankQuery) -> tuple[str, ...]:
        """The dimensions of the plan that it was asked for a place along; none where it is not of some, which stands for any rank."""
        plan, places = self._plan, [self._plan.place(rank) for rank in row.among]
        if places:
            names = tuple(name for name, _ in plan.mesh if len({place[name] for place in places}) > 1)
            return names if math.prod(plan.size(name) for name in names) == len(places) else ()
        return row.dimensions if all(_parts(name, plan) for name in row.dimensions) else ()

    def _other_sizes(self, place: dict[str, int]) -> Iterator[str]:
        for layout, names in self._cut.items():
            seen = layout.seen_by_program(self._plan)
            shape, here = self._shape(seen, place), self._shape(seen, self._home)
            if shape != here:
                yield ", ".join((f"{names[0]} is of {shape}, not {here}", *more_than(1, names)))
        for row in self._asked:
            if row.effect == rank_queries.SIZES:
                (there, _), (size, _) = self._part(row, place), self._part(row, self._home)
                if there != size:
                    yield f"{row.what}: {there}, not {size}"

    def _constants(self, place: dict[str, int]) -> Iterator[str]:
        for row in self._asked:
            if row.effect not in (rank_queries.ROWS, rank_queries.PIECE, rank_queries.RANDOM):
                continue
            (name,) = row.dimensions
            index, ranks = _index(name, place, self._plan), _ranks(name, self._plan)
            if index == _index(name, self._home, self._plan):
                continue
            if row.effect == rank_queries.RANDOM:
                yield f"{row.what}: part {index} of {ranks}"
                continue
            size, offset = self._part(row, place)
            yield f"{row.what}: {offset:,} to {offset + size:,} of {row.size:,}"

    def _part(self, row: RankQuery, place: dict[str, int]) -> tuple[int, int]:
        (name,) = row.dimensions
        return size_and_offset(row.size, _ranks(name, self._plan), _index(name, place, self._plan))

    def _kept(self, place: dict[str, int]) -> tuple[tuple[int, ...], ...]:
        return tuple(self._shape(layout, place) for layout in self._cut)

    def _shape(self, layout: _Layout, place: dict[str, int]) -> tuple[int, ...]:
        at = tuple(_index(name, place, self._plan) for name in layout.names)
        key = layout, at
        if key not in self._shapes:
            self._shapes[key] = local_shape(layout.shape, layout.sizes, at, layout.placements)
        return self._shapes[key]


def _parts(name: str, plan: ParallelPlan) -> tuple[str, ...]:
    """The dimensions of the plan that a dimension of a mesh is made of, as `joined_mesh` names them; none: it is of none."""
    known = dict(plan.mesh)
    if name in known:
        return (name,)
    parts = tuple(name.split("_"))
    return parts if all(part in known for part in parts) else ()


def _index(name: str, place: dict[str, int], plan: ParallelPlan) -> int:
    found = 0
    for part in _parts(name, plan):
        found = found * plan.size(part) + place[part]
    return found


def _ranks(name: str, plan: ParallelPlan) -> int:
    return math.prod(plan.size(part) for part in _parts(name, plan))


def _stores(name: str) -> bool:
    return all(part in _STORING for part in name.split("_"))
