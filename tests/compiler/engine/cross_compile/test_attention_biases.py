"""Attention that the GPU refuses when it is run, told from wrappers: an H100 refused the first (CoAtNet of timm, trained)."""

import pytest

from compiler.engine.cross_compile.attention_biases import refused_in

BACKWARD = (
    "        buf35 = torch.ops.aten._scaled_dot_product_efficient_attention_backward.default(buf30, buf31, buf32, buf33, "
    "reinterpret_tensor(constant_pad_nd_2, (2, 3, 25, 25), (0, 1, 96, 3), 0), buf34, getitem_42, getitem_43, getitem_44, 0.0, "
    "[True, True, True, True])"
)
FORWARD = (
    "        buf4 = torch.ops.aten._scaled_dot_product_efficient_attention.default(reinterpret_tensor(primals_2, (2, 3, 24, 32), "
    "(2304, 32, 96, 1), 0), buf1, buf2, reinterpret_tensor(buf3, (2, 3, 24, 24), (0, 1, 72, 3), 0), True, 0.0)"
)


@pytest.mark.parametrize(
    ("line", "refused"),
    [
        (BACKWARD, True),
        (FORWARD, True),
        (BACKWARD.replace("(0, 1, 96, 3)", "(0, 800, 32, 1)"), False),
        (FORWARD.replace("(0, 1, 72, 3)", "(0, 576, 24, 1)"), False),
        (
            BACKWARD.replace(
                "reinterpret_tensor(constant_pad_nd_2, (2, 3, 25, 25), (0, 1, 96, 3), 0)", "None"
            ),
            False,
        ),
        (BACKWARD.replace("        buf35", "# buf35"), False),
    ],
)
def test_a_mask_whose_last_dimension_is_not_contiguous_is_refused(line: str, refused: bool):
    assert refused_in(f"def call(args):\n{line}\n        del buf30\n") == [line.strip()] * refused
