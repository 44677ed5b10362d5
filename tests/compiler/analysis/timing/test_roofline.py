"""Work of kernels from the loop IR, and how far they are from measured ceilings."""

import msgspec
import pytest

from compiler.analysis.timing.kernel_work import KernelWork, kernel_work
from compiler.analysis.timing.roofline import format_roof, roof_point
from compiler.model.capture.capture import CONVOLUTIONS, PRODUCTS, Capture
from compiler.model.ir.ids import place
from compiler.model.ir.loop_ir import Kernel, KernelSet, LoopNode, LoopProgram
from compiler.model.ir.stage import KernelStage, LoopStage, Stage, StageKind
from compiler.model.timing.machine_peaks import CopyCeiling, MachineCeilings, MatmulCeiling, Rate
from tests.helpers import sample_capture


def rate(value: float) -> Rate:
    return Rate(value, value * 0.9, value * 1.1, 15)


CEILINGS = MachineCeilings(
    "cpu",
    2,
    "2.13",
    (CopyCeiling(1 << 20, rate(40e9)), CopyCeiling(1 << 24, rate(10e9))),
    (MatmulCeiling("float32", 512, rate(100e9)), MatmulCeiling("bfloat16", 512, rate(400e9))),
)
BODY = """def body(self, ops):
    load = ops.load('buf0', get_index)
    exp = ops.exp(load)
    add = ops.add(exp, load)
    store = ops.store('buf1', get_index_1, add, None)"""


def capture(*kernels: Kernel, **changes: object) -> Capture:
    fields = {
        "id": "op0",
        "kind": "SchedulerNode",
        "operation": "Pointwise",
        "bytes_moved": 8192,
        "body": BODY,
    }
    node = LoopNode(**{**fields, "sizes": "([32, 32], [])", **changes})
    matmul = LoopNode("op1", "ExternKernelSchedulerNode", "mm", bytes_moved=3072, flops=8192)
    loops = LoopStage(LoopProgram((node, matmul)))
    stages = tuple(
        Stage(f"0/0:forward:{name}", kind, "", content, "0/0", "forward")
        for name, kind, content in (
            ("loops", StageKind.LOOP_IR, loops),
            ("fused", StageKind.FUSED_LOOP_IR, loops),
            ("kernels", StageKind.KERNELS, KernelStage(KernelSet(kernels))),
        )
    )
    return msgspec.structs.replace(sample_capture.capture(), stages=stages)


FUSED = Kernel("k", "k", "cpp", loop_nodes=("op0",))


def work_of(made: Capture, name: str) -> KernelWork:
    return kernel_work(made)[place("0/0:forward:kernels", name)]


def test_operations_are_counted_in_bodies_and_by_formulas() -> None:
    made = capture(FUSED, Kernel("mm", "mm", "extern", loop_nodes=("op1",)))
    assert work_of(made, "k") == KernelWork(8192, 2 * 32 * 32, "loop bodies")
    assert work_of(made, "mm") == KernelWork(3072, 8192, "flop_counter")


def test_what_a_gpu_may_compute_in_tf32() -> None:
    kernels = FUSED, *(Kernel(name, name, "extern", loop_nodes=("op1",)) for name in ("mm", "convolution"))
    for allowed in ((), (CONVOLUTIONS,), (PRODUCTS,)):
        made = msgspec.structs.replace(capture(*kernels), tf32=allowed)
        found = [work_of(made, name).tf32 for name in ("k", "mm", "convolution")]
        assert found == [False, PRODUCTS in allowed, CONVOLUTIONS in allowed]


def test_what_is_not_known_is_not_guessed() -> None:
    symbolic = work_of(capture(FUSED, sizes="([s0, 32], [])", bytes_moved=None), "k")
    assert (symbolic.bytes, symbolic.flops) == (None, None)
    assert work_of(capture(Kernel("x", "x", "extern")), "x") == KernelWork(None, None)
    assert roof_point(symbolic, 100.0, CEILINGS) is None


def test_copy_rates_are_drawn_straight_between_sizes_on_logarithmic_axes() -> None:
    assert CEILINGS.copy_rate(1) == 40e9
    assert CEILINGS.copy_rate(1 << 22) == pytest.approx(20e9)
    assert CEILINGS.copy_rate(1 << 30) == 10e9
    assert CEILINGS.matmul("bfloat16").rate.median == 400e9
    assert CEILINGS.matmul("float16").dtype == "float32"


def test_distance_to_the_roof_in_words() -> None:
    moving = roof_point(KernelWork(1 << 20, 1 << 18), (1 << 20) / 10.0, CEILINGS)
    assert moving.memory_bound
    assert moving.share == pytest.approx(0.25)
    assert format_roof(moving, CEILINGS) == (
        "moves 1.0 MiB at 10 GB/s: 25% of what copying with a working set of 1.0 MiB reaches here"
    )
    computing = roof_point(KernelWork(1 << 20, 10_000_000), 200_000.0, CEILINGS)
    assert not computing.memory_bound
    assert "10 million operations at 50 GFLOP/s: 50% of what a float32 matrix product" in format_roof(
        computing, CEILINGS
    )


def test_faster_than_the_ceiling_is_explained_not_hidden() -> None:
    fast = roof_point(KernelWork(1 << 20, 0), (1 << 20) / 80.0, CEILINGS)
    assert fast is not None
    assert "200% of what copying" in format_roof(fast, CEILINGS)
    assert "nearer cache" in format_roof(fast, CEILINGS)
