"""How a program is spread over processes that are not here, of which one is captured."""

import math
import tomllib
from pathlib import Path

import msgspec

TENSOR, PIPELINE, REPLICATED, SHARDED, DATA, CONTEXT = "tp", "pp", "replicate", "shard", "dp", "cp"
KNOWN = {
    DATA: "data parallel: what --data says (fsdp, ddp or none)",
    TENSOR: "tensor parallel: needs a plan",
    REPLICATED: "of data parallel, the copies of what is sharded (HSDP)",
    SHARDED: "of data parallel, the ranks that share one copy (HSDP)",
    CONTEXT: "context parallel: a part of every sequence, parameters as along dp",
    PIPELINE: "pipeline stages: one of them is captured (--stage)",
}
"""Dimensions of a mesh that something is done for."""
FSDP, DDP, NOTHING = "fsdp", "ddp", "none"
DATA_WAYS = (FSDP, DDP, NOTHING)
BLOCK, WHOLE = "block", "whole"
UNITS = (BLOCK, WHOLE)
OPTIMIZERS = ("none", "sgd", "adamw", "adamw-fused")
SCHEDULES = ("gpipe", "1f1b")
"""Of a pipeline, as ``torch.distributed.pipelining`` calls them."""
STYLES = ("colwise", "rowwise", "sequence", "input", "output")
_SLOTS = ("style", "input", "output", "local")
MOST_RANKS = 1 << 20
MOST_MICROBATCHES = 256


class TensorRule(msgspec.Struct, frozen=True):
    """One row of a plan of tensor parallelism."""

    pattern: str
    """Dotted name of a module, with ``*`` for one step: ``layers.*.attention.wq``."""
    style: str
    """One of `STYLES`, those of ``torch.distributed.tensor.parallel``."""
    input: str = ""
    """``replicate`` or ``shard(N)``: how the input comes; empty: as the style has it."""
    output: str = ""
    """The same of the result."""
    local: bool = True
    """Whether the result is a plain tensor."""


class ParallelPlan(msgspec.Struct, frozen=True):
    """A world of processes and what each dimension of its mesh is for."""

    world: int
    mesh: tuple[tuple[str, int], ...] = ()
    """(name, size), outermost first; empty: the program makes its own."""
    rank: int = 0
    data: str = FSDP
    """What is done along ``dp``, and along ``cp``, whose ranks have the same parameters and other tokens."""
    tensor: tuple[TensorRule, ...] = ()
    """Empty: the model's own plan, where it has one."""
    units: tuple[str, ...] = ()
    """Patterns of the modules that are sharded and compiled one by one; empty: the members of the longest list of equal modules."""
    compiled: str = ""
    """``block``: each unit by itself, as is usual with FSDP2; ``whole``; empty: by block with FSDP2, else whole."""
    parameters: str = ""
    """FSDP2: dtype of parameters while they are gathered; empty: their own."""
    reduced: str = ""
    """FSDP2: dtype that gradients are reduced in."""
    reshard: bool = True
    """FSDP2: whether parameters are freed after forward and gathered again for backward."""
    stage: int = 0
    """Which stage of the pipeline."""
    schedule: str = ""
    """One of `SCHEDULES`: the order of a stage's forwards and backwards; empty: one microbatch, forward and backward."""
    microbatches: int = 1
    """How many a step of the pipeline has; the program's inputs are one."""

    def size(self, name: str) -> int:
        """Ranks along a dimension; 1 where the mesh has no such one."""
        return dict(self.mesh).get(name, 1)

    @property
    def way_of_compiling(self) -> str:
        """`BLOCK` or `WHOLE`."""
        if self.compiled:
            return self.compiled
        return BLOCK if self.is_sharded else WHOLE

    @property
    def is_sharded(self) -> bool:
        """Whether FSDP2 shards the parameters."""
        return self.size(SHARDED) > 1 or (self.data == FSDP and self.size(DATA) * self.size(CONTEXT) > 1)

    def place(self, rank: int) -> dict[str, int]:
        """Where a rank is in the mesh: its index along each dimension."""
        found: dict[str, int] = {}
        for name, size in reversed(self.mesh):
            rank, found[name] = divmod(rank, size)
        return found

    def stride(self, name: str) -> int:
        """How far apart neighbours along a dimension are; 1 where the mesh has no such one."""
        names = [one for one, _ in self.mesh]
        return math.prod(size for _, size in self.mesh[names.index(name) + 1 :]) if name in names else 1

    @property
    def words(self) -> str:
        """``64 ranks as dp=8, tp=8; this is rank 0``."""
        shape = f" as {', '.join(f'{name}={size}' for name, size in self.mesh)}" if self.mesh else ""
        return f"{self.world} rank{'s' * (self.world != 1)}{shape}; this is rank {self.rank}"


class StepOptions(msgspec.Struct, frozen=True):
    """What the step that is predicted does beside forward and backward."""

    optimizer: str = "none"
    """One of `OPTIMIZERS`."""
    budget: float = 1.0
    """The partitioner's ``activation_memory_budget``: below 1 less is saved for backward and more computed again."""
    checkpointed: bool = False
    """Every unit of the model under ``torch.utils.checkpoint``."""


