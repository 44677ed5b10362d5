"""The instructions of a kernel, each with its line."""

import shutil

import pytest

from compiler.engine.errors import EngineError
from compiler.engine.kernel_code.disassembly import assemble, read_listing

_KERNEL = """#include <torch/csrc/inductor/cpp_prefix.h>
extern "C"  void  kernel(const float* in_ptr0, float* out_ptr0)
{
    for(int64_t x0=0; x0<4096; x0+=16)
    {
        auto tmp0 = at::vec::Vectorized<float>::loadu(in_ptr0 + x0, 16);
        auto tmp1 = tmp0 * tmp0;
        tmp1.store(out_ptr0 + x0);
    }
}
"""

_LISTING = """
0000000000000000 <kernel>:
kernel():
/tmp/k.cpp:4
   0:\txor    %eax,%eax
_mm512_mul_ps(float __vector(16), float __vector(16)):
/usr/include/avx512fintrin.h:12812
inlined by /torch/vec512_float.h:609 (_ZN2at3vec)
inlined by /tmp/k.cpp:6 (kernel)
   8:\tvmovups (%rdi,%rax,4),%zmm1
   f:\tvmulps %xmm1,%xmm1,%xmm0
  12:\tvmulss %xmm1,%xmm1,%xmm0
/usr/include/other.h:3
  15:\tret

0000000000000000 <_GLOBAL__sub_I_k.cpp>:
/tmp/k.cpp:9
   0:\tpush   %rbp
"""


def test_an_instruction_belongs_to_the_line_it_was_inlined_into() -> None:
    rows = list(read_listing(_LISTING, "/tmp/k.cpp"))
    assert [(row.text.split()[1:2], row.line, row.bits) for row in rows[1:]] == [
        (["xor"], 4, 0),
        (["vmovups"], 6, 512),
        (["vmulps"], 6, 128),
        (["vmulss"], 6, 0),
        (["ret"], None, 0),
    ]
    assert rows[0].text == "kernel:"


@pytest.mark.thorough
@pytest.mark.engine
@pytest.mark.skipif(shutil.which("objdump") is None, reason="no binutils")
def test_a_real_kernel() -> None:
    made = assemble(_KERNEL)
    total, vectors = made.counted
    assert total > vectors > 0
    assert any(row.line == 7 and row.bits for row in made.instructions)  # the multiplication
    assert " -O3 " in made.command


@pytest.mark.thorough
@pytest.mark.engine
def test_what_does_not_compile_is_reported_on_its_line() -> None:
    with pytest.raises(EngineError) as reported:
        assemble(_KERNEL.replace("tmp0 * tmp0", "tmp0 * nothing"))
    assert "line 7" in reported.value.problem.what
