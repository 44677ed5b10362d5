"""A program spread over the ranks of a plan, as this rank sees it."""

import dataclasses
from collections.abc import Callable
from typing import Any

import torch
from torch.utils.checkpoint import checkpoint

from compiler.engine.cross_compile.parallel.context_parallel import spread_context
from compiler.engine.cross_compile.parallel.data_parallel import spread_data
from compiler.engine.cross_compile.parallel.module_patterns import repeated_units, require_matching
from compiler.engine.cross_compile.parallel.pipeline_stage import keep_stage
from compiler.engine.cross_compile.parallel.tensor_parallel import spread_tensors
from compiler.engine.errors import EngineError
from compiler.engine.torch_internals.distributed.fake_group import made_mesh
from compiler.engine.user_program.program import Program
from compiler.model.prediction.parallel_plan import BLOCK, CONTEXT, PIPELINE, TENSOR, ParallelPlan


@dataclasses.dataclass
class Spread:
    """A program of one rank."""

    program: Program
    units: dict[str, torch.nn.Module]
    """What is compiled one by one, by name; empty: the whole program at once."""
    received: torch.Tensor | None = None
    """What comes from the stage before, for one microbatch."""


def spread(program: Program, plan: ParallelPlan, device: str) -> Spread:
    """Cut and wrap the program's module, where the plan has a mesh. Raises EngineError."""
    model = program.module
    if not plan.mesh:
        return Spread(program, _units_of(program, plan) if plan.compiled == BLOCK else {})
    if model is None:
        raise EngineError(
            "A plan spreads an nn.Module, and the target is a function.",
            "Name a module, or leave --mesh out and make the mesh in the program.",
        )
    mesh: Any = made_mesh(device, tuple(size for _, size in plan.mesh), tuple(name for name, _ in plan.mesh))
    received = None
    if plan.size(PIPELINE) > 1:
        program, received = keep_stage(program, plan)
        model = program.module
        assert model is not None
    units = _units(model, plan)
    if plan.size(CONTEXT) > 1:
        program = spread_context(program, plan, mesh[CONTEXT])
    if plan.size(TENSOR) > 1:
        spread_tensors(model, plan, mesh[TENSOR])
    called = spread_data(model, plan, mesh, units.values(), device)
    by_block = plan.way_of_compiling == BLOCK and units
    return Spread(dataclasses.replace(program, callable=called), units if by_block else {}, received)


def checkpoint_units(program: Program, plan: ParallelPlan | None) -> None:
    """Let every unit compute its activations again for backward. Raises EngineError."""
    units = _units_of(program, plan or ParallelPlan(1))
    if not units:
        raise EngineError(
            "Nothing can be checkpointed layer by layer: the program has no list of equal modules.",
            "Name the modules with --unit.",
        )
    for unit in units.values():
        unit.forward = _checkpointed(unit.forward)


def _checkpointed(forward: Callable[..., Any]) -> Callable[..., Any]:
    def again(*args: Any, **kwargs: Any) -> Any:
        return checkpoint(forward, *args, use_reentrant=False, **kwargs)

    return again


def _units_of(program: Program, plan: ParallelPlan) -> dict[str, torch.nn.Module]:
    """Those of the module, or of the modules that a function holds."""
    return {
        prefix + name: unit
        for prefix, module in program.modules()
        for name, unit in _units(module, plan).items()
    }


def _units(model: torch.nn.Module, plan: ParallelPlan) -> dict[str, torch.nn.Module]:
    if not plan.units:
        return repeated_units(model)
    found: dict[str, torch.nn.Module] = {}
    for pattern in plan.units:
        found |= require_matching(model, pattern, "list of units")
    return found