def read_mesh(text: str) -> tuple[tuple[str, int], ...]:
    """``dp=8,tp=8``. Raises ValueError."""
    rows: list[tuple[str, int]] = []
    for part in filter(None, (part.strip() for part in text.split(","))):
        name, equals, size = (piece.strip() for piece in part.partition("="))
        if not equals or not size.isdecimal() or int(size) < 1:
            raise ValueError(f"{part!r} is no dimension of a mesh; write it as --mesh dp=8,tp=8")
        if name not in KNOWN:
            known = "; ".join(f"{key} ({words})" for key, words in KNOWN.items())
            raise ValueError(f"Nothing is known to be done along {name!r}; a mesh may have {known}")
        if name in dict(rows):
            raise ValueError(f"{name} stands twice in the mesh")
        rows.append((name, int(size)))
    return tuple(rows)


def checked(plan: ParallelPlan) -> ParallelPlan:
    """The plan, where it holds together. Raises ValueError with what to change."""
    if not 1 <= plan.world <= MOST_RANKS:
        raise ValueError(f"A world has 1 to {MOST_RANKS} ranks, not {plan.world}")
    made = math.prod(size for _, size in plan.mesh)
    if plan.mesh and made != plan.world:
        product = " × ".join(str(size) for _, size in plan.mesh)
        raise ValueError(
            f"The mesh has {product} = {made} ranks, the world {plan.world}: change --mesh, or write --world {made}"
        )
    if not 0 <= plan.rank < plan.world:
        raise ValueError(f"Of {plan.world} ranks there is no rank {plan.rank}; they count from 0")
    if not 0 <= plan.stage < plan.size(PIPELINE):
        raise ValueError(f"Of {plan.size(PIPELINE)} stages there is no stage {plan.stage}; they count from 0")
    if (plan.size(REPLICATED) > 1 or plan.size(SHARDED) > 1) and plan.size(DATA) > 1:
        raise ValueError("A mesh has either dp, or replicate and shard")
    if plan.stage and not plan.rank:
        plan = msgspec.structs.replace(plan, rank=_first_of_stage(plan))
    _check_schedule(plan)
    stage = plan.place(plan.rank).get(PIPELINE, 0)
    if plan.stage and plan.stage != stage:
        raise ValueError(f"Rank {plan.rank} has stage {stage}, not {plan.stage}: leave --rank or --stage out")
    return msgspec.structs.replace(plan, stage=stage)


def _check_schedule(plan: ParallelPlan) -> None:
    if plan.schedule not in ("", *SCHEDULES):
        raise ValueError(f"No schedule is called {plan.schedule!r}; known are {', '.join(SCHEDULES)}")
    if (plan.schedule or plan.microbatches > 1) and plan.size(PIPELINE) < 2:
        raise ValueError("Microbatches and their schedule are for a pipeline: write --mesh pp=4")
    if not 1 <= plan.microbatches <= MOST_MICROBATCHES or (plan.microbatches > 1 and not plan.schedule):
        raise ValueError(
            f"A step has 1 to {MOST_MICROBATCHES} microbatches, in a schedule: --schedule 1f1b --microbatches 8"
        )
    if plan.schedule == "1f1b" and plan.microbatches < plan.size(PIPELINE):
        raise ValueError(
            f"1f1b wants at least as many microbatches as stages: --microbatches {plan.size(PIPELINE)}"
        )


def _first_of_stage(plan: ParallelPlan) -> int:
    """The first rank that has a stage."""
    return plan.stride(PIPELINE) * plan.stage


def read_tensor_plan(text: str) -> tuple[TensorRule, ...]:
    """A table ``[tp]`` of patterns, each with a style or a table with ``style``, ``input``, ``output``, ``local``.

    Raises ValueError.
    """
    try:
        rows = tomllib.loads(text).get("tp")
    except tomllib.TOMLDecodeError as error:
        raise ValueError(f"the plan is no TOML: {error}") from None
    if not isinstance(rows, dict) or not rows:
        raise ValueError('the plan has no table [tp]; write rows such as "layers.*.wq" = "colwise" under it')
    return tuple(_rule(str(pattern), row) for pattern, row in rows.items())


def read_tensor_file(path: Path) -> tuple[TensorRule, ...]:
    """The same of a file. Raises ValueError."""
    try:
        return read_tensor_plan(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError) as error:
        raise ValueError(f"{path} cannot be read: {error}") from None
    except ValueError as error:
        raise ValueError(f"{path}: {error}") from None


def _rule(pattern: str, row: object) -> TensorRule:
    given = {"style": row} if isinstance(row, str) else row
    if not isinstance(given, dict) or not set(given) <= set(_SLOTS):
        raise ValueError(f"{pattern!r} has a style, or a table of {', '.join(_SLOTS)}")
    style = given.get("style", "")
    if style not in STYLES:
        raise ValueError(f"{pattern!r} has the style {style!r}; known are {', '.join(STYLES)}")
    layouts = {slot: str(given.get(slot, "")) for slot in ("input", "output")}
    for text in layouts.values():
        placed(text)
    return TensorRule(pattern, style, local=bool(given.get("local", True)), **layouts)


def placed(text: str) -> int | None:
    """The dimension that ``shard(1)`` names; None for ``replicate`` and for nothing. Raises ValueError."""
    if text in ("", "replicate"):
        return None
    inner = text.removeprefix("shard(").removesuffix(")")
    if text != f"shard({inner})" or not inner.removeprefix("-").isdecimal():
        raise ValueError(f"{text!r} is no layout; write replicate or shard(1)")
    return int(inner)
