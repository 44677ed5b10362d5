"""Files of libraries in the panes: after the user's own, by package."""

import msgspec
import pytest

from app.panes.pipeline_pane import PipelinePane
from app.panes.pipeline_pane.grouping import groups_of
from app.panes.source_pane import SourcePane
from app.panes.source_pane.annotations import first_shown
from app.session.captures.stage_order import reading_order
from compiler.model.capture.capture import Capture
from compiler.model.ir.graph import SourceLine
from compiler.model.ir.ids import place
from compiler.model.ir.links import LinkTable
from compiler.model.ir.programs import CodeObject, FileOwner, SourceFile
from compiler.model.ir.stage import BytecodeStage, FxStage, SourceStage, Stage, StageKind
from tests.helpers.opened_capture import open_capture
from tests.helpers.shown_widget import on_screen
from tests.helpers.table_reader import every_row

NORM = "/env/site-packages/thing/layers/norm.py"
OTHER = "/env/site-packages/other.py"
OWN = "/home/me/mlp.py"


def library(path: str, package: str) -> Stage:
    file = SourceFile(path, "one\ntwo\nthree\n", ((2, "0/0"),), standing=FileOwner.LIBRARY, package=package)
    return Stage(f"source:{path}", StageKind.SOURCE, path.rpartition("/")[2], SourceStage(file))


@pytest.fixture
def widened(capture: Capture) -> Capture:
    """A node of the Dynamo graph was made on a line of a library, called on the user's line 13."""
    code = CodeObject("norm", NORM, 2, ())
    inlined = Stage("bytecode:norm@2", StageKind.BYTECODE, "Bytecode of norm", BytecodeStage(code))
    stages = []
    for stage in capture.stages:
        if stage.id == "0/0:dynamo":
            first = next(node for node in stage.graph.nodes if node.op != "placeholder")
            stack = (SourceLine(OWN, 13, "forward"), SourceLine(NORM, 2, "norm"))
            nodes = tuple(
                msgspec.structs.replace(node, stack=stack) if node is first else node
                for node in stage.graph.nodes
            )
            stage = msgspec.structs.replace(
                stage, content=FxStage(msgspec.structs.replace(stage.graph, nodes=nodes))
            )
        stages.append(stage)
    own = [stage for stage in stages if stage.kind is StageKind.SOURCE]
    rest = [stage for stage in stages if stage.kind is not StageKind.SOURCE]
    links = (
        *capture.links,
        LinkTable(f"source:{NORM}", "0/0:dynamo", "traced", "torch", (("L2", first.id),)),
        LinkTable(f"source:{OWN}", "0/0:dynamo", "traced", "torch", (("L13", first.id),)),
        LinkTable("bytecode:norm@2", "0/0:dynamo", "traced", "torch", ()),
    )
    added = (library(OTHER, "other"), library(NORM, "thing"), inlined)
    return msgspec.structs.replace(capture, stages=(*own, *added, *rest), links=links)


@pytest.fixture
def wide(session, engine, widened):
    open_capture(session, widened)
    session.show_stage("0/0:dynamo")
    return session


def the_node(session) -> str:
    return next(node.id for node in session.stage.graph.nodes if len(node.stack) == 2)


def test_a_node_leads_to_the_innermost_line_and_has_its_colour(wide, put):
    pane = SourcePane(wide)
    put(pane)
    node = the_node(wide)
    wide.selection.select(place("0/0:dynamo", node), object())
    assert pane.tabs.tabText(pane.tabs.currentIndex()) == "norm.py"
    assert pane.editor.pinned == {2}
    assert wide.color_index("0/0:dynamo", node) == wide.color_index(f"source:{NORM}", "L2")


def test_own_files_come_first_and_libraries_have_a_menu_each(wide, put):
    pane = SourcePane(wide)
    put(pane)
    assert [pane.tabs.tabText(i) for i in range(pane.tabs.count())] == ["mlp.py", "other.py", "norm.py"]
    menus = pane.choice.packages
    assert pane.choice.files.actions()[0].text() == "mlp.py"
    assert {name: [one.text() for one in menu.actions()] for name, menu in menus.items()} == {
        "other": ["other.py"],
        "thing": ["layers/norm.py"],
    }
    assert pane.edit_button.isEnabled()
    menus["thing"].actions()[0].trigger()
    assert pane.tabs.currentIndex() == 2
    assert not pane.edit_button.isEnabled()


def test_stages_of_libraries_stand_in_groups_that_are_closed(wide, widened, put):
    titles = [group.title for group in groups_of(widened)]
    assert titles[:2] == ["Source files", "Library files"]
    pane = PipelinePane(wide)
    put(pane)
    rows = {row.text(0): row for row in every_row(pane.stages)}
    assert not rows["Library files"].is_open()
    assert rows["Source files"].is_open()
    assert [rows["thing"].children()[0].text(0)] == ["norm.py"]
    order = reading_order(widened)
    assert sorted(order) == sorted(stage.id for stage in widened.stages)


def test_a_model_that_a_package_brings_is_shown_where_most_of_it_was_captured(
    session, engine, widened, qtbot
):
    few = library(OTHER, "other")
    lines = "\n" * 400
    most = SourceFile(NORM, lines, ((350, "0/0"), (351, "0/0")), standing=FileOwner.LIBRARY, package="thing")
    many = Stage(f"source:{NORM}", StageKind.SOURCE, "norm.py", SourceStage(most))
    rest = [stage for stage in widened.stages if stage.kind is not StageKind.SOURCE]
    given = msgspec.structs.replace(widened, stages=(few, many, *rest))
    open_capture(session, given)
    pane = on_screen(qtbot, SourcePane(session), 600, 400)
    assert pane.tabs.tabText(pane.tabs.currentIndex()) == "norm.py"
    assert pane.editor.is_line_visible(350)


def test_ones_own_file_is_shown_before_a_library_of_which_more_was_captured():
    library_file = SourceFile(NORM, "", ((1, "0/0"), (2, "0/0")), standing=FileOwner.LIBRARY)
    idle, own = SourceFile("a.py", ""), SourceFile("b.py", "", ((1, "0/0"),))
    assert first_shown([library_file, idle, own]) == 2
    assert first_shown([idle, library_file]) == 0
    assert first_shown([]) == 0
