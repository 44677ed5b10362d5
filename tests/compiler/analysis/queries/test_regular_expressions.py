"""Nothing that can be typed, or that a stranger's file asks, makes us wait; what is found is what Python's `re` finds."""

import itertools
import re
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from compiler.analysis.queries.node_facts import NodeFacts
from compiler.analysis.queries.query_language import QueryError, found, parse
from compiler.analysis.queries.regular_expressions import searcher

_LETTERS = st.text("abA0_.", max_size=12)
_ATOMS = st.sampled_from(["a", "b", "0", "_", r"\.", ".", "[ab]", "[^a]", r"\d", r"\w", "^", "$", r"\b"])
_REPEATS = st.sampled_from(["", "?", "*", "+", "{2}", "{1,3}", "*?"])
_EXPRESSIONS = st.recursive(
    _ATOMS,
    lambda inner: st.one_of(
        st.tuples(inner, _REPEATS).map(lambda pair: f"(?:{pair[0]}){pair[1]}"),
        st.tuples(inner, inner).map("".join),
        st.tuples(inner, inner).map(lambda pair: f"({pair[0]}|{pair[1]})"),
    ),
    max_leaves=8,
)


def _node(number: int) -> NodeFacts:
    name = f"{'a' * 30}_{number}"
    return NodeFacts(name, name, name, name, name, ("1",) * 40, "", "", "", "", "", None, 1, 1)


_NODES = [_node(number) for number in range(10_000)]


@given(_EXPRESSIONS, _LETTERS)
def test_finds_what_python_finds(expression: str, text: str) -> None:
    assert searcher(expression)(text) == (re.search(expression, text, re.IGNORECASE) is not None)


@pytest.mark.parametrize(
    "query",
    [
        *(f"name:/{'a?' * n}{'a' * n}b/" for n in (16, 22, 100)),
        "name:/(a+)+$b/",
        "name:/(a|a)*b/",
        "name:/.*.*.*.*=/",
        "name:/(a?){250}b/",
        "name:/^(a+)+$/",
        f"name:{'*a' * 40}*b",
        f"shape:[{'...,1,' * 40}...,2]",
        f"shape:[{'...,*,' * 40}...,2]",
    ],
)
def test_what_an_attack_asks_of_ten_thousand_nodes_is_answered_at_once(query: str) -> None:
    start = time.process_time()
    assert found(parse(query), _NODES) == ()
    assert time.process_time() - start < 1


def test_what_needs_much_memory_is_refused() -> None:
    for expression in ("a" * 1001, "(.{250}){4}", "(?:(?:.{9}){9}){9}"):
        with pytest.raises(QueryError, match="cannot be searched for"):
            parse(f"/{expression}/")


def _fits(shape: tuple[str, ...], wanted: tuple[str, ...]) -> bool:
    """As the language says it, by trying everything."""
    if not wanted:
        return not shape
    if wanted[0] == "...":
        return any(_fits(shape[start:], wanted[1:]) for start in range(len(shape) + 1))
    return bool(shape) and wanted[0] in ("*", shape[0]) and _fits(shape[1:], wanted[1:])


def test_shapes_fit_as_by_trying_everything() -> None:
    shapes = [shape for n in range(4) for shape in itertools.product("12", repeat=n)]
    facts = [
        NodeFacts(str(i), "", "", "", "", s, "", "", "", "", "", None, 0, 0) for i, s in enumerate(shapes)
    ]
    for n in range(5):
        for wanted in itertools.product(("1", "*", "..."), repeat=n):
            names = found(parse(f"shape:[{','.join(wanted)}]"), facts)
            assert names == tuple(str(i) for i, shape in enumerate(shapes) if _fits(shape, wanted))
