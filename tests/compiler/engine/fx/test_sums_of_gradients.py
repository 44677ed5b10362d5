"""Where a tensor is used twice autograd adds its gradients: the sum is linked to what made the tensor, and to the uses that it
adds: torch's own stack of it is that of one of these, also of one that hands its gradient on as it is."""

from pathlib import Path

import pytest

from tests.helpers.backward_origins import origins_in_backward

_PROGRAM = """
import torch

def made_here(x):
    y = x.sin()
    return y.exp() + y.tanh() + y.cosh()

def an_input(x):
    return x.exp() + x.tanh()

def passed_on(x):
    y = x.sin()
    z = y + 1
    return z.exp() + y.tanh()

def of_several(x):
    y, z = x.reshape(2, 2).unbind(0)
    v = y + 1
    w = v.exp() + y.tanh()
    return w * z.cosh()

def of_complex(x):
    y = torch.complex(x, x)
    return (y.roll(1).abs() + y.conj().angle()).sum()

def example_inputs():
    return (torch.randn(4, requires_grad=True),)
"""


@pytest.mark.parametrize(
    ("function", "wanted"),
    [
        ("made_here", ["cosh sin tanh", "exp sin"]),
        ("an_input", ["exp tanh"]),
        ("passed_on", ["add exp sin tanh"]),
        ("of_several", ["add", "add exp tanh unbind"]),
    ],
)
def test_a_sum_of_gradients_is_linked(tmp_path: Path, function: str, wanted: list[str]) -> None:
    rows = origins_in_backward(tmp_path, _PROGRAM, function)
    assert [" ".join(sorted(names)) for target, names in rows if target == "aten.add.Tensor"] == wanted


def test_all_parts_of_a_sum_of_complex_gradients_are_linked(tmp_path: Path) -> None:
    """Inductor adds them as real numbers: a gradient read so is of its use, the sum of both."""
    rows = origins_in_backward(tmp_path, _PROGRAM, "of_complex", "inductor")
    read = [names - {"complex"} for target, names in rows if target.startswith("aten.view.")]
    assert read == [*[{"conj"}] * 2, *[{"roll"}] * 2, *[{"conj", "roll"}] * 2]
    assert ("aten.add.Tensor", {"complex", "conj", "roll"}) in rows
