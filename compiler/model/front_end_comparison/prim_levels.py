"""PrimTorch's levels: the names of the graphs that the front end ``prims`` makes."""

from compiler.model.ir.ids import StageId

FRONT_END = "prims"
LEVELS = (
    ("torch", "Torch functions", "what the program calls"),
    ("aten", "Aten", "what runs below autograd"),
    ("core", "Core aten", "the smaller set that backends are asked to have"),
    ("prims", "Prims", "the smallest steps: no broadcasting, no promotion, one job each"),
)
"""(end of the stage's id, title, what it is)."""


def level_stage(level: int) -> StageId:
    """The stage of a level, counted from 0."""
    return f"{FRONT_END}:{LEVELS[level][0]}"


def level_of(stage: StageId) -> int | None:
    """Which level a stage is; None for any other stage."""
    front_end, _, name = stage.partition(":")
    names = [row[0] for row in LEVELS]
    return names.index(name) if front_end == FRONT_END and name in names else None
