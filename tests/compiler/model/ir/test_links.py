"""Following a selection: everything it came from and everything made of it, but not its brothers."""

from compiler.model.ir.ids import place
from compiler.model.ir.links import LinkTable, Provenance

_TABLES = (
    LinkTable("source", "graph", "traced", "torch", (("L1", "a"), ("L1", "b"), ("L2", "c"))),
    LinkTable("graph", "kernels", "lowered", "torch", (("a", "k"), ("b", "k"), ("c", "l"))),
)


def test_up_and_down() -> None:
    found = Provenance(_TABLES).follow(place("graph", "a"))
    assert found == {
        "source": place("source", "L1"),
        "graph": place("graph", "a"),
        "kernels": place("kernels", "k"),
    }


def test_a_line_lights_up_all_made_from_it() -> None:
    found = Provenance(_TABLES).follow(place("source", "L1"))
    assert found["graph"] == place("graph", "a", "b")
    assert found["kernels"] == place("kernels", "k")


def test_a_kernel_leads_back_to_every_line_in_it() -> None:
    found = Provenance(_TABLES).follow(place("kernels", "k", "l"))
    assert found["source"] == place("source", "L1", "L2")


def test_nothing_leads_nowhere() -> None:
    assert Provenance(_TABLES).follow(place("")) == {}
    assert Provenance(_TABLES).linked("graph") == {"a", "b", "c"}
