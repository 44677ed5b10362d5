"""Instructions counted by what they do."""

import pytest

from compiler.model.gpu.instruction_counts import CLASSES, count_instructions

SASS = """        /*0000*/                   LDC R1, c[0x0][0x28] ;
        /*0210*/              @!P2 LDG.E.EF R48, desc[UR6][R8.64] ;
        /*0220*/                   IMAD.MOV.U32 R0, RZ, RZ, RZ ;
        /*0230*/                   IMAD.WIDE.U32 R8, R11, 0x4, R4 ;
        /*0240*/                   LDSM.16.M88.4 R4, [R8] ;
        /*0250*/                   STL.64 [R1], R8 ;
        /*0260*/                   HGMMA.64x64x16.F32.BF16 R24, gdesc[UR8], R24 ;
        /*0270*/                   MUFU.EX2 R5, R5 ;
        /*0280*/                   FSETP.GTU.AND P1, PT, R5, RZ, PT ;
        /*0290*/                   F2FP.BF16.F32.PACK_AB R4, R5, R4 ;
.L_x_1:
        /*02a0*/                   BRA `(.L_x_1);
"""
PTX = """\t.loc\t1 33 50
// %bb.0:
\tld.param.b64 \t%rd1, [k_param_0];
\t@%p1 ld.global.L1::evict_first.b32 { %r1 }, [ %rd1 + 0 ];
\tst.shared.b32 \t[%r2], %r3;
\tadd.s32 \t%r4, %r5, 128;
\tfma.rn.f32 \t%r6, %r7, %r8, %r9;
\tex2.approx.f32 \t%r10, %r6;
\tcvt.rn.bf16.f32 \t%rs1, %r10;
\tbar.sync \t0;
\tret;
"""
AMD = """\ts_load_dwordx4 s[0:3], s[4:5], 0x0
\tv_add_f32_e32 v0, v1, v2
\tglobal_store_dword v0, v1, s[0:1]
\tds_write_b32 v0, v1
\tv_mfma_f32_32x32x8_bf16 a[0:15], v[0:1], v[2:3], a[0:15]
\ts_endpgm
\t.section .AMDGPU.csdata
"""


@pytest.mark.parametrize(
    ("form", "text", "expected"),
    [
        ("sass", SASS, {"global memory": 1, "shared memory": 1, "local memory": 1, "tensor cores": 1, "float": 1,
                        "special functions": 1, "integer": 1, "conversion": 1, "move": 2, "control": 1}),
        ("ptx", PTX, {"global memory": 1, "shared memory": 1, "float": 1, "special functions": 1, "integer": 1,
                      "conversion": 1, "move": 1, "control": 2}),
        ("amdgcn", AMD, {"global memory": 1, "shared memory": 1, "tensor cores": 1, "float": 1, "move": 1, "control": 1}),
        ("ttir", "%0 = arith.addf %1, %2 : f32", {}),
    ],
)  # fmt: skip
def test_each_instruction_is_in_one_class(form: str, text: str, expected: dict[str, int]):
    counts = count_instructions(form, text)
    assert dict(counts) == expected
    assert [name for name, _ in counts] == [name for name in CLASSES if name in expected]
