"""Pretend to have a GPU where one is named, capture once on fake tensors, write the answer, end."""

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
    if not order.spec.is_only_compiled:
        return Answer(problem=Problem("The order names no device.", "Name one in the order."))
    warnings.filterwarnings("ignore", message="TensorFloat32 tensor cores")
    warnings.filterwarnings("ignore", message="Accessing the data pointer of FakeTensor")
    report_progress(f"Preparing to compile for {order.spec.compiled_for}")
    problem = fake_gpu_setup.pretend(target) if target is not None else None
    if problem is not None:
        return Answer(problem=problem)
    from compiler.engine.cross_compile.fake_capture import capture_on_fakes, edited_on_fakes
    from compiler.engine.errors import EngineError, unforeseen
    from compiler.engine.torch_internals.patch.rare_collections import rare_collections
    from compiler.worker.child.only_compiling import only_compile
    from compiler.worker.hide_packages import hide_our_packages

    only_compile(target, dict(order.spec.assume))
    hide_our_packages()
    try:
        with rare_collections():
            live = capture_on_fakes(order.spec, order.id, report_progress, bool(order.edits))
            if not order.edits:
                return Answer(live.capture)
            return Answer(edited_on_fakes(live, order.edits, order.edited_id, report_progress))
    except EngineError as error:
        return Answer(problem=error.problem)
    except BaseException as error:  # noqa: BLE001  the process boundary: user code may raise anything at all
        doing = f"Failed while compiling for {order.spec.compiled_for}"
        return Answer(problem=unforeseen(error, doing))


def main(arguments: Sequence[str]) -> None:
    """The order is in the first file, the answer belongs in the second."""
    answer_order(arguments, _ORDERS, _answer)  # C++ still points at what we pretend with
