"""Machine code compared function by function: numbering and order don't count, instructions and constants do."""

from compiler.engine.torch_internals.inductor_kernels.assembly_text import functions_of

TEXT = """
	.text
	.globl	kernel
	.type	kernel, @function
kernel:
.LFB1:
	.loc 1 2 3
	pushq	%rbp
	vmovaps	.LC0(%rip), %zmm0
.L3:
	vaddps	.LC1(%rip), %zmm0, %zmm0
	jne	.L3
	ret
	.size	kernel, .-kernel
	.section	.text.unlikely
	.type	kernel.cold, @function
kernel.cold:
	call	_Unwind_Resume@PLT
	.text
other:
	ret
	.section	.rodata
	.align 64
.LC0:
	.long	1065353216
	.set	.LC1,.LC2
.LC1:
	.long	7
	.section	.debug_info,"",@progbits
.Ldebug_info0:
	.long	0x4b7
"""


def test_functions_and_constants() -> None:
    found = functions_of(TEXT)
    assert found == {
        "kernel": (
            "pushq	%rbp",
            "vmovaps	<.long	1065353216>(%rip), %zmm0",
            "L0:",
            "vaddps	<.long	7>(%rip), %zmm0, %zmm0",
            "jne	L0",
            "ret",
        ),
        "kernel.cold": ("call	_Unwind_Resume@PLT",),
        "other": ("ret",),
    }


def test_numbers_of_labels_and_debug_information_do_not_count() -> None:
    text = TEXT.replace(".L3", ".L77").replace(".LC0", ".LC9").replace(".loc 1 2 3", ".loc 4 5 6")
    assert functions_of(text) == functions_of(TEXT)


def test_instructions_constants_and_where_a_jump_goes_count() -> None:
    whole = functions_of(TEXT)
    assert functions_of(TEXT.replace("vaddps", "vsubps")) != whole
    assert functions_of(TEXT.replace(".long	7", ".long	8")) != whole
    moved = TEXT.replace(".L3:\n", "").replace("\tjne", ".L3:\n\tjne")
    assert functions_of(moved) != whole
    assert functions_of(TEXT.replace("other", "another")) != whole
