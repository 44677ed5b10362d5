"""An operator is found however a person writes it."""

import pytest

from compiler.model.operators.dispatching import names_meant


@pytest.mark.parametrize(
    "written",
    [
        "gelu",
        "aten.gelu",
        "aten::gelu",
        "aten::gelu.default",
        "aten.gelu.default",
        "torch.ops.aten.gelu.default",
        "torch.nn.functional.gelu",
        "F.gelu",
        " gelu ",
    ],
)
def test_every_spelling_means_the_same(written: str) -> None:
    assert "aten::gelu" in names_meant(written)


@pytest.mark.parametrize(
    "written", ["softmax.int", "aten.softmax.int", "aten::softmax.int", "torch.softmax.int"]
)
def test_an_overload_is_kept(written: str) -> None:
    assert "aten::softmax.int" in names_meant(written)


def test_other_namespaces_and_nothing() -> None:
    assert names_meant("prims.add")[0] == "prims::add"
    assert names_meant("torch.ops.mine.op.special") == ("mine::op.special",)
    assert names_meant("") == ()
