"""Triton kernels by what and where, and how often they are called."""

import msgspec

from compiler.analysis.line_times.triton_kernel_names import TritonKernelName, triton_kernel_names
from compiler.model.capture.capture import Capture
from compiler.model.ir.loop_ir import KernelSet
from compiler.model.ir.stage import KernelStage, Stage
from tests.helpers.triton_capture import TRITON, triton_capture


def with_more(names: tuple[str, ...]) -> Capture:
    """The capture with its Triton kernel once more under each name."""

    def more(stage: Stage) -> Stage:
        if not isinstance(stage.content, KernelStage):
            return stage
        kernels = stage.kernels
        own = next(row for row in kernels if row.name == TRITON)
        again = tuple(
            msgspec.structs.replace(own, name=name, id=f"{name}#{number}")
            for number, name in enumerate(names, 2)
        )
        return msgspec.structs.replace(stage, content=KernelStage(KernelSet((*kernels, *again))))

    capture = triton_capture()
    return msgspec.structs.replace(capture, stages=tuple(map(more, capture.stages)))


def test_a_kernel_says_what_it_computes_where_and_how_often_it_is_called() -> None:
    assert triton_kernel_names(with_more((TRITON, TRITON))) == {
        TRITON: TritonKernelName("relu+mul · model.py:6 +1", 3)
    }


def test_kernels_that_compute_the_same_are_distinguished() -> None:
    names = triton_kernel_names(with_more(("triton_b", "triton_c")))
    assert [row.text for row in names.values()] == [
        f"relu+mul {number}/3 · model.py:6 +1" for number in (1, 2, 3)
    ]
    assert {row.calls for row in names.values()} == {1}
