"""What makes a step smaller: each change is captured and its step predicted, nothing is guessed."""

import msgspec

from compiler.analysis.prediction.predict import predict
from compiler.command_line.session_io import capture_with
from compiler.command_line.worker_client import CommandFailedError, WorkerClient
from compiler.model.capture.capture import Capture
from compiler.model.capture.capture_spec import CaptureSpec
from compiler.model.prediction.machine import Machine
from compiler.model.prediction.parallel_plan import DATA, TENSOR, checked
from compiler.model.prediction.predicted_step import Remedy

_BUDGETS = (0.5, 0.2)


def remedies_for(capture: Capture, machine: Machine, client: WorkerClient) -> tuple[Remedy, ...]:
    """Every change that can be made from outside of the program, the smallest peak first; at the end those that failed."""
    found = []
    for number, (what, how, spec) in enumerate(_changes(capture.spec), 1):
        try:
            reported = predict(capture_with(client, spec, f"remedy-{number}"), machine)
        except CommandFailedError as error:
            found.append(Remedy(what, 0, None, how, error.problem.message()))
            continue
        except ValueError as error:
            found.append(Remedy(what, 0, None, how, str(error)))
            continue
        found.append(Remedy(what, reported.memory.peak.total, reported.time.seconds, how))
    return tuple(sorted(found, key=lambda remedy: (bool(remedy.problem), remedy.peak)))


def _changes(spec: CaptureSpec) -> list[tuple[str, str, CaptureSpec]]:
    rows: list[tuple[str, str, CaptureSpec]] = []
    replace = msgspec.structs.replace
    if spec.run.gradients:
        rows += [
            (
                f"memory budget {budget} of the partitioner",
                f"--memory-budget {budget} (torch._functorch.config.activation_memory_budget)",
                replace(spec, step=replace(spec.step, budget=budget) if spec.step is not None else None),
            )
            for budget in _BUDGETS
        ]
        if spec.step is not None and not spec.step.checkpointed:
            changed = replace(spec.step, checkpointed=True)
            rows.append(
                (
                    "checkpointing of every layer",
                    "--checkpoint-layers (torch.utils.checkpoint.checkpoint(layer, …, use_reentrant=False))",
                    replace(spec, step=changed),
                )
            )
    plan = spec.parallel
    if plan is not None and plan.mesh:
        mesh = dict(plan.mesh)
        if TENSOR in mesh and mesh.get(DATA, 1) % 2 == 0:
            mesh[TENSOR] *= 2
            mesh[DATA] //= 2
            shape = ",".join(f"{name}={size}" for name, size in mesh.items())
            rows.append(
                (
                    f"tp={mesh[TENSOR]} in place of {mesh[TENSOR] // 2}",
                    f"--mesh {shape}",
                    replace(spec, parallel=checked(replace(plan, mesh=tuple(mesh.items())))),
                )
            )
    return rows
