"""How graphs were looked at: what is written is read back, and one damaged part costs only itself."""

import json

import msgspec
import pytest

from compiler.analysis.queries.graph_view_state import GraphLooks, HiddenByHand, KeptView, read_looks
from compiler.analysis.queries.node_filters import FilterKind, NodeFilter

FILTERS = (NodeFilter(FilterKind.HIDE, "op:view"), NodeFilter(FilterKind.SHOW, "name:/^add_\\d+$/", on=False))
VIEW = KeptView(3, "0/0:joint", ("m",), ("a",), (), FILTERS, "op", 1.5, (10.0, -4.0), "kernel")
LOOKS = GraphLooks((HiddenByHand("0/0:joint", ("a", "b"), ("c",)),), FILTERS, "bytes", "none", (VIEW,))


def written() -> dict:
    return json.loads(msgspec.json.encode(LOOKS))


def read(data: dict) -> tuple[GraphLooks, tuple[str, ...]]:
    return read_looks(json.dumps(data).encode())


def test_what_is_written_is_read_back():
    assert read(written()) == (LOOKS, ())
    assert read({}) == (GraphLooks(), ())


@pytest.mark.parametrize(
    ("part", "value", "left"),
    [
        ("filters", [{"kind": "burn", "query": "x"}], {"filters": ()}),
        ("coloring", "smell", {"coloring": "line"}),
        ("grouping", 7, {"grouping": "module"}),
        ("by_hand", "all", {"by_hand": ()}),
        ("kept", [{**json.loads(msgspec.json.encode(VIEW)), "number": 12}], {"kept": ()}),
        ("kept", [{**json.loads(msgspec.json.encode(VIEW)), "zoom": 1e300}], {"kept": ()}),
        ("kept", [{**json.loads(msgspec.json.encode(VIEW)), "coloring": "smell"}], {"kept": ()}),
    ],
)
def test_a_damaged_part_is_reported_and_the_others_stay(part, value, left):
    looks, faults = read({**written(), part: value})
    assert looks == msgspec.structs.replace(LOOKS, **left)
    assert len(faults) == 1


def test_one_damaged_view_does_not_cost_the_others():
    good = json.loads(msgspec.json.encode(VIEW))
    looks, faults = read({**written(), "kept": [{"number": 1}, good]})
    assert looks.kept == (VIEW,)
    assert len(faults) == 1


@pytest.mark.parametrize("query", ["/(a+)+$/", "op:relu name:/(x|y){9}/", "/^add_\\d+$|relu.*/"])
def test_an_expression_stays_on(query):
    looks, faults = read({"filters": [{"kind": "hide", "query": query, "on": True}]})
    assert (looks.filters, faults) == ((NodeFilter(FilterKind.HIDE, query),), ())
