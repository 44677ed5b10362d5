"""Arguments that say over how many processes a program is spread, and what of its step is predicted."""

import argparse
from pathlib import Path

from compiler.model.prediction.parallel_plan import (
    DATA_WAYS,
    FSDP,
    OPTIMIZERS,
    SCHEDULES,
    UNITS,
    ParallelPlan,
    StepOptions,
    checked,
    read_mesh,
    read_tensor_file,
)

OF_MANY_PROCESSES = (
    "rank", "data", "tp_plan", "unit", "compile_each", "param_dtype", "reduce_dtype", "keep_gathered", "stage", "schedule",
    "microbatches",
)  # fmt: skip
"""What a plan says beside its size, which alone says nothing."""


def add_parallel_options(parser: argparse.ArgumentParser) -> None:
    """For every command that captures."""
    group = parser.add_argument_group(
        "of many processes, of which one is captured",
        "with --fake or --target; torch.distributed is initialised with torch's fake process group",
    )
    group.add_argument("--world", type=int, metavar="N", help="ranks (at first what the mesh has)")
    group.add_argument("--rank", type=int, default=0, metavar="R", help="which of them is captured (0)")
    group.add_argument(
        "--mesh",
        default="",
        metavar="dp=8,tp=8",
        help="its dimensions, outermost first: dp, tp, pp, or replicate and shard; without it the program makes its own",
    )
    group.add_argument(
        "--data",
        choices=DATA_WAYS,
        default=FSDP,
        help="what is done along dp: FSDP2 (at first), DDP, nothing",
    )
    group.add_argument(
        "--tp-plan",
        type=Path,
        metavar="FILE.toml",
        help='what is cut along tp: a table [tp] of "layers.*.wq" = "colwise" (rowwise, sequence, input, output); '
        "without it the model's own tp_plan (transformers)",
    )
    group.add_argument(
        "--unit",
        action="append",
        default=[],
        metavar="PATTERN",
        help="modules that FSDP2 shards and torch.compile compiles one by one (at first the layers; repeatable)",
    )
    group.add_argument(
        "--compile-each", choices=UNITS, default="", help="compile each unit, or the whole model"
    )
    group.add_argument(
        "--param-dtype", default="", metavar="DTYPE", help="FSDP2: gather parameters in this dtype"
    )
    group.add_argument(
        "--reduce-dtype", default="", metavar="DTYPE", help="FSDP2: reduce gradients in this dtype"
    )
    group.add_argument(
        "--keep-gathered",
        action="store_true",
        help="FSDP2: keep parameters gathered from forward to backward",
    )
    group.add_argument(
        "--stage",
        type=int,
        metavar="K",
        help="with pp: which stage is captured (that of --rank; `predict` with a schedule captures all)",
    )
    group.add_argument(
        "--schedule",
        choices=SCHEDULES,
        default="",
        help="with pp: the order of microbatches, by torch.distributed.pipelining",
    )
    group.add_argument(
        "--microbatches",
        type=int,
        default=1,
        metavar="M",
        help="with --schedule: how many a step has; the inputs are one",
    )
    group.add_argument(
        "--optimizer", choices=OPTIMIZERS, help="what ends the step whose memory and time are predicted"
    )
    group.add_argument(
        "--memory-budget",
        type=float,
        default=1.0,
        metavar="SHARE",
        help="with --fake or --target: the partitioner's activation_memory_budget (1)",
    )
    group.add_argument(
        "--checkpoint-layers",
        action="store_true",
        help="with --fake or --target: each unit under torch.utils.checkpoint",
    )
    group.add_argument(
        "--predict",
        action="store_true",
        help="run a step on fakes too, for `loupe predict`; --world and --optimizer do so by themselves",
    )


def plan_from(arguments: argparse.Namespace) -> ParallelPlan | None:
    """The plan, or None for one process. Raises ValueError."""
    mesh = read_mesh(arguments.mesh)
    if arguments.world is None and not mesh:
        return None
    made = 1
    for _, size in mesh:
        made *= size
    return checked(
        ParallelPlan(
            arguments.world if arguments.world is not None else made,
            mesh,
            arguments.rank,
            arguments.data,
            read_tensor_file(arguments.tp_plan) if arguments.tp_plan is not None else (),
            tuple(arguments.unit),
            arguments.compile_each,
            arguments.param_dtype,
            arguments.reduce_dtype,
            not arguments.keep_gathered,
            arguments.stage or 0,
            arguments.schedule,
            arguments.microbatches,
        )
    )


def step_from(arguments: argparse.Namespace) -> StepOptions | None:
    """The step that is run on fakes, or None. Raises ValueError."""
    wanted = (
        arguments.predict
        or arguments.optimizer is not None
        or arguments.world
        or arguments.mesh
        or arguments.checkpoint_layers
        or arguments.memory_budget < 1
    )
    if not wanted:
        return None
    if not (arguments.fake or arguments.gpu or arguments.target.endswith(".json")):
        raise ValueError(
            "Many processes and predictions are for what nothing runs of: add --fake or --target h100"
        )
    if not 0 <= arguments.memory_budget <= 1:
        raise ValueError("--memory-budget is a share of what torch would save: 0 to 1")
    return StepOptions(arguments.optimizer or "none", arguments.memory_budget, arguments.checkpoint_layers)
