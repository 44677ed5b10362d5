"""What may be the same memory, and where it is written."""

from compiler.model.effects.memory import Memory
from compiler.model.effects.purity import draws_random_numbers, is_pure, written_by
from compiler.model.ir.arguments import ConstantArgument, MappingArgument, NodeArgument
from compiler.model.ir.graph import Node
from tests.helpers.sample_capture import args, graph_with, node, output, placeholder


def test_views_and_what_is_not_known_share_memory_with_what_they_are_given() -> None:
    graph = graph_with(
        placeholder("x"),
        node("view", "view", "x", -1, op="call_method"),
        node("unknown", "mylib.maybe", "view"),
        node("sin", "torch.sin", "unknown"),
        node("more", "add_", "view", 1, op="call_method"),
        node("cos", "torch.cos", "sin"),
        output("cos"),
    )
    memory = Memory(graph)
    assert memory.share("x", "unknown")
    assert memory.share("x", "more")
    assert not memory.share("x", "sin")
    assert memory.is_written("x")
    assert memory.is_written_after("view")
    assert not memory.is_written_after("more")
    assert not memory.is_written("sin")
    known = graph.by_id()
    assert memory.must_keep_order(known["more"], known["sin"])
    assert not memory.must_keep_order(known["more"], known["cos"])


def test_two_places_of_one_buffer_are_one_memory() -> None:
    held = [Node(name, "get_attr", "kept", args()) for name in ("first", "second")]
    memory = Memory(graph_with(*held, node("more", "_operator.iadd", "first", 1), output("second")))
    assert memory.is_written_after("second")


def _norm(target: str, *inputs: str | float, training: str) -> Node:
    given = node("norm", target, *inputs)
    kwargs = MappingArgument((("training", ConstantArgument("bool", training)),))
    return Node("norm", "call_function", given.target, given.args, kwargs)


def test_what_a_call_writes_to() -> None:
    functional = "torch.nn.functional.batch_norm"
    assert written_by(_norm(functional, "x", "mean", "variance", training="True")) == ("mean", "variance")
    assert written_by(_norm(functional, "x", "mean", "variance", training="False")) == ()
    assert written_by(_norm("torch.batch_norm", "x", "w", "b", "mean", "variance", training="True")) == (
        "mean",
        "variance",
    )
    assert written_by(node("more", "_operator.iadd", "x", "y")) == ("x",)
    assert written_by(node("foreach", "torch._foreach_add_", "x", "y")) == ("x",)
    assert written_by(node("other", "mylib.scale", "x", "y")) == ("x", "y")
    out = Node("o", "call_function", "torch.sin", args("x"), MappingArgument((("out", NodeArgument("y")),)))
    assert written_by(out) == ("y",)
    assert not is_pure(out)
    assert written_by(node("keyword", "_operator.and_", "x", "y")) == ()


def test_an_embedding_with_a_limit_writes_to_its_weight() -> None:
    embedding = "torch.nn.functional.embedding"
    assert written_by(node("e", embedding, "x", "weight")) == ()
    assert written_by(node("e", embedding, "x", "weight", 0, 1.0)) == ("weight",)
    none = MappingArgument((("max_norm", ConstantArgument("none", "None")),))
    assert is_pure(Node("e", "call_function", embedding, args("x", "weight"), none))
    limited = MappingArgument((("max_norm", ConstantArgument("float", "1.0")),))
    assert written_by(Node("e", "call_function", embedding, args("x", "weight"), limited)) == ("weight",)


def test_a_sum_of_products_may_be_a_view() -> None:
    """``einsum("ij->ji", x)`` is x the other way round."""
    memory = Memory(
        graph_with(placeholder("x"), node("turned", "torch.functional.einsum", "x"), output("turned"))
    )
    assert memory.share("x", "turned")


def test_attention_draws_random_numbers_where_it_drops() -> None:
    attention = "torch.nn.functional.scaled_dot_product_attention"
    assert not draws_random_numbers(node("a", attention, "q", "k", "v"))
    rate = MappingArgument((("dropout_p", ConstantArgument("float", "0.1")),))
    assert draws_random_numbers(Node("a", "call_function", attention, args("q", "k", "v"), rate))
