"""Ready transforms make edits that fit, one after another, and say so where there is nothing to do."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from compiler.analysis.transforms import TRANSFORMS
from compiler.model.capture.probe_readings import ProbeReading, bars, report
from compiler.model.edits.edits import InsertNode, apply_graph_edit
from compiler.model.edits.validation import EditError
from compiler.model.ir.arguments import ConstantArgument, MappingArgument, NodeArgument, SequenceArgument
from compiler.model.ir.graph import Graph, Node
from compiler.model.ir.tensor_types import TensorValue
from compiler.model.session_file.stage_checks import check_graph
from tests.compiler.model.graphs import STAGE, graphs
from tests.helpers.sample_capture import args, graph_with, node, output, placeholder
from tests.helpers.thoroughness import examples

BY_ID = {transform.id: transform for transform in TRANSFORMS}


def transformed(name: str, graph: Graph, *chosen: str) -> Graph:
    edited, inverse = apply_graph_edit(graph, BY_ID[name].make(STAGE, graph, chosen))
    assert list(check_graph(edited)) == []
    assert apply_graph_edit(edited, inverse)[0] == graph
    return edited


@given(st.data())
@settings(max_examples=examples(100), deadline=None)
def test_transforms_of_any_graph_fit_and_are_undone(data: st.DataObject) -> None:
    graph = data.draw(graphs())
    names = [node.id for node in graph.nodes]
    chosen = tuple(data.draw(st.lists(st.sampled_from(names), max_size=3, unique=True)))
    for transform in TRANSFORMS:
        try:
            group = transform.make(STAGE, graph, chosen)
        except EditError:
            continue
        edited, inverse = apply_graph_edit(graph, group)
        assert list(check_graph(edited)) == []
        assert apply_graph_edit(edited, inverse)[0] == graph


@given(graphs())
def test_after_cleaning_there_is_nothing_left_to_clean(graph: Graph) -> None:
    for name in ("dead_code", "common_subexpressions"):
        try:
            graph = transformed(name, graph)
        except EditError:
            continue
        with pytest.raises(EditError):
            BY_ID[name].make(STAGE, graph, ())


def test_dead_code_keeps_what_acts() -> None:
    graph = graph_with(
        placeholder("x"),
        node("dead", "torch.sin", "x"),
        node("dead_too", "torch.cos", "dead"),
        node("acts", "add_", "x", 1, op="call_method"),
        node("unknown", "mylib.log", "x"),
        node("relu", "torch.relu", "x"),
        output("relu"),
    )
    assert [one.id for one in transformed("dead_code", graph).nodes] == [
        "x",
        "acts",
        "unknown",
        "relu",
        "output",
    ]


def test_equal_calls_are_made_once_but_not_over_what_works_in_place_nor_random_ones() -> None:
    graph = graph_with(
        placeholder("x"),
        node("a", "torch.sin", "x"),
        node("b", "torch.sin", "x"),
        node("c", "torch.cos", "b"),
        node("d", "torch.cos", "a"),
        node("r", "torch.rand_like", "x"),
        node("s", "torch.rand_like", "x"),
        node("write", "aten.add_.Tensor", "x", 1),
        node("e", "torch.sin", "x"),
        node("sum", "torch.stack", "c", "d", "r", "s", "e", "write"),
        output("sum"),
    )
    found = transformed("common_subexpressions", graph)
    assert [one.id for one in found.nodes] == ["x", "a", "c", "r", "s", "write", "e", "sum", "output"]
    assert found.node("sum").args == args("c", "c", "r", "s", "e", "write")


def test_probes_stand_behind_every_tensor_and_go_again() -> None:
    graph = graph_with(
        placeholder("x"), node("a", "torch.sin", "x"), node("b", "torch.cos", "a"), output("b")
    )
    probed = transformed("probe_histogram", graph)
    assert [one.target for one in probed.nodes if "probe" in one.target] == ["loupe.probe.default"] * 2
    assert probed.node("b").inputs() == ("probe_a",)
    assert probed.node("probe_a").args.items[1] == ConstantArgument("str", f"'{STAGE} a'")
    assert transformed("remove_probes", probed) == graph
    assert [one.id for one in transformed("probe_nan", graph, "b").nodes] == [
        "x",
        "a",
        "b",
        "probe_b",
        "output",
    ]


def test_a_region_is_cast_at_its_edges_only() -> None:
    graph = graph_with(
        placeholder("x"),
        node("a", "torch.sin", "x"),
        node("b", "torch.cos", "a"),
        node("c", "torch.add", "b", "a", "x"),
        output("c"),
    )
    cast = transformed("cast_region", graph, "a", "b")
    assert cast.node("a").inputs() == ("x_bf16",)
    assert cast.node("b").inputs() == ("a",)
    assert cast.node("c").inputs() == ("b_f32", "a_f32", "x")


def test_what_names_its_dtype_is_cast_behind() -> None:
    zeros = node("zeros", "torch.zeros", 3)
    typed = node("typed", "torch.sum", "a")
    typed = Node(
        typed.id, typed.op, typed.target, typed.args,
        MappingArgument((("dtype", ConstantArgument("dtype", "torch.float32")),)), typed.value,
    )  # fmt: skip
    graph = graph_with(
        placeholder("x"),
        zeros,
        node("a", "torch.add", "x", "zeros"),
        typed,
        node("b", "torch.mul", "typed", "a"),
        output("b"),
    )
    cast = transformed("cast_region", graph)
    assert cast.node("a").inputs() == ("x_bf16", "zeros_bf16")
    assert cast.node("typed").inputs() == ("a_f32",)
    assert cast.node("b").inputs() == ("typed_bf16", "a")


def conv_bn(training: str = "False", other_user: bool = False) -> Graph:
    def value(*shape: int) -> TensorValue:
        return TensorValue(tuple(map(str, shape)), "float32")

    def param(name: str, *shape: int) -> Node:
        return Node(name, "placeholder", name, args(), value=value(*shape), role="parameter")

    nodes = [
        param("x", 1, 3, 8, 8), param("w", 4, 3, 3, 3), param("mean", 4), param("var", 4), param("g", 4), param("b", 4),
        Node("conv", "call_function", "torch.conv2d", args("x", "w"), value=value(1, 4, 6, 6)),
        Node(
            "bn", "call_function", "torch.nn.functional.batch_norm",
            SequenceArgument("tuple", (*map(NodeArgument, ("conv", "mean", "var", "g", "b")), ConstantArgument("bool", training))),
            MappingArgument((("eps", ConstantArgument("float", "0.001")),)), value(1, 4, 6, 6),
        ),
        node("relu", "torch.relu", "bn"),
    ]  # fmt: skip
    last = node("sum", "torch.add", "relu", "conv") if other_user else node("sum", "torch.sin", "relu")
    return graph_with(*nodes, last, output("sum"))


def test_a_batch_norm_is_folded_into_weight_and_bias() -> None:
    folded = transformed("fold_conv_bn", conv_bn())
    assert folded.node("relu").inputs() == ("conv",)
    conv = folded.node("conv")
    assert conv.args.items[1] == NodeArgument("folded_weight")
    assert dict(conv.kwargs.items)["bias"] == NodeArgument("folded_bias_beta")
    assert "bn" not in folded.by_id()


@pytest.mark.parametrize("graph", [conv_bn(training="True"), conv_bn(other_user=True)])
def test_other_batch_norms_stay(graph: Graph) -> None:
    with pytest.raises(EditError, match="no convolution"):
        BY_ID["fold_conv_bn"].make(STAGE, graph, ())


def attention(*, mask: bool = False, dropout: bool = False, other_user: bool = False) -> Graph:
    def value() -> TensorValue:
        return TensorValue(("2", "4", "8", "8"), "float32")

    def call(name: str, target: str, *given: str | float, op: str = "call_function", **named: object) -> Node:
        kwargs = tuple(
            (key, ConstantArgument(type(item).__name__, repr(item))) for key, item in named.items()
        )
        return Node(name, op, target, args(*given), MappingArgument(kwargs), value())

    nodes = [Node(name, "placeholder", name, args(), value=value()) for name in ("q", "k", "v", "m")]
    nodes += [
        call("kt", "transpose", "k", -2, -1, op="call_method"),
        call("qk", "_operator.matmul", "q", "kt"),
    ]
    nodes.append(call("scaled", "_operator.truediv", "qk", 4.0))
    last = "scaled"
    if mask:
        nodes.append(call("masked", "_operator.add", last, "m"))
        last = "masked"
    nodes.append(call("weights", "torch.nn.functional.softmax", last, dim=-1))
    last = "weights"
    if dropout:
        nodes.append(call("dropped", "torch.nn.functional.dropout", last, 0.1, True, False))
        last = "dropped"
    nodes.append(call("out", "torch.matmul", last, "v"))
    end = "out"
    if other_user:
        nodes.append(call("both", "torch.add", "out", "weights"))
        end = "both"
    return graph_with(*nodes, output(end))


def test_attention_becomes_one_call() -> None:
    found = transformed("attention_to_sdpa", attention())
    call = found.node("out")
    assert call.target == "torch.nn.functional.scaled_dot_product_attention"
    assert call.args == args("q", "k", "v")
    assert call.kwargs.items == (("scale", ConstantArgument("float", "0.25")),)
    assert [one.id for one in found.nodes] == ["q", "k", "v", "m", "out", "output"]
    masked = transformed("attention_to_sdpa", attention(mask=True, dropout=True)).node("out")
    assert [key for key, _ in masked.kwargs.items] == ["dropout_p", "attn_mask", "scale"]
    with pytest.raises(EditError, match="no softmax"):
        BY_ID["attention_to_sdpa"].make(STAGE, attention(other_user=True), ())


def test_readings_are_reported_in_words() -> None:
    fine = ProbeReading(STAGE, "a", "nan", "f32[2]", 2, 0, 0, 0.0, 1.0, 0.5, 0.5)
    bad = ProbeReading(STAGE, "b", "nan", "f32[2]", 2, 1, 0)
    assert report((fine,)) == "All values of 1 probes are finite."
    assert report((fine, bad)).startswith("First values that are not finite: b  f32[2]  1 NaN")
    assert bars((0, 1, 100)) == " ▁█"


@pytest.mark.parametrize("name", ["fold_conv_bn", "attention_to_sdpa"])
def test_behind_autograd_it_is_reported_where_the_transform_makes_sense(name: str) -> None:
    graph = graph_with(placeholder("x"), node("mul", "aten.mul.Tensor", "x", "x"), output("mul"))
    with pytest.raises(EditError, match=r"decompose.*Dynamo's graph"):
        BY_ID[name].make(STAGE, graph, ())


def dropping(target: str, *more: float, rate: float | None = None) -> Graph:
    names = ("q", "k", "v")
    inputs = [Node(name, "placeholder", name, args()) for name in names]
    kwargs = MappingArgument(
        (("dropout_p", ConstantArgument("float", repr(rate))),) if rate is not None else ()
    )
    call = Node("out", "call_function", target, args(*names, *more), kwargs)
    return graph_with(*inputs, call, output("out"))


def test_attention_no_longer_drops() -> None:
    sdpa = "torch.nn.functional.scaled_dot_product_attention"
    zero = ConstantArgument("float", "0.0")
    named = transformed("remove_dropouts", dropping(sdpa, rate=0.1)).node("out")
    assert dict(named.kwargs.items) == {"dropout_p": zero}
    placed = transformed("remove_dropouts", dropping(sdpa, 0.0, 0.25)).node("out")
    assert placed.args.items[4] == zero
    for graph in (dropping(sdpa), dropping(sdpa, rate=0.0), dropping(sdpa, 0.5)):
        with pytest.raises(EditError, match=r"no dropout to take out of this graph\."):
            BY_ID["remove_dropouts"].make(STAGE, graph, ())


def test_a_dropout_inside_a_fused_attention_is_said_to_stay() -> None:
    graph = dropping("aten._scaled_dot_product_flash_attention_for_cpu.default", 0.1)
    with pytest.raises(EditError, match="that inside out stays"):
        BY_ID["remove_dropouts"].make(STAGE, graph, ())


def test_a_probe_of_what_is_written_to_afterwards_is_refused() -> None:
    """It gives a copy, which the write would miss."""
    graph = graph_with(
        placeholder("x"),
        node("view", "view", "x", -1, op="call_method"),
        node("before", "torch.sin", "x"),
        node("more", "_operator.iadd", "x", 1),
        node("cos", "torch.cos", "view"),
        node("total", "torch.add", "cos", "before"),
        output("total"),
    )
    make = BY_ID["probe_print"].make
    with pytest.raises(EditError, match="writes to in place afterwards"):
        make(STAGE, graph, ("view",))
    probed = [edit.node.id for edit in make(STAGE, graph, ()).edits if isinstance(edit, InsertNode)]
    assert sorted(probed) == ["probe_before", "probe_cos", "probe_total"]


def test_equal_calls_whose_results_are_written_to_are_made_twice() -> None:
    graph = graph_with(
        placeholder("x"),
        node("a", "torch.zeros_like", "x"),
        node("b", "torch.zeros_like", "x"),
        node("more", "add_", "a", 1, op="call_method"),
        node("s", "torch.sin", "x"),
        node("t", "torch.sin", "x"),
        node("one", "torch.add", "b", "s"),
        node("two", "torch.add", "one", "t"),
        output("two"),
    )
    made = [one.id for one in transformed("common_subexpressions", graph).nodes]
    assert made == ["x", "a", "b", "more", "s", "one", "two", "output"]


def test_what_is_written_to_from_outside_is_not_cast() -> None:
    norm = node("norm", "torch.nn.functional.batch_norm", "x", "mean", "variance", op="call_function")
    graph = graph_with(
        placeholder("x"),
        placeholder("mean", "parameter"),
        placeholder("variance", "parameter"),
        norm,
        node("relu", "torch.relu", "norm"),
        node("kept", "torch.zeros_like", "relu"),
        node("more", "_operator.iadd", "kept", "relu"),
        node("cos", "torch.cos", "relu"),
        node("total", "torch.add", "cos", "more"),
        output("total"),
    )
    group = BY_ID["cast_region"].make(STAGE, graph, ())
    cast = {edit.node.inputs()[0] for edit in group.edits if isinstance(edit, InsertNode)}
    assert cast == {"x", "total"}  # what is written to is made and used by what is cast
    assert BY_ID["cast_region"].make(STAGE, graph, ("cos", "more")).label == "Run 1 node in bfloat16"
    with pytest.raises(EditError, match="nothing writes to in place"):
        BY_ID["cast_region"].make(STAGE, graph, ("more",))


def test_truth_values_that_are_added_are_no_mask() -> None:
    """Added they are 1 and 0; the operation would leave out where they are False."""
    graph = attention(mask=True)
    truths = [
        Node("m", "placeholder", "m", args(), value=TensorValue(("8", "8"), "bool")) if one.id == "m" else one
        for one in graph.nodes
    ]
    with pytest.raises(EditError, match="no softmax"):
        BY_ID["attention_to_sdpa"].make(STAGE, Graph(tuple(truths)), ())


def test_dropouts_of_every_kind_are_removed() -> None:
    names = (
        "torch.nn.functional.feature_alpha_dropout",
        "torch.alpha_dropout_",
        "torch.nn.functional.dropout2d",
    )
    called = [placeholder("x"), *(node(f"n{at}", name, "x") for at, name in enumerate(names))]
    called += [node("sum", "torch.add", "n0", "n1", "n2"), output("sum")]
    assert transformed("remove_dropouts", Graph(tuple(called))).node("sum").args == args("x", "x", "x")


def test_a_norm_that_follows_a_folded_norms_convolution_is_folded_too() -> None:
    """A linear bottleneck: convolution, norm, convolution, norm, as in mobile nets."""
    once = conv_bn()
    renamed = {"conv": "conv_2", "bn": "bn_2"}
    again = []
    for one in once.nodes[6:8]:
        items = tuple(
            NodeArgument({"x": "bn", "conv": "conv_2"}.get(item.node, item.node))
            if isinstance(item, NodeArgument)
            else item
            for item in one.args.items
        )
        again.append(
            Node(renamed[one.id], one.op, one.target, SequenceArgument("tuple", items), one.kwargs, one.value)
        )
    last = node("sum", "torch.sin", "bn_2")
    folded = transformed("fold_conv_bn", graph_with(*once.nodes[:8], *again, last, output("sum")))
    assert folded.node("conv_2").inputs()[0] == "conv"
    assert not {"bn", "bn_2"} & set(folded.by_id())


def test_what_is_written_to_is_not_made_once() -> None:
    """Two tensors of zeros of which one is added to; one sine before and one behind ``v += 1``, of a view."""
    zeros = graph_with(
        placeholder("x"),
        node("a", "torch.zeros_like", "x"),
        node("b", "torch.zeros_like", "x"),
        node("c", "torch.zeros_like", "x"),
        node("d", "torch.zeros_like", "x"),
        Node("view", "call_method", "view", args("a", -1)),
        Node("add", "call_method", "add_", args("view", 1)),
        node("sum", "torch.stack", "a", "b", "c", "d"),
        output("sum"),
    )
    assert transformed("common_subexpressions", zeros).node("sum").args == args("a", "b", "b", "b")
    sines = graph_with(
        placeholder("x"),
        Node("view", "call_method", "view", args("x", -1)),
        node("before", "torch.sin", "x"),
        node("add", "_operator.iadd", "view", 1),
        node("behind", "torch.sin", "x"),
        node("sum", "torch.add", "before", "behind"),
        output("sum"),
    )
    for name in ("common_subexpressions", "dead_code"):
        with pytest.raises(EditError):
            BY_ID[name].make(STAGE, sines, ())


def _wide(name: str, op: str, target: str, *given: str | float) -> Node:
    return Node(name, op, target, args(*given), value=TensorValue(("4",), "float32"))


def test_a_copy_is_not_written_to_in_the_place_of_what_is_cast() -> None:
    graph = graph_with(
        placeholder("x"),
        placeholder("count"),
        _wide("view", "call_method", "view", "count", -1),
        _wide("add", "call_method", "add_", "view", 1),
        _wide("read", "call_function", "torch.sin", "count"),
        _wide("other", "call_function", "torch.sin", "x"),
        _wide("relu", "call_method", "relu_", "other"),
        _wide("sum", "call_function", "torch.add", "read", "relu"),
        output("sum"),
    )
    cast = transformed("cast_region", graph)
    assert [cast.node(name).inputs() for name in ("view", "add", "read")] == [
        ("count",),
        ("view",),
        ("count",),
    ]
    assert cast.node("other").inputs() == ("x_bf16",)
    assert cast.node("relu").inputs() == ("other",)


def test_a_norm_keeps_its_statistics_as_they_are() -> None:
    cast = transformed("cast_region", conv_bn("True"))
    assert cast.node("bn").inputs() == ("conv", "mean", "var", "g", "b")
    assert cast.node("conv").inputs() == ("x_bf16", "w_bf16")


def test_an_attention_that_is_written_to_on_the_way_stays() -> None:
    """One call would read its query as it is behind the write."""
    nodes = list(attention().nodes)
    at = next(index for index, one in enumerate(nodes) if one.id == "weights")
    make = BY_ID["attention_to_sdpa"].make
    for name in ("q", "k", "qk"):
        written = node("write", "mul_", name, 2, op="call_method")
        with pytest.raises(EditError, match="no softmax"):
            make(STAGE, graph_with(*nodes[:at], written, *nodes[at:]), ())
    written = node("write", "mul_", "v", 2, op="call_method")
    assert make(STAGE, graph_with(*nodes[:at], written, *nodes[at:]), ())


def test_a_relu_in_place_becomes_a_gelu_for_all_that_read_it_afterwards() -> None:
    """``relu_(y)`` as a statement of its own left y as it was."""
    nodes = (
        placeholder("x"),
        node("y", "torch.sin", "x"),
        node("before", "torch.cos", "y"),
        node("statement", "torch.relu_", "y"),
        node("again", "torch.relu", "y"),
        node("sum", "torch.add", "before", "again", "y"),
    )
    changed = transformed("relus_to_gelus", graph_with(*nodes, output("sum")))
    assert [changed.node(name).inputs() for name in ("before", "statement", "again", "sum")] == [
        ("y",),
        ("y",),
        ("statement",),
        ("before", "again", "statement"),
    ]
    seen = (
        *nodes[:2],
        node("view", "view", "y", -1, op="call_method"),
        nodes[3],
        node("sum", "torch.add", "view", 1),
    )
    with pytest.raises(EditError, match="statement stays: it works in place"):
        BY_ID["relus_to_gelus"].make(STAGE, graph_with(*seen, output("sum")), ())
