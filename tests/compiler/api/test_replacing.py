"""What a call that becomes another call is given."""

from collections.abc import Callable

import pytest
import torch

from compiler.api.replacing import replacement
from compiler.model.edits.edits import EditError, ReplaceTarget
from compiler.model.ir.arguments import ConstantArgument, MappingArgument, NodeArgument, SequenceArgument
from compiler.model.ir.graph import Graph, Node
from tests.helpers.sample_capture import graph_with

pytestmark = pytest.mark.engine

_INPLACE = ("inplace", ConstantArgument("bool", "True"))


def _graph() -> Graph:
    """As `nn.ReLU(inplace=True)` is captured."""
    x = Node("x", "placeholder", "x", SequenceArgument("tuple", ()), MappingArgument(()))
    given = SequenceArgument("tuple", (NodeArgument("x"),))
    return graph_with(
        x, Node("relu", "call_function", "torch.nn.functional.relu", given, MappingArgument((_INPLACE,)))
    )


@pytest.mark.parametrize(
    ("by", "kept"),
    [
        ("torch.nn.functional.gelu", False),
        (torch.nn.functional.gelu, False),
        ("torch.sigmoid", False),
        ("torch.nn.functional.silu", True),
        ("torch.nn.functional.softsign", False),  # torch has no schema of it
        ("torch.nn.functional.max_pool2d", True),  # of which only **kwargs is known
        ("torch.nothing_of_this_name", True),  # which is said when it is compiled
    ],
)
def test_only_what_the_other_takes_is_kept(by: Callable[..., object] | str, kept: bool) -> None:
    (edit,) = replacement("0/0:dynamo", _graph(), "relu", by).edits
    assert isinstance(edit, ReplaceTarget)
    assert edit.kwargs.items == ((_INPLACE,) if kept else ())


@pytest.mark.parametrize(
    ("by", "label"),
    [
        (torch.ops.aten.gelu.default, "relu → gelu"),
        ("aten.gelu.default", "relu → gelu"),
        (torch.nn.functional.gelu, "relu → gelu"),
    ],
)
def test_an_operator_is_named_without_its_overload(by: Callable[..., object] | str, label: str) -> None:
    assert replacement("0/0:joint", _graph(), "relu", by).label == label


def test_a_function_that_no_edit_can_name_is_refused_at_once() -> None:
    """An edit goes into a file, and is compiled where this function is not."""

    def mine(x: object) -> object:
        return x

    for by in (mine, torch.nn.GELU()):
        with pytest.raises(EditError, match="no operation of torch"):
            replacement("0/0:dynamo", _graph(), "relu", by)


def test_a_method_of_tensors_is_named_as_one() -> None:
    group = replacement("0/0:dynamo", _graph(), "relu", torch.Tensor.div_)
    (edit,) = group.edits
    assert isinstance(edit, ReplaceTarget)
    assert (edit.op, edit.target) == ("call_method", "div_")
