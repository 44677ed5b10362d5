"""``torchrun --nproc-per-node RANKS -m tests.gpu.parallel_rank OUT``: one rank of real training, plain torch without the loupe.

Rank 0 writes for every case what Inductor generated, which collectives ran in a step, the memory at its peak and its time.
With ``CPU=1`` over gloo, without memory: to try the script where no GPU is.
"""

import contextlib
import functools
import gc
import json
import os
import statistics
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import torch
import torch.distributed as dist
from torch._inductor.graph import GraphLowering
from torch.distributed.device_mesh import init_device_mesh
from torch.distributed.fsdp import MixedPrecisionPolicy, fully_shard
from torch.distributed.tensor.experimental import context_parallel
from torch.distributed.tensor.parallel import ColwiseParallel, RowwiseParallel, parallelize_module
from torch.nn.parallel import DistributedDataParallel
from torch.utils import _pytree as pytree
from torch.utils._python_dispatch import TorchDispatchMode
from torch.utils.checkpoint import checkpoint

from tests.gpu.parallel_programs import ALONE, CASES, TENSOR_PLAN, VISION, inputs_of, model_of

ON_CPU = os.environ.get("CPU") == "1"
DEVICE = "cpu" if ON_CPU else "cuda"
_STEPS = 3 if ON_CPU else 12
_WARM = 2 if ON_CPU else 4
_entered = contextlib.ExitStack()
torch._inductor.config.fx_graph_cache = False
torch._functorch.config.enable_autograd_cache = False


def _made(case: str) -> tuple[Any, Any]:
    """(what is called, the module whose parameters are trained)."""
    with torch.device(DEVICE):
        model = model_of(case)
    if case == "checkpointed":
        for layer in model.layers:
            layer.forward = functools.partial(checkpoint, layer.forward, use_reentrant=False)
    if case in ALONE:
        return torch.compile(model), model
    ranks = dist.get_world_size()
    if case == "tp":
        mesh = init_device_mesh(DEVICE, (ranks,), mesh_dim_names=("tp",))
        _cut_over(model, mesh["tp"])
        return torch.compile(model), model
    if case == "ddp" or case in VISION:
        init_device_mesh(DEVICE, (ranks,), mesh_dim_names=("dp",))
        return torch.compile(DistributedDataParallel(model)), model
    return _sharded(case, model, ranks)


