"""What a program lets a GPU compute in tf32."""

from collections.abc import Iterator

import pytest
import torch

from compiler.engine.user_program.torch_settings import allowed_tf32
from compiler.model.capture.capture import CONVOLUTIONS, PRODUCTS
from compiler.model.ir.gpu_target import TARGETS

pytestmark = pytest.mark.engine


@pytest.fixture(autouse=True)
def as_it_was() -> Iterator[None]:
    convolutions, products = torch.backends.cudnn.allow_tf32, torch.backends.cuda.matmul.allow_tf32
    yield
    torch.backends.cudnn.allow_tf32, torch.backends.cuda.matmul.allow_tf32 = convolutions, products


def test_it_is_as_torch_is_set() -> None:
    torch.backends.cudnn.allow_tf32, torch.backends.cuda.matmul.allow_tf32 = True, False
    assert allowed_tf32(None) == (CONVOLUTIONS,)
    assert allowed_tf32(TARGETS["mi300x"]) == ()
    torch.backends.cudnn.allow_tf32, torch.backends.cuda.matmul.allow_tf32 = False, True
    assert allowed_tf32(TARGETS["h100"]) == (PRODUCTS,)
