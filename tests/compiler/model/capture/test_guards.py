"""Guards as data: what two compiles differ in, faults, and the way through a session file."""

from pathlib import Path

import msgspec
import pytest

from compiler.analysis.session_file.session_file import SessionData, read_session, write_session
from compiler.model.capture.capture import Capture
from compiler.model.capture.guards import (
    GuardDifference,
    GuardLeaf,
    GuardNode,
    GuardTree,
    RecompileRecord,
    ShapeGuard,
    ShapeSymbol,
    TriedEntry,
    compare_symbols,
    compare_trees,
    without_same_start,
)
from compiler.model.ir.graph import SourceLine
from compiler.model.session_file.stage_checks import check_guards
from tests.helpers import sample_capture

LINE = SourceLine("/m.py", 4, "forward", "x = x + 1")


def tree(*leaves: GuardLeaf, symbols: tuple[ShapeSymbol, ...] = (), **more: object) -> GuardTree:
    nodes = (GuardNode(-1, "L"), GuardNode(0, "L['x']", "Tensor", "", leaves))
    return GuardTree("0/0", nodes, (LINE,), symbols, **more)


def test_guards_added_removed_and_changed() -> None:
    before = tree(GuardLeaf("TENSOR_MATCH", ("size=[8]",), 0), GuardLeaf("LAMBDA_GUARD", ("x > 1",)))
    after = tree(
        GuardLeaf("TENSOR_MATCH", ("size=[None]",), 0),
        GuardLeaf("ID_MATCH", ("id(G['__builtins_dict___3'])",)),
        symbols=(ShapeSymbol("s0", "9", "[2, ∞]", ("L['x'].size()[0]",)),),
        shape_guards=(ShapeGuard("s0 > 5", LINE),),
    )
    assert compare_trees(before, after) == (
        GuardDifference("L['x'] TENSOR_MATCH", "size=[8]", "size=[None]"),
        GuardDifference("L['x'] LAMBDA_GUARD", "x > 1", ""),
        GuardDifference("L['x'] ID_MATCH", "", "id(G['__builtins_dict__'])"),
    )
    assert compare_symbols(before, after) == (
        GuardDifference("s0", "", "L['x'].size()[0] = 9, [2, ∞]"),
        GuardDifference("s0 > 5", "", "assumed at m.py:4"),
    )
    assert compare_trees(after, after) == ()
    assert after.count == 2


def test_the_number_of_a_compile_in_a_name_is_no_difference() -> None:
    """Dynamo names an object that it holds by its address and the compile."""
    one, other = (
        GuardTree(
            compile_id,
            (GuardNode(-1, "G"), GuardNode(0, f"G['_139623723588784_c{number}'].Tensor", "type", "", leaves)),
        )
        for compile_id, number in (("1/0", 3), ("1/1", 9))
        for leaves in ((GuardLeaf("ID_MATCH", (f"id(G['_139623723588784_c{number}'].Tensor), 94719",)),),)
    )
    assert compare_trees(one, other) == ()


def test_of_several_checks_of_one_kind_those_that_both_have_are_no_difference() -> None:
    one = [GuardLeaf("DICT_CONTAINS", (f"not {name}",)) for name in ("reset", "log")]
    assert compare_trees(tree(*one), tree(one[1])) == (
        GuardDifference("L['x'] DICT_CONTAINS", "not reset", ""),
    )
    assert compare_trees(tree(*one), tree(*reversed(one))) == ()
    other = GuardLeaf("DICT_CONTAINS", ("not fit",))
    assert compare_trees(tree(*one), tree(other, other)) == (
        GuardDifference("L['x'] DICT_CONTAINS", "not reset", "not fit"),
        GuardDifference("L['x'] DICT_CONTAINS #2", "not log", "not fit"),
    )


@pytest.mark.parametrize("comma", [", ", ","])
def test_two_long_guards_begin_where_they_differ(comma: str) -> None:
    """Torch writes the global state without blanks."""
    state = comma.join(f'"allow_{number}":false' for number in range(20))
    before, after = f'{{{state}{comma}"grad_mode":true}}', f'{{{state}{comma}"grad_mode":false}}'
    assert without_same_start(before, after) == ('… "grad_mode":true}', '… "grad_mode":false}')
    assert without_same_start("size=[8]", "size=[9]") == ("size=[8]", "size=[9]")


def test_guards_of_the_same_kind_on_one_value_keep_apart() -> None:
    many = tree(GuardLeaf("LAMBDA_GUARD", ("a",)), GuardLeaf("LAMBDA_GUARD", ("b",)))
    assert [row.id for row in compare_trees(tree(), many)] == [
        "L['x'] LAMBDA_GUARD",
        "L['x'] LAMBDA_GUARD #2",
    ]


def test_a_reason_is_never_empty() -> None:
    assert TriedEntry("0/0").reasons == ("Torch gives no reason.",)
    assert TriedEntry("0/0", note="All hold.").reasons == ("All hold.",)


@pytest.mark.parametrize(
    "nodes",
    [(GuardNode(0, "L"),), (GuardNode(-2, "L"),), (GuardNode(-1, "L", leaves=(GuardLeaf("A", ("b",), 5),)),)],
)
def test_faults_are_found(nodes: tuple[GuardNode, ...], tmp_path: Path) -> None:
    bad = GuardTree("0/0", nodes)
    assert list(check_guards(bad))
    path = tmp_path / "bad.loupe"
    write_session(path, SessionData((msgspec.structs.replace(sample_capture.capture(), guards=(bad,)),)))
    data = read_session(path)
    assert any(fault.startswith("guards of 0/0") for fault in data.left_out)
    assert data.captures[0].guards == ()


def test_a_session_file_keeps_guards_and_older_ones_open_without(tmp_path: Path) -> None:
    leaf = GuardLeaf("TENSOR_MATCH", ("check_tensor(L['x'])",), 0)
    made = msgspec.structs.replace(
        sample_capture.capture(),
        guards=(tree(leaf),),
        recompiles=(RecompileRecord("0/1", "forward", (TriedEntry("0/0", note="x"),)),),
    )
    path = tmp_path / "s.loupe"
    write_session(path, SessionData((made,)))
    assert read_session(path).captures[0] == made
    older = msgspec.to_builtins(made)
    for name in ("guards", "recompiles", "arguments"):
        del older[name]
    assert msgspec.convert(older, Capture).guards == ()
