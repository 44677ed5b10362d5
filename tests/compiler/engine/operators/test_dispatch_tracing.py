"""Shims around kernels change no result."""

from collections.abc import Callable

import pytest
import torch

from compiler.engine.equal_tensors import same_numbers
from compiler.engine.operators.dispatch_tracing import DispatchRecorder, overloads_used

pytestmark = pytest.mark.engine

_Function = Callable[[torch.Tensor], torch.Tensor]
_FUNCTIONS: dict[str, _Function] = {
    "mul": lambda x: 0.1 * x,
    "div": lambda x: x / 0.3,
    "pow": lambda x: 0.3 ** x.abs(),
    "where": lambda x: torch.where(x > 0, 0.1, x),
    "complex": lambda x: (x * (0.1 + 0.2j)).abs(),
    "integer": lambda x: x * 3 + True,
}


@pytest.mark.parametrize("dtype", [torch.bfloat16, torch.float16, torch.float32, torch.float64])
def test_numbers_beside_tensors_stay_as_exact_as_they_are(dtype: torch.dtype) -> None:
    """A number was rounded to the tensor's type: a traced bfloat16 program had other results."""
    x = torch.randn(7, 5, generator=torch.Generator().manual_seed(0), dtype=torch.float64).to(dtype)
    x.requires_grad_()
    for name, function in _FUNCTIONS.items():
        if name == "complex" and dtype.itemsize == 2:
            continue  # torch has few kernels for such
        plain, traced = _with_gradient(function, x, trace=False), _with_gradient(function, x, trace=True)
        for one, other in zip(plain, traced, strict=True):
            assert same_numbers(one, other), name


def _with_gradient(function: _Function, x: torch.Tensor, trace: bool) -> tuple[torch.Tensor, torch.Tensor]:
    def run() -> tuple[torch.Tensor, torch.Tensor]:
        y = function(x)
        return y, torch.autograd.grad(y.sum(), x)[0]

    if not trace:
        return run()
    recorder = DispatchRecorder()
    recorder.install(overloads_used(run))
    recorder.recording = True
    try:
        return run()
    finally:
        recorder.recording = False
        recorder.remove()
