"""One kernel down to machine code for every GPU in the table, in one process: the kernel's text says what it is for."""

import pytest

from compiler.analysis.gpu.occupancy import occupancy
from compiler.command_line.worker_client import WorkerClient
from compiler.model.ir.gpu_target import TARGETS, GpuTarget
from compiler.model.ir.lowered_kernel import KernelsLowered, LowerKernels, LowerOrder
from tests.helpers.needs import TRITON

pytestmark = [
    pytest.mark.worker,
    TRITON,
]

KERNEL = """import triton
import triton.language as tl

from torch._inductor.runtime import triton_helpers, triton_heuristics
from torch._inductor.runtime.hints import DeviceProperties
triton_helpers.set_driver_to_gpu()

@triton_heuristics.user_autotune(
    configs=[{'XBLOCK': 256, 'num_warps': 4, 'num_stages': 1}],
    filename=__file__,
    triton_meta={'signature': {'in_out_ptr0': '*fp32', 'xnumel': 'i32', 'XBLOCK': 'constexpr'}, 'device': DEVICE,
                 'constants': {}, 'configs': [{(0,): [['tt.divisibility', 16]], (1,): [['tt.divisibility', 16]]}]},
    inductor_meta={'grid_type': 'Grid1D', 'kernel_name': 'NAME', 'mutated_arg_names': ['in_out_ptr0']},
)
@triton.jit
def NAME(in_out_ptr0, xnumel, XBLOCK : tl.constexpr):
    xindex = tl.program_id(0) * XBLOCK + tl.arange(0, XBLOCK)[:]
    tmp0 = tl.load(in_out_ptr0 + (xindex), xindex < xnumel)
    tl.store(in_out_ptr0 + (xindex), tmp0 * 2.0, xindex < xnumel)
"""


def order_for(target: GpuTarget) -> LowerOrder:
    kind, capability = ("hip", f"'{target.architecture.partition(':')[0]}'") if target.is_amd else (
        "cuda",
        10 * target.major + target.minor,
    )  # fmt: skip
    device = (
        f"DeviceProperties(type='{kind}', index=0, multi_processor_count={target.multi_processors}, cc={capability}, "
        f"major={target.major}, regs_per_multiprocessor=65536, max_threads_per_block=1024, "
        f"max_threads_per_multi_processor={target.threads_per_multi_processor}, warp_size={target.warp_size})"
    )
    name = f"triton_poi_{target.id}"
    return LowerOrder(name, KERNEL.replace("NAME", name).replace("DEVICE", device))


@pytest.mark.thorough
def test_every_gpu_has_machine_code_with_what_it_needs(worker: WorkerClient):
    reply = worker.ask(LowerKernels(tuple(map(order_for, TARGETS.values()))), KernelsLowered)
    for target, answer in zip(TARGETS.values(), reply.answers, strict=True):
        assert answer.problem is None, answer.problem
        (row,) = answer.lowered
        last = row.form("amdgcn" if target.is_amd else "sass")
        source = dict(last.lines).values()
        stored = next(
            n for n, line in enumerate(order_for(target).source.split("\n"), 1) if "tl.store" in line
        )
        assert stored in source, target.id
        assert row.registers is not None
        assert row.spilled_bytes == 0
        assert dict(row.instructions)["global memory"] >= 2
        held = occupancy(row)
        assert held is not None, row.architecture
        assert held.share == 1
        expected = "gfx942" if target.is_amd else f"sm_{target.major}{target.minor}"
        assert expected in row.architecture
