"""The sample capture with a Triton kernel in place of its C++ one, compiled for an H100; and what lowering it gives."""

import msgspec

from compiler.model.capture.capture import Capture
from compiler.model.edits.edits import ReplaceKernel, apply_edit
from compiler.model.ir.gpu_target import TARGETS
from compiler.model.ir.links import LinkTable
from compiler.model.ir.loop_ir import Kernel, KernelSet
from compiler.model.ir.lowered_kernel import Form, LowerAnswer, Lowered
from compiler.model.ir.stage import KernelStage
from tests.helpers import sample_capture
from tests.helpers.sample_capture import KERNELS

CPP = "cpp_fused_mul_relu_0"
TRITON = "triton_poi_fused_mul_relu_0"
SOURCE = """import triton
import triton.language as tl

@triton_heuristics.pointwise(
    size_hints={'x': 2048},
    filename=__file__,
    triton_meta={'device': 'h100'},
    inductor_meta={'kernel_name': 'triton_poi_fused_mul_relu_0'},
    min_elem_per_thread=0
)
@triton.jit
def triton_poi_fused_mul_relu_0(in_out_ptr0, xnumel, XBLOCK : tl.constexpr):
    xindex = tl.program_id(0) * XBLOCK + tl.arange(0, XBLOCK)[:]
    tmp0 = tl.load(in_out_ptr0 + (xindex), None)
    tmp1 = triton_helpers.maximum(0, tmp0)
    tmp2 = tmp1 * 2.0
    tl.store(in_out_ptr0 + (xindex), tmp2, None)"""
RELU_LINE, MUL_LINE = 15, 16
PTX = """.target sm_90a
\tld.global.b32 \t%r1, [%rd1];
\tmax.f32 \t%r2, %r1, 0f00000000;
\tmul.f32 \t%r3, %r2, 0f40000000;
\tst.global.b32 \t[%rd1], %r3;
"""
SASS = """        /*0000*/                   LDG.E R0, desc[UR4][R2.64] ;
        /*0010*/                   FMNMX R0, RZ, R0, !PT ;
        /*0020*/                   FMUL R5, R0, 2 ;
        /*0030*/                   STG.E desc[UR4][R2.64], R5 ;
"""


def triton_capture() -> Capture:
    """As the engine would give it; nothing is lowered."""
    base = sample_capture.capture()

    def renamed(table: LinkTable) -> LinkTable:
        whole = (pair for pair in table.pairs if not pair[1].startswith(f"{CPP}:L"))
        pairs = tuple((source.replace(CPP, TRITON), target.replace(CPP, TRITON)) for source, target in whole)
        return msgspec.structs.replace(table, pairs=pairs)

    stages = []
    for stage in base.stages:
        if isinstance(stage.content, KernelStage):
            kernels = tuple(
                Kernel(
                    TRITON,
                    TRITON,
                    "triton",
                    SOURCE,
                    call_line=8,
                    loop_nodes=row.loop_nodes,
                    origins=row.origins,
                )
                if row.name == CPP
                else row
                for row in stage.kernels
            )
            stage = msgspec.structs.replace(stage, content=KernelStage(KernelSet(kernels)))
        stages.append(stage)
    return msgspec.structs.replace(
        base,
        spec=msgspec.structs.replace(base.spec, device=TARGETS["h100"]),
        stages=tuple(stages),
        links=(*map(renamed, base.links), LinkTable(
            "0/0:forward:post_grad", KERNELS, "emitted", "torch",
            (("relu", f"{TRITON}:L{RELU_LINE}"), ("mul", f"{TRITON}:L{MUL_LINE}")),
        )),
    )  # fmt: skip


def with_source(capture: Capture, source: str) -> Capture:
    """The capture with another source of the kernel."""
    stages = []
    for stage in capture.stages:
        if isinstance(stage.content, KernelStage):
            kernels, _ = apply_edit(stage.content.kernels, ReplaceKernel(stage.id, TRITON, source))
            assert isinstance(kernels, KernelSet)
            stage = msgspec.structs.replace(stage, content=KernelStage(kernels))
        stages.append(stage)
    return msgspec.structs.replace(capture, stages=tuple(stages))


def answer(registers: int = 16, warps: int = 4) -> LowerAnswer:
    """Of the kernel, as the worker would give it."""
    forms = (
        Form("ptx", PTX, ((2, 14), (3, RELU_LINE), (4, MUL_LINE), (5, 17)), 0.01),
        Form("sass", SASS, ((1, 14), (2, RELU_LINE), (3, MUL_LINE), (4, 17))),
    )
    row = Lowered(
        f"XBLOCK: 256, num_warps: {warps}",
        forms,
        warps,
        1,
        0,
        registers,
        0,
        0.2,
        "sm_90a",
        32 * warps,
        (("XBLOCK", 256),),
        (("global memory", 2), ("float", 2)),
        "sass",
    )
    return LowerAnswer(TRITON, (row,), 2)
