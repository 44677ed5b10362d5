"""A graph with another node knows where its nodes stand."""

import msgspec
import pytest

from tests.helpers import sample_capture


def test_a_node_of_another_name_is_found_by_that() -> None:
    graph = sample_capture.dynamo_graph()
    place = graph.index("z")
    made = graph.with_node(place, msgspec.structs.replace(graph.node("z"), id="other"))
    assert made.index("other") == place
    assert not made.holds("z")
    with pytest.raises(KeyError):
        made.node("z")


def test_a_node_in_its_own_place_is_the_new_one() -> None:
    graph = sample_capture.dynamo_graph()
    place = graph.index("z")
    made = graph.with_node(place, msgspec.structs.replace(graph.node("z"), target="torch.tanh"))
    assert made.node("z").target == "torch.tanh"
    assert graph.node("z").target != "torch.tanh"
    assert made == type(graph)(made.nodes)
