"""Pretend to have a GPU, capture once, write the answer, end."""

import warnings
from collections.abc import Sequence

import msgspec

from compiler.model.ir.diagnostics import Problem
from compiler.model.protocol.absent_gpu import Answer, Order
from compiler.worker import fake_gpu_setup
from compiler.worker.child.answering import answer_order, report_progress

_ORDERS = msgspec.msgpack.Decoder(Order)


def _answer(order: Order) -> Answer:
    target = order.spec.device
    if target is None:
        return Answer(problem=Problem("The order names no device.", "Name one in the order."))
    warnings.filterwarnings("ignore", message="TensorFloat32 tensor cores")
    report_progress(f"Preparing to compile for {target.name}")
    problem = fake_gpu_setup.pretend(target)
    if problem is not None:
        return Answer(problem=problem)
    from compiler.engine.cross_compile.absent_gpu_capture import capture_for_absent_gpu, edited_for_absent_gpu
    from compiler.engine.errors import EngineError, problem_from
    from compiler.engine.torch_internals.fake_gpu import measured_choices
    from compiler.engine.torch_internals.triton import unbuilt_triton
    from compiler.worker.hide_packages import hide_our_packages

    unbuilt_triton.install()
    measured_choices.install(target, dict(order.spec.assume))
    hide_our_packages()
    try:
        live = capture_for_absent_gpu(order.spec, target, order.id, report_progress)
        if not order.edits:
            return Answer(live.capture)
        return Answer(edited_for_absent_gpu(live, target, order.edits, order.edited_id, report_progress))
    except EngineError as error:
        return Answer(problem=error.problem)
    except BaseException as error:  # noqa: BLE001  the process boundary: user code may raise anything at all
        doing = f"Failed while compiling for {target.name}"
        return Answer(problem=problem_from(error, doing, "The detail has the traceback."))


def main(arguments: Sequence[str]) -> None:
    """The order is in the first file, the answer belongs in the second."""
    answer_order(arguments, _ORDERS, _answer)  # C++ still points at what we pretend with
