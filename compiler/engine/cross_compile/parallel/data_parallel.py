"""Data parallelism: FSDP2 (with copies, HSDP), or DistributedDataParallel."""

import contextlib
import importlib
from collections.abc import Iterable
from typing import Any, cast

import torch

from compiler.engine.errors import EngineError
from compiler.engine.torch_internals.distributed import compiling_in_ddp
from compiler.engine.torch_internals.distributed.fake_group import joined_mesh, meshes_side_by_side
from compiler.engine.torch_internals.distributed.gradient_buckets import Buckets, noting_arguments
from compiler.model.prediction.parallel_plan import (
    CONTEXT,
    DATA,
    DDP,
    REPLICATED,
    SHARDED,
    ParallelPlan,
)


def spread_data(
    model: torch.nn.Module, plan: ParallelPlan, mesh: Any, units: Iterable[torch.nn.Module], device: str
) -> torch.nn.Module:
    """The model as it is called along the dimensions of data parallelism. Raises EngineError."""
    shared, copies, context = plan.size(SHARDED), plan.size(REPLICATED), plan.size(CONTEXT)
    if plan.is_sharded:
        among = _together(mesh, plan, SHARDED if shared > 1 else DATA)
        with_copies = copies > 1 and shared > 1
        _shard(model, plan, meshes_side_by_side((mesh[REPLICATED], among)) if with_copies else among, units)
    elif copies > 1 or (plan.size(DATA) * context > 1 and plan.data == DDP):
        among = _together(mesh, plan, REPLICATED if copies > 1 else DATA)
        if any(type(part).__name__ == "DTensor" for part in model.parameters()):
            raise EngineError(
                "DistributedDataParallel takes no module that is cut along tp.",
                "Use --data fsdp along dp, as torch recommends for both together.",
            )
        parallel: Any = importlib.import_module("torch.nn.parallel")
        group = among.get_group()
        with noting_arguments() as reducers:
            wrapped: Any = parallel.DistributedDataParallel(model, process_group=group, init_sync=False)
        _reduced.__annotations__.clear()  # torch wants its own names there, or none
        wrapped.register_comm_hook((group, device), _reduced)
        compiling_in_ddp.install()
        wrapped.reducer = Buckets(wrapped.reducer, reducers[-1], (group, device), _reduced)
        return cast("torch.nn.Module", wrapped)
    return model


def before_second_step(called: object) -> None:
    """What torch does once, between the first step of a program and the second."""
    reducer = getattr(called, "reducer", None)
    if isinstance(reducer, Buckets):
        reducer.rebuild()


def _together(mesh: Any, plan: ParallelPlan, name: str) -> Any:
    """The ranks that have the same parameters before they are sharded: along a dimension and, as one with it, along ``cp``."""
    names = tuple(one for one, size in plan.mesh if one in (name, CONTEXT) and size > 1)
    return mesh[names[0]] if len(names) == 1 else joined_mesh(mesh, names, "_".join(names))


def _reduced(state: tuple[Any, str], bucket: Any) -> Any:
    """The mean over the ranks, as DDP itself takes it; its own C++ wants a result that the fake process group does not give.
    It is sent while the backward goes on, on a stream of its own.
    """
    group, device = state
    values = bucket.buffer()
    cuda: Any = torch.cuda
    with cuda.stream(cuda.Stream()) if device == "cuda" else contextlib.nullcontext():
        torch.distributed.all_reduce(values, group=group)
    done: Any = torch.futures.Future()
    done.set_result(values)
    return done


def _shard(model: torch.nn.Module, plan: ParallelPlan, mesh: Any, units: Iterable[torch.nn.Module]) -> None:
    fsdp: Any = importlib.import_module("torch.distributed.fsdp")
    options: dict[str, Any] = {"mesh": mesh, "reshard_after_forward": plan.reshard}
    if plan.parameters or plan.reduced:
        options["mp_policy"] = fsdp.MixedPrecisionPolicy(
            param_dtype=_dtype(plan.parameters), reduce_dtype=_dtype(plan.reduced)
        )
    try:
        for unit in (*units, model):
            fsdp.fully_shard(unit, **options)
    except ValueError as error:  # of scalar parameters, for one
        what = f"FSDP2 does not take this model: {str(error).rstrip('.')}."
        raise EngineError(what, "Change that, or use --data ddp.") from error


def _dtype(name: str) -> torch.dtype | None:
    found = getattr(torch, {"bf16": "bfloat16", "fp16": "float16", "fp32": "float32"}.get(name, name), None)
    if not name or isinstance(found, torch.dtype):
        return found if name else None
    raise EngineError(f"{name!r} is no dtype.", "Write bfloat16, float16 or float32.")
