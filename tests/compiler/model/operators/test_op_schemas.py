"""Arguments are bound to parameters and back, and judged by their types."""

import pytest

from compiler.model.ir.arguments import (
    NONE,
    ConstantArgument,
    MappingArgument,
    NodeArgument,
    SequenceArgument,
)
from compiler.model.ir.graph import Graph, Node
from compiler.model.operators.op_schemas import OpSignature, Parameter, bind, misfit, unbind
from tests.helpers.sample_capture import args, dynamo_graph

TENSOR = Parameter("input", "Tensor", "tensor", positional_only=True)
P = Parameter("p", "float", "float", default=ConstantArgument("float", "0.5"), required=False)
TRAINING = Parameter("training", "bool", "bool", default=ConstantArgument("bool", "True"), required=False)
DTYPE = Parameter(
    "dtype", "ScalarType?", "dtype", optional=True, default=NONE, required=False, keyword_only=True
)
DROPOUT = OpSignature("dropout", (TENSOR, P, TRAINING, DTYPE))
SIZES = Parameter("size", "SymInt[]", "int", is_list=True)
VIEW = OpSignature("view", (TENSOR, SIZES))


def node(*given, **named) -> Node:
    return Node("n", "call_function", "t", args(*given), MappingArgument(tuple(named.items())))


@pytest.mark.parametrize(
    "call",
    [
        node("x"),
        node("x", 0.1),
        node("x", 0.1, True),
        node("x", training=ConstantArgument("bool", "False"), p=ConstantArgument("float", "0.2")),
        node("x", dtype=ConstantArgument("dtype", "torch.float32")),
    ],
)
def test_what_is_bound_and_unbound_is_the_same_call(call: Node) -> None:
    bound = bind(DROPOUT, call)
    assert unbind(DROPOUT, call, bound, dict(bound.values)) == (call.args, call.kwargs)


def test_sizes_given_one_by_one_stay_so() -> None:
    call = node("x", 2, 3)
    bound = bind(VIEW, call)
    values = dict(bound.values) | {"size": SequenceArgument("tuple", args(4, 5, 6).items)}
    assert unbind(VIEW, call, bound, values)[0] == args("x", 4, 5, 6)


def test_a_default_that_was_left_out_is_given_by_keyword() -> None:
    call = node("x")
    bound = bind(DROPOUT, call)
    given = dict(bound.values) | {"training": ConstantArgument("bool", "False")}
    assert unbind(DROPOUT, call, bound, given) == (
        args("x"),
        MappingArgument((("training", given["training"]),)),
    )


def test_an_argument_taken_out_of_the_middle_turns_the_rest_into_keywords() -> None:
    call = node("x", 0.1, True)
    bound = bind(DROPOUT, call)
    values = {key: value for key, value in bound.values if key != "p"}
    positional, named = unbind(DROPOUT, call, bound, values)
    assert positional == args("x")
    assert named.items == (("training", ConstantArgument("bool", "True")),)
    with pytest.raises(ValueError, match="input must be given"):
        unbind(DROPOUT, call, bound, {})


def test_calls_that_do_not_fit_are_not_bound() -> None:
    assert bind(DROPOUT, node("x", 1, 2, 3)) is None
    assert bind(DROPOUT, node("x", other=NONE)) is None
    assert bind(DROPOUT, node()) is None


@pytest.mark.parametrize(
    ("parameter", "argument", "words"),
    [
        (P, ConstantArgument("str", "'a'"), "a number"),
        (P, NONE, "not None"),
        (P, NodeArgument("y"), "y is a tensor"),
        (TENSOR, ConstantArgument("int", "1"), "name of a node"),
        (TRAINING, ConstantArgument("float", "1.0"), "True or False"),
        (DTYPE, ConstantArgument("str", "'float32'"), "torch.float32"),
        (SIZES, ConstantArgument("float", "1.5"), "a list"),
        (SIZES, SequenceArgument("list", (ConstantArgument("float", "1.5"),)), "whole number"),
        (
            Parameter("approximate", "str", "str", choices=("'none'", "'tanh'")),
            ConstantArgument("str", "'x'"),
            "one of",
        ),
    ],
)
def test_what_cannot_be_given_is_reported(parameter: Parameter, argument, words: str) -> None:
    assert words in misfit(parameter, argument, dynamo_graph())


def test_what_can_be_given() -> None:
    graph: Graph = dynamo_graph()
    for parameter, argument in (
        (P, ConstantArgument("int", "1")),
        (TENSOR, NodeArgument("y")),
        (DTYPE, NONE),
        (SIZES, ConstantArgument("int", "3")),
        (SIZES, SequenceArgument("list", (ConstantArgument("int", "3"), ConstantArgument("opaque", "s0")))),
    ):
        assert misfit(parameter, argument, graph) == ""
