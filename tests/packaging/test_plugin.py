"""The plug-in that is shipped as an example, installed as a package; and plug-ins that are wrong."""

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from compiler.analysis.gpu import targets
from compiler.analysis.plugins import entry_points, panes
from compiler.analysis.remedies import plugins as remedies
from compiler.analysis.remedies import remedies_for
from compiler.analysis.session_file.session_file import SessionData, write_session
from compiler.analysis.session_file.session_reading import read_session
from compiler.analysis.transforms import TRANSFORMS
from compiler.analysis.transforms import plugins as transforms
from compiler.model.edits.edits import EditError
from compiler.model.ir.gpu_target import TARGETS
from compiler.model.ir.graph import Graph
from tests.helpers.finished_process import ran
from tests.helpers.sample_capture import DYNAMO
from tests.helpers.sample_capture import capture as sample_capture

ROOT = Path(__file__).resolve().parents[2]
EXAMPLE = ROOT / "resources" / "plugin_example"

BROKEN = """
from torch_loupe import GpuTarget, Pane, RemedyRule, Transform
good = Transform("theirs", "Theirs", "Fails when it is used.", lambda stage, graph, nodes: 1 / 0, "")
nothing = Transform("nothing", "Nothing", "Gives nothing.", lambda stage, graph, nodes: None, "")
taken = Transform("dead_code", "Taken", "Is called as one of ours.", good.make, "")
number = 7
raises = RemedyRule("raises", lambda capture, item: 1 / 0)
words = RemedyRule("words", lambda capture, item: ("a word",))
h100 = GpuTarget("h100", "Taken", 9, 0, 1, 1, 1.0, 1, 1, 1)
gone = Pane("gone", "Gone", "Is nowhere", "loupe_not_there:Pane")
calls_number = Pane("calls_number", "Number", "Is no widget", "loupe_broken:no_widget")
def no_widget(session, parent):
    return "words"
graph = Pane("graph", "Taken", "", "loupe_not_there:Pane")
"""
GROUPS = {
    transforms.GROUP: ("good", "missing", "nothing", "number", "taken"),
    remedies.GROUP: ("raises", "words", "number_too"),
    targets.GROUP: ("h100", "absent"),
    panes.GROUP: ("gone", "calls_number", "graph"),
}
WINDOW = """
import sys
from pathlib import Path
sys.path.insert(0, {root!r})
from PySide6.QtWidgets import QApplication, QLabel, QPushButton
from tests.helpers.opened_capture import open_capture
from app.session.facade.session import Session
from app.window.application import application
from app.window.main_window import MainWindow
from app.window.pane_table import PANES
from app.window.theme_choice import ThemeChoice
from compiler.model.protocol.messages import CaptureMade, MakeCapture
from tests.helpers import sample_capture
from tests.helpers.fake_engine import FakeEngine
from PySide6.QtCore import QSettings, QStandardPaths
QStandardPaths.setTestModeEnabled(True)
QSettings.setDefaultFormat(QSettings.Format.IniFormat)
QSettings.setPath(QSettings.Format.IniFormat, QSettings.Scope.UserScope, {settings!r})
app = QApplication([])
engine = FakeEngine()
session = Session(engine, journals=Path({settings!r}, "journals"))
window = MainWindow(session, ThemeChoice(app))
window.show()
open_capture(session, sample_capture.capture())
session.show_stage(sample_capture.DYNAMO)
area = window.show_panes()
def shown(pane):
    area.show_pane(pane)
    for _ in range(5):
        app.processEvents()
    assert not area.docks[pane].isHidden()
    return area.panes[pane].pane
{checks}
session.undo_stack.setClean()
window.close()
session.close()
print("done")
"""


