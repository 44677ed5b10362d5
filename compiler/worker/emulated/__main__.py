"""``python -m compiler.worker.emulated ORDER ANSWER``: pretend to have a GPU, capture once, write the answer, end."""

import os
import sys
import warnings
from pathlib import Path

import msgspec

from compiler.model.emulation import PROGRESS, Answer, Order
from compiler.model.gpu_targets import GpuTarget
from compiler.worker import pretending


def main() -> None:
    """Read the order, and write the answer whatever happens."""
    order_path, answer_path = map(Path, sys.argv[1:3])
    order = msgspec.msgpack.decode(order_path.read_bytes(), type=Order)
    target = order.spec.device
    if target is None:
        raise SystemExit("The order names no device.")
    warnings.filterwarnings("ignore", message="TensorFloat32 tensor cores")
    answer = _answer(order, target)
    partial = answer_path.with_suffix(".part")
    partial.write_bytes(msgspec.msgpack.encode(answer))
    partial.rename(answer_path)
    sys.stdout.flush()
    os._exit(0)  # C++ still points at what we pretend with; taking that down crashes after the work is done


def _say(text: str) -> None:
    print(f"{PROGRESS}{text}", flush=True)  # noqa: T201  its output is how it speaks


def _answer(order: Order, target: GpuTarget) -> Answer:
    _say(f"Preparing to compile for {target.name}")
    problem = pretending.pretend(target)
    if problem is not None:
        return Answer(problem=problem)
    from compiler.engine.emulating import edited_emulated, make_emulated_capture
    from compiler.engine.failures import EngineError, problem_from
    from compiler.engine.torch_internals import measured_choices, unbuilt_triton
    from compiler.worker.private_names import hide_our_packages

    unbuilt_triton.install()
    measured_choices.install(target, dict(order.spec.assume))
    hide_our_packages()
    try:
        live = make_emulated_capture(order.spec, target, order.id, _say)
        if not order.edits:
            return Answer(live.capture)
        return Answer(edited_emulated(live, target, order.edits, order.edited_id, _say))
    except EngineError as error:
        return Answer(problem=error.problem)
    except BaseException as error:  # noqa: BLE001  the process boundary: user code may raise anything at all
        doing = f"Failed while compiling for {target.name}"
        return Answer(problem=problem_from(error, doing, "The detail has the traceback."))


if __name__ == "__main__":
    main()
