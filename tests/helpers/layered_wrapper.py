"""A wrapper as Inductor writes them, of layers that are equal or not."""

from collections.abc import Sequence

KERNELS = {"mul": "triton_mul_1", "add": "triton_add_5", "exp": "triton_exp_6"}

_HEAD = """import torch
constant1 = None  # cpu torch.float32 (64, 64) (64, 1)
async_compile = AsyncCompile()


"""


def _triton(name: str, text: str, parameters: str = "in_ptr0, in_ptr1, out_ptr0, xnumel") -> str:
    return f"""{name} = async_compile.triton('{name}', '''
@triton.jit
def {name}({parameters}, XBLOCK : tl.constexpr):
    {text}
''', device_str='cuda')


"""


def _cpp(name: str, seed: int) -> str:
    return f"""{name} = async_compile.cpp_pybinding(['const int64_t*'], r'''
extern "C"  void  kernel(const int64_t* in_ptr0)
{{
    auto tmp0 = in_ptr0[static_cast<int64_t>({seed}L)];
    auto tmp1 = normalized_rand_cpu(tmp0, 1);
    auto tmp9 = tmp9 * 0.5;
}}
''')


"""


def layer(number: int, kind: str, mask: str, drop: str | None) -> list[str]:
    """The lines of one layer. It has the result of the one before, frees it, and has a weight of its own."""
    at, weight, before = number * 4 + 1, number + 2, number * 4
    return [
        f"        assert_size_stride(primals_{weight}, (64, 64), (64, 1), 'input')",
        f"        buf{at} = empty_strided_cuda((64, 64), (64, 1), torch.float32)",
        f"        # Topologically Sorted Source Nodes: [linear_{number + 1}], Original ATen: [aten.mm]",
        f"        extern_kernels.mm(buf{before}, primals_{weight}, out=buf{at})",
        f"        buf{at + 1} = empty_strided_cuda((64, 64), (64, 1), torch.float32)",
        "        raw_stream0 = get_raw_stream(0)",
        f"        {KERNELS[kind]}.run(buf{at}, buf{before}, {mask}, buf{at + 1}, primals_{weight}, 4096, 64, stream=raw_stream0)",
        f"        del buf{before}",
        f"        del primals_{weight}",
        *([drop] if drop else []),
        f"        buf{at + 2} = buf{at}; del buf{at}  # reuse",
        "        raw_stream0 = get_raw_stream(0)",
        f"        triton_tanh_4.run(buf{at + 1}, buf{at + 2}, 4096, 64, stream=raw_stream0)",
        f"        buf{at + 3} = reinterpret_tensor(buf{at + 1}, (64, 64), (1, 64), 0); del buf{at + 1}  # reuse",
        f"        extern_kernels.mm(buf{at + 2}, buf{at + 2}, out=buf{at + 3})",
        f"        del buf{at + 2}",
    ]


def layered_wrapper(
    count: int,
    masks: Sequence[str] = ("mask",),
    seeds: bool = False,
    cpp: bool = False,
    kinds: Sequence[str] = ("mul",),
) -> tuple[str, list[tuple[int, int]]]:
    """The text, and for each layer (its first line, the line behind it), counted from 0. Masks and kinds are used in turn."""
    head = _HEAD + "".join(
        _triton(name, f"tl.store(out_ptr0, tl.{kind}(in_ptr0))") for kind, name in KERNELS.items()
    )
    head += _triton("triton_other_2", "tl.store(out_ptr0, 1)") + _triton("triton_tanh_4", "KERNEL_TEXT")
    head += _triton(
        "triton_drop_3",
        "tl.rand(tl.load(in_ptr0 + load_seed_offset), 1)",
        "in_ptr0, out_ptr0, load_seed_offset, xnumel",
    )
    if cpp:
        head += "".join(_cpp(f"cpp_drop_{number + 10}", number) for number in range(count))
    lines = (head + "async_compile.wait(globals())\n\n\ndef call(args):").split("\n")
    given = ["mask", *(f"primals_{at}" for at in range(1, count + 2))]
    given += [name for name in dict.fromkeys(masks) if name.startswith("primals_")]
    lines.append(f"        {', '.join(given)} = args")
    lines += [
        "        args.clear()",
        "        buf0 = empty_strided_cuda((64, 64), (64, 1), torch.float32)",
        "        del args",
    ]
    places = []
    for number in range(count):
        drop = None
        if seeds:
            drop = f"        triton_drop_3.run(mask, buf{number * 4 + 2}, {number}, 4096, 96, stream=raw_stream0)"
        elif cpp:
            drop = f"        cpp_drop_{number + 10}(buf{number * 4 + 2})"
        made = layer(number, kinds[number % len(kinds)], masks[number % len(masks)], drop)
        places.append((len(lines), len(lines) + len(made)))
        lines += made
    lines += [f"        return (buf{count * 4}, )", "", "", "def get_args():", "    return []", ""]
    return "\n".join(lines), places
