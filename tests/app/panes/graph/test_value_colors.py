"""Boxes are coloured by the values that they had, the worst first."""

from app.panes.graph.value_colors import kind_of, painted_by_values
from app.theme import current
from compiler.model.experiments.node_values import NodeValue, ValueSummary

FINE = ValueSummary(10, "float32", -1.0, 1.0, 0.0)


def row(compiled: ValueSummary | None = None, begins: bool = False, **facts: int) -> NodeValue:
    value = ValueSummary(10, "float32", -1.0, 1.0, 0.0, **facts)
    return NodeValue("s", "n", value, compiled, made_nan=begins, made_infinity=begins)


def test_the_worst_of_a_node_is_shown() -> None:
    assert kind_of(row()) == "finite, few zeros"
    assert kind_of(row(nans=1, infinities=3)) == "NaN"
    assert kind_of(row(nans=1, begins=True)) == "NaN begins here"
    assert kind_of(row(infinities=1)) == "infinite"
    assert kind_of(row(infinities=1, begins=True)) == "infinity begins here"
    assert kind_of(row(beyond_half=1, zeros=9)).startswith("beyond float16")
    assert kind_of(row(zeros=10)) == "all zeros"
    assert kind_of(row(zeros=5)).startswith("zeros: half")
    assert kind_of(row(zeros=1)).startswith("zeros: a tenth")


def test_what_compiled_code_alone_made_counts() -> None:
    assert kind_of(row(ValueSummary(10, "float32", None, None, None, nans=10))) == "NaN"


def test_each_kind_has_a_colour_and_a_count() -> None:
    painted = painted_by_values({"a": row(nans=1), "b": row(nans=2), "c": row()}, current.colors())
    assert [line.text for line in painted.legend] == ["NaN (2)", "finite, few zeros (1)"]
    assert painted.of(["a"]) == painted.of(["b"]) != painted.of(["c"])
    assert len({line.color for line in painted.legend}) == 2


def test_without_values_it_says_where_they_come_from() -> None:
    assert "Look at values" in painted_by_values({}, current.colors()).legend[0].text
