"""Edits as code: what is written, and what is refused."""

import ast

import pytest

from compiler.model.edits.edits import (
    BypassNode,
    ChooseFusion,
    Edit,
    InsertNode,
    ReplaceKernel,
    SetArgument,
    apply_edits,
)
from compiler.model.export import EditedGraph, EditedInductorGraph, ExportError, exported_files
from compiler.model.ir.arguments import ConstantArgument, NodeArgument, SequenceArgument
from compiler.model.ir.graph import Node
from compiler.model.ir.loop_ir import FusionChoice, KnobChoice
from tests.helpers import sample_capture as sample
from tests.helpers.sample_capture import graph_with

STAGE = "0/0:dynamo"


def _call(name: str, target: str, *items: object) -> Node:
    given = tuple(
        NodeArgument(item) if isinstance(item, str) else ConstantArgument("float", repr(item))
        for item in items
    )
    return Node(name, "call_function", target, SequenceArgument("tuple", given))


GRAPH = graph_with(
    Node("x", "placeholder", "x", SequenceArgument("tuple", ())),
    _call("relu", "torch.relu", "x"),
    _call("mul", "_operator.mul", "relu", 2.0),
    sample.output("mul"),
)


def _files(*edits: Edit) -> dict[str, str]:
    capture = sample.capture()
    row = EditedGraph(STAGE, "dynamo", GRAPH, apply_edits(GRAPH, edits, STAGE))
    return exported_files("mine", capture, capture, edits, (row,), None)


def test_the_files_are_programs_that_say_what_was_edited() -> None:
    edits = (
        SetArgument(STAGE, "mul", ("args", "1"), ConstantArgument("float", "3.0")),
        InsertNode(STAGE, _call("neg", "torch.neg", "x"), 1, (("relu", ("args", "0")),)),
    )
    files = _files(*edits)
    assert set(files) == {"mine.py", "test_mine.py", "mine.json"}
    for name in ("mine.py", "test_mine.py"):
        ast.parse(files[name])
    text = files["mine.py"]
    assert "* mul: args.1 = 3.0" in text
    assert "n['mul'].args = (n['mul'].args[0], 3.0)" in text
    assert "create_node('call_function', torch.neg, (n['x'],), {}, name='neg')" in text
    assert "n['relu'].args = (n['neg'],)" in text
    assert "import compiler" not in text


def test_a_removed_node_is_erased_after_its_users_let_go() -> None:
    text = _files(BypassNode(STAGE, "relu", "x"))["mine.py"]
    assert text.index("n['mul'].args") < text.index("graph.erase_node(n.pop('relu'))")


@pytest.mark.parametrize(
    ("edit", "words"),
    [
        (InsertNode(STAGE, _call("probe", "loupe.probe.default", "x"), 1, ()), "need Torch Loupe"),
        (ChooseFusion("0/0:forward:loops", "op0", "op1", False), "cannot be written as code"),
        (SetArgument(STAGE, "mul", ("args", "1"), ConstantArgument("opaque", "<object>")), "no spelling"),
        (
            InsertNode(STAGE, Node("w", "get_attr", "other", SequenceArgument("tuple", ())), 1, ()),
            "does not have",
        ),
    ],
)
def test_what_cannot_be_written_is_refused_with_a_reason(edit: Edit, words: str) -> None:
    with pytest.raises(ExportError, match=words):
        _files(edit)


def test_a_name_that_cannot_be_imported_and_no_edits_are_refused() -> None:
    capture = sample.capture()
    with pytest.raises(ExportError, match="no name"):
        exported_files("my edits", capture, capture, (), (), None)
    with pytest.raises(ExportError, match="no edits"):
        exported_files("mine", capture, capture, (), (), None)


def test_choices_of_fusion_and_kernels_are_written_with_the_graph_they_are_of() -> None:
    loops, kernels = "0/0:forward:loops", "0/0:forward:kernels"
    edits = (
        ChooseFusion(loops, "op0", "op1", False),
        ReplaceKernel(kernels, "cpp_fused_0", "int a = '\\n';"),
    )
    unit = EditedInductorGraph(
        (loops, kernels),
        "abc",
        False,
        (FusionChoice("op0", "op1", False),),
        (("cpp_fused_0", "int a = '\\n';"),),
        knobs=(KnobChoice("op0", "cpp.threads", 1),),
        wrapper="# it's mine\n",
        wrapper_base="0123",
    )
    capture = sample.capture()
    files = exported_files("mine", capture, capture, edits, (), None, (unit,))
    ast.parse(files["mine.py"])
    scope: dict[str, object] = {}
    start = files["mine.py"].index("UNITS = (")
    exec(files["mine.py"][start:].partition("\nOPTIONS")[0], {"Unit": lambda *row: row}, scope)
    assert scope["UNITS"] == (
        (
            (loops, kernels),
            "abc",
            False,
            "",
            (("op0", "op1", False),),
            {"cpp_fused_0": "int a = '\\n';"},
            (("op0", "cpp.threads", 1),),
            "# it's mine\n",
            "0123",
        ),
    )
    assert f"STAGES = ('{loops}', '{kernels}')" in files["test_mine.py"]
