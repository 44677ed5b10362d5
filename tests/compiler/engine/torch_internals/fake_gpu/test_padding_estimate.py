"""Which matrix products are padded on an H100, against what torch measured there."""

from pathlib import Path

import pytest

from compiler.engine.torch_internals.fake_gpu.padding_estimate import (
    _OF_MODELS,
    Product,
    estimate,
    has_unaligned_rows,
)
from compiler.model.capture.padding_record import decisions, read_record
from compiler.model.ir.gpu_target import TARGETS
from tests.gpu.fit_padding import recorded

H100 = TARGETS["h100"]
RECORD = Path(__file__).parents[4] / "data" / "padding_record_h100_torch2.11.json"
"""What torch wrote on a GPU while it compiled `tests.gpu.padded_models`."""


@pytest.mark.thorough
def test_estimates_agree_with_what_was_measured() -> None:
    _, rows = recorded()
    aligned = [padded for product, _, _, padded in rows if not has_unaligned_rows(product)]
    assert (sum(aligned), len(aligned)) == (1, 1427)
    rows = [row for row in rows if has_unaligned_rows(row[0])][::7]
    right = sum(estimate(product, H100).padded is padded for product, _, _, padded in rows)
    found = sum(padded and estimate(product, H100).padded for product, _, _, padded in rows)
    assert right / len(rows) > 0.94
    assert found / sum(padded for *_, padded in rows) > 0.8


@pytest.mark.parametrize("gpu", ["a100", "l4", "b200", "mi300x"])
def test_of_other_gpus_nothing_is_known(gpu: str) -> None:
    head = Product("mm", "bfloat16", 0, 8192, 768, 50257, (False, True), (True, False))
    assert estimate(head, H100).padded
    padded, why = estimate(head, TARGETS[gpu])
    assert not padded
    assert "no measurement of such a GPU" in why


def test_float32_and_aligned_rows_are_not_padded() -> None:
    tokens = Product("addmm", "bfloat16", 0, 197, 768, 768, (False, True), (True, False), 1)
    assert "1 of 1,427" in estimate(tokens, H100).why
    single = Product("mm", "float32", 0, 8192, 768, 50257, (False, True), (True, False))
    assert not estimate(single, H100).padded


def test_of_products_of_models_as_many_are_right_as_is_reported() -> None:
    found = decisions(read_record(RECORD))
    right = sum(estimate(_product(text), H100).padded is padded for text, padded in found.items())
    assert f"{right} of {len(found)} products" in _OF_MODELS


def _product(text: str) -> Product:
    """As the record has it: ``addmm bfloat16 1000,784:784,1 784,1201:1,784 1201:1 x!``."""
    op, dtype, *parts = text.split()
    tensors = [part for part in parts if ":" in part]
    free = parts[len(tensors)]  # behind it float32 has its precision
    sizes, strides = zip(
        *([[*map(int, part.split(","))] for part in tensor.split(":")] for tensor in tensors), strict=True
    )
    first, second = sizes[:2]
    turned = tuple(row[-1] != 1 and row[-2] == 1 for row in strides[:2])
    batch = first[0] if op == "bmm" else 0
    given = len(sizes[2]) if len(sizes) > 2 else 0
    return Product(
        op, dtype, batch, first[-2], first[-1], second[-1], turned, (free[0] == "!", free[1] == "!"), given
    )
