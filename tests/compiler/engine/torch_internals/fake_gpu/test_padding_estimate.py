"""Which matrix products are padded on an H100, against what torch measured there."""

import pytest

from compiler.engine.torch_internals.fake_gpu.padding_estimate import Product, estimate, has_unaligned_rows
from compiler.model.ir.gpu_target import TARGETS
from tests.gpu.fit_padding import recorded

H100 = TARGETS["h100"]


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
