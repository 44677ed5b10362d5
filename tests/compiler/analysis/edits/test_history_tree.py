"""States of edits: nothing made is lost, and the person is always somewhere on the way to the tip."""

from hypothesis import given
from hypothesis import strategies as st

from compiler.analysis.edits.history_tree import ROOT, EditTree, is_whole, line_of_edits
from compiler.model.edits.edits import SetArgument
from compiler.model.ir.arguments import ConstantArgument


def edit(number: int) -> SetArgument:
    return SetArgument("0/0:dynamo", "mul", ("args", "1"), ConstantArgument("int", str(number)))


def test_an_edit_after_going_back_begins_a_branch() -> None:
    tree = line_of_edits((edit(1), edit(2)), undone=1).with_edit(edit(3))
    assert [(state.id, state.parent) for state in tree.states] == [("s1", ""), ("s2", "s1"), ("s3", "s1")]
    assert (tree.current, tree.tip) == ("s3", "s3")
    assert tree.edits("s2") == (edit(1), edit(2))
    assert tree.at("s2").edits(tree.at("s2").current) == (edit(1), edit(2))


def test_the_same_edit_again_is_the_same_state() -> None:
    tree = line_of_edits((edit(1),), undone=1).with_edit(edit(1))
    assert [state.id for state in tree.states] == ["s1"]


def test_dropping_takes_what_is_on_top_and_leaves_nobody_nowhere() -> None:
    tree = line_of_edits((edit(1), edit(2), edit(3)))
    assert tree.dropped("s2").current == "s1"
    back = tree.at("s1").dropped("s2")
    assert (back.current, back.tip, [state.id for state in back.states]) == ("s1", "s1", ["s1"])
    assert back.with_edit(edit(4)).current == "s4"  # an id is never given twice
    further = tree.at("s1").dropped("s3")
    assert (further.current, further.tip) == ("s1", "s2")


STEPS = st.lists(
    st.one_of(
        st.tuples(st.just("edit"), st.integers(0, 4)),
        st.tuples(st.just("undo"), st.just(0)),
        st.tuples(st.just("redo"), st.just(0)),
        st.tuples(st.just("go"), st.integers(0, 30)),
        st.tuples(st.just("drop"), st.integers(0, 30)),
        st.tuples(st.just("name"), st.integers(0, 30)),
    ),
    max_size=40,
)


@given(STEPS)
def test_any_walk_leaves_a_whole_tree(steps: list[tuple[str, int]]) -> None:
    tree = EditTree()
    for what, number in steps:
        ids = [state.id for state in tree.states]
        chosen = ids[number % len(ids)] if ids else ROOT
        match what:
            case "edit":
                tree = tree.with_edit(edit(number))
                assert tree.state(tree.current).edit == edit(number)
            case "undo":
                tree = tree.undone()
            case "redo":
                before = tree
                tree = tree.redone()
                assert tree.current == before.current or tree.undone() == before
            case "go":
                tree = tree.at(chosen)
                assert tree.current == chosen
            case "drop" if ids:
                tree = tree.dropped(chosen)
                assert chosen not in [state.id for state in tree.states]
            case "name" if ids:
                tree = tree.named(chosen, "mine")
        assert is_whole(tree)


def test_a_tree_from_a_strangers_file_is_checked() -> None:
    tree = line_of_edits((edit(1), edit(2)))
    assert is_whole(tree)
    assert not is_whole(EditTree(tuple(reversed(tree.states)), "s1", "s1", 2))
    assert not is_whole(EditTree(tree.states, "s9", "s2", 2))
    assert not is_whole(EditTree(tree.states, "s2", "s1", 2))
    assert not is_whole(EditTree((*tree.states, tree.states[0]), "s1", "s1", 3))
