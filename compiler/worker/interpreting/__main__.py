"""``python -m compiler.worker.interpreting ORDER ANSWER``: run Triton kernels through the interpreter, write the answer, end.

``TRITON_INTERPRET=1`` must be set before.
"""

import sys
from pathlib import Path

import msgspec

from compiler.model.emulation import PROGRESS
from compiler.model.kernel_checks import CheckKernels, GraphCheck, KernelsChecked
from compiler.model.problems import Problem


def main() -> None:
    """Read the order, and write the answer whatever happens."""
    order_path, answer_path = map(Path, sys.argv[1:3])
    asked = msgspec.msgpack.decode(order_path.read_bytes(), type=CheckKernels)
    answer = KernelsChecked(_answers(asked))
    partial = answer_path.with_suffix(".part")
    partial.write_bytes(msgspec.msgpack.encode(answer))
    partial.rename(answer_path)


def _say(text: str) -> None:
    print(f"{PROGRESS}{text}", flush=True)  # noqa: T201  its output is how it speaks


def _answers(asked: CheckKernels) -> tuple[GraphCheck, ...]:
    try:
        import triton  # noqa: F401
    except ImportError as error:
        remedy = "Install it beside torch: pip install triton. There are wheels for Linux only."
        missing = Problem(f"Triton is not installed ({error}).", remedy)
        return tuple(GraphCheck(order.stage, problem=missing) for order in asked.orders)
    from compiler.engine.kernel_checking import KernelChecker

    checker = KernelChecker(_say)
    return tuple(map(checker.check, asked.orders))


if __name__ == "__main__":
    main()