@pytest.fixture
def fresh() -> Iterator[None]:
    found = (
        transforms.found_transforms,
        remedies.found_rules,
        targets.found_targets,
        entry_points._entry_points,
    )
    for kind in found:
        kind.cache_clear()
    yield
    for kind in found:
        kind.cache_clear()
    remedies._failed.clear()
    sys.modules.pop("loupe_broken", None)


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder that the example is installed in."""
    folder = tmp_path_factory.mktemp("plugin")
    pip = [sys.executable, "-m", "pip", "install", "-q", "--no-deps", "--no-index", "--no-build-isolation"]
    source = folder / "source"
    source.mkdir()
    for path in EXAMPLE.iterdir():  # pip builds in the folder
        if path.is_file():
            (source / path.name).write_text(path.read_text())
    subprocess.run([*pip, "--target", str(folder / "installed"), str(source)], check=True, timeout=120)
    return folder / "installed"


def _environment(folder: Path) -> dict[str, str]:
    return {
        **os.environ,
        "PYTHONPATH": os.pathsep.join([str(folder), str(ROOT)]),
        "QT_QPA_PLATFORM": "offscreen",
    }


def loupe(folder: Path, *arguments: str, timeout: int = 120) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "torch_loupe", *arguments]
    environment = _environment(folder)
    return ran(command, env=environment, timeout=timeout)


def in_window(folder: Path, settings: Path, checks: str) -> None:
    """The real window with the sample capture, and these checks of it."""
    code = WINDOW.format(root=str(ROOT), settings=str(settings), checks=checks)
    command = [sys.executable, "-c", code]
    done = ran(command, env=_environment(folder), timeout=120)
    assert done.stdout.endswith("done\n"), done.stderr


@pytest.fixture
def saved(tmp_path: Path) -> Path:
    path = tmp_path / "sample.loupe"
    write_session(path, SessionData((sample_capture(),)))
    return path


@pytest.mark.thorough
def test_its_transform_is_listed_used_and_in_the_menu(installed: Path, saved: Path, tmp_path: Path) -> None:
    assert "relus_to_silus" in loupe(installed, "transform", str(saved)).stdout
    done = loupe(installed, "transform", str(saved), "relus_to_silus", "--stage", DYNAMO)
    assert "torch.nn.functional.silu" in done.stdout, done.stderr
    code = (
        "import sys\nfrom app.actions.transform_actions import ROWS\n"
        "assert 'transform.relus_to_silus' in [row.id for row in ROWS]\n"
        "assert not {'torch', 'networkx', 'compiler.command_line'} & set(sys.modules)\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True, env=_environment(installed), timeout=120)
    assert "relus_to_silus" not in loupe(tmp_path / "nowhere", "transform", str(saved)).stdout


@pytest.mark.thorough
def test_its_remedy_is_offered(installed: Path, saved: Path, tmp_path: Path) -> None:
    offered = "try: Have Dynamo explain the break: torch._dynamo.config.verbose = True"
    done = loupe(installed, "breaks", str(saved))
    assert offered in done.stdout, done.stderr
    assert offered not in loupe(tmp_path / "nowhere", "breaks", str(saved)).stdout


@pytest.mark.thorough
@pytest.mark.engine
def test_its_gpu_is_compiled_for(installed: Path, tmp_path: Path) -> None:
    (tmp_path / "f.py").write_text(
        "import torch\ndef f(x):\n    return x.relu() * 2\n"
        "def example_inputs():\n    return (torch.randn(64, 64),)\n"
    )
    program, written = str(tmp_path / "f.py:f"), tmp_path / "made.loupe"
    command = ("capture", program, "--target", "half-h100", "-o", str(written))
    done = loupe(installed, *command, timeout=300)
    assert done.returncode == 0, done.stderr
    spec = read_session(written).captures[-1].spec
    assert (spec.device.id, spec.device.multi_processors) == ("half-h100", 60)
    refused = loupe(tmp_path / "nowhere", *command)
    assert refused.returncode == 2
    assert "'half-h100' is no GPU" in refused.stderr


@pytest.mark.thorough
def test_its_pane_shows_in_the_window(installed: Path, tmp_path: Path) -> None:
    checks = """
