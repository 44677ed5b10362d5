"""What one types finds what it says, and tells what is wrong with it."""

import contextlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from compiler.analysis.queries.node_facts import NodeFacts
from compiler.analysis.queries.query_language import KEYS, QueryError, found, parse


def node(name: str, op: str, **more: object) -> NodeFacts:
    plain = {
        "target": f"aten.{op}.default", "type_text": "", "shape": None, "dtype": "", "device": "cpu", "module": "",
        "role": "operation", "lane": "", "bytes": None, "inputs": 1, "users": 1,
    }  # fmt: skip
    return NodeFacts(id=name, op=op, name=name, **{**plain, **more})  # type: ignore[arg-type]


NODES = (
    node("x", "x", role="input", shape=("8", "768"), dtype="bfloat16", bytes=12288, inputs=0, lane="forward"),
    node("gelu", "gelu", shape=("8", "768"), dtype="bfloat16", bytes=12288, module="layers.0.mlp", lines=frozenset({42}),
         kernels=frozenset({"cpp_fused_gelu_3", "3"}), marks=frozenset({"edited"}), seconds=2e-5),
    node("add_1", "add", shape=("8", "768", "2"), dtype="float32", bytes=2 << 20, module="layers.1", inputs=2, users=3,
         lines=frozenset({45}), kernels=frozenset({"cpp_fused_add_0", "0"}), lane="backward"),
    node("native_layer_norm", "native_layer_norm", shape=(), dtype="float32", bytes=4, module="layers.10.norm"),
)  # fmt: skip


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("", ["x", "gelu", "add_1", "native_layer_norm"]),
        ("op:gelu", ["gelu"]),
        ("op:gelu|add", ["gelu", "add_1"]),
        ("op:*norm*", ["native_layer_norm"]),
        ("-op:gelu lane:", QueryError),
        ("shape:[*,768]", ["x", "gelu"]),
        ("shape:[8,...]", ["x", "gelu", "add_1"]),
        ("shape:[]", ["native_layer_norm"]),
        ("dtype:bf16", ["x", "gelu"]),
        ("dtype:bf16 -role:input", ["gelu"]),
        ("kernel:3", ["gelu"]),
        ("kernel:cpp_fused_add*", ["add_1"]),
        ("line:42", ["gelu"]),
        ("line:40-50", ["gelu", "add_1"]),
        ("bytes:>1M", ["add_1"]),
        ("bytes:<=4", ["native_layer_norm"]),
        ("time:>10us", ["gelu"]),
        ("time:>10ms", []),
        ("inputs:0", ["x"]),
        ("users:>=3", ["add_1"]),
        ("is:edited", ["gelu"]),
        ("module:layers.1*", ["add_1", "native_layer_norm"]),
        ("module:layers.1", ["add_1"]),
        ("lane:backward", ["add_1"]),
        ("layers.1", ["add_1", "native_layer_norm"]),
        ("/^add_\\d+$/", ["add_1"]),
        ("name:/norm$/", ["native_layer_norm"]),
        ('"layers.0"', ["gelu"]),
        ("op:gelu shape:[*,768] kernel:3 line:42 dtype:bf16", ["gelu"]),
        ("flavour:sweet", QueryError),
        ("bytes:large", QueryError),
        ("line:here", QueryError),
        ("shape:768", QueryError),
        ("/(/", QueryError),
        ("/(a)\\1/", QueryError),
        ("/(a{100}){100}/", QueryError),
    ],
)  # fmt: skip
def test_finds(text: str, names: list[str] | type[QueryError]):
    if isinstance(names, type):
        with pytest.raises(names):
            parse(text)
    else:
        assert list(found(parse(text), NODES)) == names


def test_operators_with_colons_are_words():
    assert found(parse("aten::add"), NODES) == ()


@given(st.text(max_size=30))
def test_whatever_is_typed_is_a_query_or_says_why_not(text: str):
    with contextlib.suppress(QueryError):
        assert set(found(parse(text), NODES)) <= {fact.id for fact in NODES}


@given(st.sampled_from(["op:gelu", "line:42", "bytes:>1M", "is:edited", "layers", "shape:[8,...]"]))
def test_a_minus_turns_a_term_round(text: str):
    every = {fact.id for fact in NODES}
    assert set(found(parse(f"-{text}"), NODES)) == every - set(found(parse(text), NODES))


def test_every_key_comes_with_an_example_that_is_right():
    for key, about in KEYS.items():
        for example in about.split(": ", 1)[-1].split(", "):
            if example.startswith(f"{key}:"):
                parse(example)
