"""``python -m compiler.worker.interpreting ORDER ANSWER``: run Triton kernels through the interpreter, write the answer, end.

``TRITON_INTERPRET=1`` must be set before.
"""

import msgspec

from compiler.model.gpu.kernel_checks import CheckKernels, GraphCheck, KernelsChecked
from compiler.worker.child_main import answer_order, missing_triton, report_progress

_ORDERS = msgspec.msgpack.Decoder(CheckKernels)


def _answer(asked: CheckKernels) -> KernelsChecked:
    missing = missing_triton()
    if missing is not None:
        return KernelsChecked(tuple(GraphCheck(order.stage, problem=missing) for order in asked.orders))
    from compiler.engine.cross_compile.triton_interpreter_check import KernelChecker

    checker = KernelChecker(report_progress)
    return KernelsChecked(tuple(map(checker.check, asked.orders)))


if __name__ == "__main__":
    answer_order(_ORDERS, _answer, at_once=False, sandboxed=True)