pane = shown("calls")
rows = [pane.item(number).text() for number in range(pane.count())]
assert "1 × torch.relu" in rows, rows
titles = [action.toolTip() for action in area.docks["calls"].toggleViewAction().associatedObjects()[0].actions()]
assert "How often the graph in front calls what" in titles
row = rows.index("1 × torch.relu")
pane.itemClicked.emit(pane.item(row))
pinned = session.selection.pinned
assert pinned.stage == sample_capture.DYNAMO and len(pinned.nodes) == 1, pinned
nodes = session.stage.graph.by_id()
assert nodes[pinned.nodes[0]].target == "torch.relu"
session.show_stage(sample_capture.POST_GRAD)
assert rows != [pane.item(number).text() for number in range(pane.count())]
"""
    in_window(installed, tmp_path, checks)


@pytest.fixture
def broken(tmp_path: Path) -> Path:
    """A package whose entry points are all wrong in some way, but for two that fail when they are used."""
    (tmp_path / "loupe_broken.py").write_text(BROKEN)
    folder = tmp_path / "loupe_broken-1.dist-info"
    folder.mkdir()
    (folder / "METADATA").write_text("Metadata-Version: 2.1\nName: loupe-broken\nVersion: 1\n")
    rows = (
        f"[{group}]\n" + "".join(f"{name} = loupe_broken:{name.removesuffix('_too')}\n" for name in names)
        for group, names in GROUPS.items()
    )
    (folder / "entry_points.txt").write_text("".join(rows))
    return tmp_path


def test_what_is_wrong_in_a_plug_in_is_reported_and_costs_itself_only(
    broken: Path, monkeypatch: pytest.MonkeyPatch, fresh: None
) -> None:
    monkeypatch.syspath_prepend(str(broken))
    found = transforms.found_transforms()
    assert found.rows[: len(TRANSFORMS)] == TRANSFORMS
    assert [row.id for row in found.rows[len(TRANSFORMS) :]] == ["theirs", "nothing"]
    reported = "\n".join(fault.what for fault in found.faults)
    assert len(found.faults) == 3
    assert all(f"plug-in {name} (" in reported for name in ("missing", "number", "taken"))
    by_id = {row.id: row for row in found.rows}
    with pytest.raises(EditError, match="plug-in good failed: ZeroDivisionError"):
        by_id["theirs"].make(DYNAMO, Graph(()), ())
    with pytest.raises(EditError, match="gave NoneType"):
        by_id["nothing"].make(DYNAMO, Graph(()), ())


def test_wrong_remedies_and_gpus_leave_ours(
    broken: Path, monkeypatch: pytest.MonkeyPatch, fresh: None
) -> None:
    capture = sample_capture()
    ours = remedies_for(capture, capture.breaks[0])
    assert remedies.remedy_faults() == ()
    for kind in (remedies.found_rules, targets.found_targets, entry_points._entry_points):
        kind.cache_clear()
    monkeypatch.syspath_prepend(str(broken))
    assert remedies_for(capture, capture.breaks[0]) == ours
    loaded, *failed = (fault.what for fault in remedies.remedy_faults())
    assert (
        loaded
        == "The plug-in number_too (loupe_broken:number) could not be loaded: TypeError: 7 is no torch_loupe.RemedyRule."
    )
    assert failed == [
        "The plug-in raises failed: ZeroDivisionError: division by zero.",
        "The plug-in words failed: TypeError: 'a word' is no torch_loupe.Remedy.",
    ]
    assert targets.named_target("h100") == TARGETS["h100"]
    with pytest.raises(
        ValueError, match=r"'h999' is no GPU.*plug-in absent .*plug-in h100 .*there is another 'h100'"
    ):
        targets.named_target("h999")


@pytest.mark.thorough
def test_a_pane_that_fails_is_reported_in_its_place(broken: Path, tmp_path: Path) -> None:
    checks = """
for name, why in (("gone", "No module named 'loupe_not_there'"), ("calls_number", "no QWidget")):
    pane = shown(name)
    assert isinstance(pane, QLabel) and why in pane.text(), pane
    assert any(why in problem.what for problem in session.problems)
from app.window.pane_table import BROUGHT
assert ["plug-in graph (" in fault.what for fault in BROUGHT.faults] == [True]
assert [row.id for row in PANES].count("graph") == 1
assert area.panes["graph"].isVisible()
"""
    in_window(broken, tmp_path / "settings", checks)


def test_a_plug_in_that_ends_the_process_or_prints_costs_itself_only(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, fresh: None, capsys: pytest.CaptureFixture[str]
) -> None:
    """Standard output is ours: it may be JSON."""
    name = "loupe_that_ends"
    (tmp_path / f"{name}.py").write_text(
        "import sys\nprint('hello')\nfrom torch_loupe import GpuTarget, Transform\n"
        "ends = Transform('ends', 'Ends', '', lambda stage, graph, nodes: sys.exit('bye'), '')\n"
        "five = Transform(5, 'Five', '', ends.make, '')\n"
        "none = GpuTarget('none', 'Of nothing', 9, 0, 0, 1, 1.0, 1, 1, 1)\n"
    )
    (tmp_path / f"{name}_at_once.py").write_text("raise SystemExit('needs more')\n")
    folder = tmp_path / f"{name}-1.dist-info"
    folder.mkdir()
    (folder / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1\n")
    (folder / "entry_points.txt").write_text(
        f"[{transforms.GROUP}]\nat_once = {name}_at_once:x\nends = {name}:ends\nfive = {name}:five\n"
        f"[{targets.GROUP}]\nnone = {name}:none\n"
    )
    monkeypatch.syspath_prepend(str(tmp_path))
    found = transforms.found_transforms()
    reported = "\n".join(fault.what for fault in found.faults)
    assert "it calls sys.exit('needs more')" in reported
    assert "its id is 5" in reported
    ends = next(row for row in found.rows if row.id == "ends")
    with pytest.raises(EditError, match=r"plug-in ends failed: .*sys\.exit\('bye'\)"):
        ends.make(DYNAMO, Graph(()), ())
    (fault,) = targets.found_targets().faults
    assert "its multi_processors is 0, which no GPU has" in fault.what
    assert capsys.readouterr().out == ""
