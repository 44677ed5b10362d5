"""Ids of compiles and of parts of their graphs, taken apart and put in order."""

import pytest

from compiler.model.capture.compile_ids import (
    compile_order,
    frame_of,
    generation_of,
    number_of,
    part_id,
    part_in,
    torch_id_of,
    whole_of,
)


def test_a_part_is_of_its_graph() -> None:
    assert part_id("4/0", 2) == "4/0.2"
    assert part_id("4/1#2", 0) == "4/1.0#2"
    assert part_id(part_id("4/0", 2), 11) == "4/0.2.11"
    for part, whole in (
        ("4/0.2", "4/0"),
        ("4/1.0#2", "4/1#2"),
        ("4/0.2.11", "4/0"),
        ("graph-0.3", "graph-0"),
    ):
        assert whole_of(part) == whole
        assert whole_of(whole) == whole
    assert part_in("4/0.2", "1/3#2") == "1/3.2#2"
    assert part_in("4/0", "1/3") == "1/3"


def test_a_part_is_of_the_compile_of_its_graph() -> None:
    assert torch_id_of("4/1.0#2") == "4/1"
    assert generation_of("4/1.0#2") == 2
    assert number_of("4/1.12") == "1"
    assert frame_of("4/1.12#2") == "4#2"


def test_parts_are_sorted_as_torch_compiled_them() -> None:
    names = ["4/0", "4/0.0", "4/0.2", "4/0.10", "4/1", "10/0", "0/0#2", "0/0.1#2"]
    mixed = names[::-1]
    assert sorted(mixed, key=compile_order) == names


@pytest.mark.parametrize(
    "name", ["['#']", "0/0#x", "0/0#²", "0/²", "1/" + "9" * 5000, "0/0#" + "9" * 5000, "#", ""]
)
def test_an_id_that_torch_never_gave_is_no_error(name: str) -> None:
    """A log or a session file may be damaged, or a stranger's."""
    assert generation_of(name) == 1
    assert sorted([name, "0/0"], key=compile_order)