def _sharded(case: str, model: Any, ranks: int) -> tuple[Any, Any]:
    """With FSDP2, each layer compiled."""
    name = "cp" if case == "cp" else "dp"
    if case == "fsdp_tp":
        mesh = init_device_mesh(DEVICE, (ranks // 2, 2), mesh_dim_names=("dp", "tp"))
        _cut_over(model, mesh["tp"])
    else:
        mesh = init_device_mesh(DEVICE, (ranks,), mesh_dim_names=(name,))
    options: dict[str, Any] = {"mesh": mesh[name], "reshard_after_forward": True}
    if case == "fsdp_mixed":
        options["mp_policy"] = MixedPrecisionPolicy(param_dtype=torch.bfloat16, reduce_dtype=torch.float32)
    for layer in model.layers:
        fully_shard(layer, **options)
    fully_shard(model, **options)
    for layer in model.layers:
        layer.compile()
    return model, model


def _cut_over(model: Any, mesh: Any) -> None:
    styles = {"colwise": ColwiseParallel, "rowwise": RowwiseParallel}
    parallelize_module(model, mesh, {name: styles[style]() for name, style in TENSOR_PLAN.items()})


def _wait() -> None:
    if not ON_CPU:
        torch.cuda.synchronize()


class _Seen(TorchDispatchMode):
    """What is asked of gloo, which the profiler does not tell: of every operation with a group, its tensors."""

    def __init__(self) -> None:
        super().__init__()
        self.rows: list[dict[str, Any]] = []

    def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        result = func(*args, **(kwargs or {}))
        if func.namespace in ("c10d", "_c10d_functional") and "wait" not in str(func):
            leaves = [
                leaf for leaf in pytree.tree_leaves((args, kwargs, result)) if isinstance(leaf, torch.Tensor)
            ]
            if leaves:
                largest = max(leaves, key=lambda leaf: leaf.numel() * leaf.element_size())
                self.rows.append(
                    {
                        "Collective name": func._schema.name.partition("::")[2].rstrip("_"),
                        "In msg nelems": largest.numel() * largest.element_size(),
                        "dtype": "Byte",
                    }
                )
        return result


def _collectives(step: Any) -> list[dict[str, Any]]:
    """What torch's profiler notes of each collective of a step, in the order they begin."""
    if ON_CPU:
        with _Seen() as seen:
            step()
        return seen.rows
    activities = [torch.profiler.ProfilerActivity.CPU, torch.profiler.ProfilerActivity.CUDA]
    with torch.profiler.profile(activities=activities, record_shapes=True) as profile:
        step()
        _wait()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "trace.json"
        profile.export_chrome_trace(str(path))
        events = json.loads(path.read_text())["traceEvents"]
    named = [event for event in events if event.get("name") == "record_param_comms"]
    named.sort(key=lambda event: event["ts"])
    return [event.get("args", {}) for event in named]


def _case(case: str) -> dict[str, Any]:
    torch.manual_seed(0)
    torch.compiler.reset()
    gc.collect()
    if not ON_CPU:
        torch.cuda.empty_cache()
    texts: list[str] = []
    GraphLowering.save_output_code = staticmethod(texts.append)
    called, module = _made(case)
    inputs = tuple(value.to(DEVICE) for value in inputs_of(case))
    if case == "cp":
        mesh = init_device_mesh(DEVICE, (dist.get_world_size(),), mesh_dim_names=("cp",))
        cut = context_parallel(
            mesh, buffers=list(inputs), buffer_seq_dims=[1, 1], no_restore_buffers=set(inputs)
        )
        _entered.enter_context(cut)
    # many tensors at once are not taken where some are distributed and some are not
    optimizer = torch.optim.AdamW(module.parameters(), lr=1e-4, foreach=False if case == "tp" else None)

    def step() -> None:
        called(*inputs).backward()
        optimizer.step()
        optimizer.zero_grad()

    began = time.perf_counter()
    step()
    _wait()
    reported: dict[str, Any] = {"first step": time.perf_counter() - began, "texts": list(texts)}
    for _ in range(_WARM):
        step()
    _wait()
    if not ON_CPU:
        reported["held before"] = torch.cuda.memory_allocated()
        torch.cuda.reset_peak_memory_stats()
        called_loss = called(*inputs)
        _wait()
        reported["peak of forward"] = torch.cuda.max_memory_allocated()
        torch.cuda.reset_peak_memory_stats()
        called_loss.backward()
        _wait()
        reported["peak of backward"] = torch.cuda.max_memory_allocated()
        del called_loss
        torch.cuda.reset_peak_memory_stats()
        optimizer.step()
        _wait()
        reported["peak of optimizer"] = torch.cuda.max_memory_allocated()
        optimizer.zero_grad()
        torch.cuda.reset_peak_memory_stats()
        step()
        _wait()
        reported["peak"] = torch.cuda.max_memory_allocated()
        reported["reserved"] = torch.cuda.memory_reserved()
    spent = []
    for _ in range(_STEPS):
        if case not in ALONE:
            dist.barrier()
        _wait()
        began = time.perf_counter()
        step()
        _wait()
        spent.append(time.perf_counter() - began)
    reported["step"] = statistics.median(spent)
    reported["steps"] = spent
    reported["texts later"] = len(texts) - len(reported["texts"])
    reported["collectives"] = _collectives(step) if case not in ALONE else []
    _entered.close()
    return reported


def main() -> None:
    """Every case in turn; a failure of one is written in its place."""
    if not ON_CPU:
        torch.cuda.set_device(int(os.environ["LOCAL_RANK"]))
    dist.init_process_group("gloo" if ON_CPU else "nccl")
    rank = dist.get_rank()
    reported: dict[str, Any] = {"torch": torch.__version__}
    if not ON_CPU:
        reported["gpu"] = torch.cuda.get_device_name()
    for case in CASES:
        try:
            if case not in ALONE or rank == 0:
                reported[case] = _case(case)
        except Exception as error:
            reported[case] = {"failed": f"{type(error).__name__}: {str(error)[:1500]}"}
        dist.barrier()
        if rank == 0:
            print(
                case,
                {
                    key: value
                    for key, value in reported[case].items()
                    if key not in ("texts", "collectives", "steps")
                },
                flush=True,
            )
            Path(sys.argv[1]).write_text(json.dumps(reported))
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
