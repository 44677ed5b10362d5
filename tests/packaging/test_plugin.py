"""The plug-in that is shipped as an example, installed as a package; and plug-ins that are wrong."""

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from compiler.analysis.session_file.session_file import SessionData, write_session
from compiler.analysis.transforms import TRANSFORMS, plugins
from compiler.model.edits.edits import EditError
from compiler.model.ir.graph import Graph
from tests.helpers.sample_capture import DYNAMO
from tests.helpers.sample_capture import capture as sample_capture

ROOT = Path(__file__).resolve().parents[2]
EXAMPLE = ROOT / "resources" / "plugin_example"

BROKEN = """
from torch_loupe import Transform
good = Transform("theirs", "Theirs", "Fails when it is used.", lambda stage, graph, nodes: 1 / 0, "")
nothing = Transform("nothing", "Nothing", "Gives nothing.", lambda stage, graph, nodes: None, "")
taken = Transform("dead_code", "Taken", "Is called as one of ours.", good.make, "")
number = 7
"""


@pytest.fixture
def fresh() -> Iterator[None]:
    plugins.found_transforms.cache_clear()
    yield
    plugins.found_transforms.cache_clear()
    sys.modules.pop("loupe_broken", None)


def loupe(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(folder), str(ROOT)])}
    command = [sys.executable, "-m", "torch_loupe", "transform", *arguments]
    return subprocess.run(command, env=environment, capture_output=True, text=True, check=False, timeout=120)


def _in_the_menu(folder: Path) -> None:
    code = (
        "import sys\nfrom app.actions.transform_actions import ROWS\n"
        "assert 'transform.relus_to_silus' in [row.id for row in ROWS]\n"
        "assert not {'torch', 'networkx', 'compiler.command_line'} & set(sys.modules)\n"
    )
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(folder), str(ROOT)])}
    subprocess.run([sys.executable, "-c", code], check=True, env=environment, timeout=120)


def test_the_example_is_installed_listed_and_used(tmp_path: Path) -> None:
    installed, session = tmp_path / "installed", tmp_path / "sample.loupe"
    pip = [sys.executable, "-m", "pip", "install", "-q", "--no-deps", "--no-index", "--no-build-isolation"]
    source = tmp_path / "source"
    source.mkdir()
    for path in EXAMPLE.iterdir():  # pip builds in the folder
        if path.is_file():
            (source / path.name).write_text(path.read_text())
    subprocess.run([*pip, "--target", str(installed), str(source)], check=True, timeout=120)
    write_session(session, SessionData((sample_capture(),)))
    assert "relus_to_silus" in loupe(installed, str(session)).stdout
    done = loupe(installed, str(session), "relus_to_silus", "--stage", DYNAMO)
    assert "torch.nn.functional.silu" in done.stdout, done.stderr
    _in_the_menu(installed)
    assert "relus_to_silus" not in loupe(tmp_path / "nowhere", str(session)).stdout


def test_what_is_wrong_in_a_plug_in_is_told_and_costs_itself_only(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, fresh: None
) -> None:
    names = ("good", "missing", "nothing", "number", "taken")
    (tmp_path / "loupe_broken.py").write_text(BROKEN)
    folder = tmp_path / "loupe_broken-1.dist-info"
    folder.mkdir()
    (folder / "METADATA").write_text("Metadata-Version: 2.1\nName: loupe-broken\nVersion: 1\n")
    rows = "".join(f"{name} = loupe_broken:{name}\n" for name in names)
    (folder / "entry_points.txt").write_text(f"[{plugins.GROUP}]\n{rows}")
    monkeypatch.syspath_prepend(str(tmp_path))
    found = plugins.found_transforms()
    assert found.rows[: len(TRANSFORMS)] == TRANSFORMS
    assert [row.id for row in found.rows[len(TRANSFORMS) :]] == ["theirs", "nothing"]
    told = "\n".join(fault.what for fault in found.faults)
    assert len(found.faults) == 3
    assert all(f"plug-in {name} (" in told for name in ("missing", "number", "taken"))
    by_id = {row.id: row for row in found.rows}
    with pytest.raises(EditError, match="plug-in good failed: ZeroDivisionError"):
        by_id["theirs"].make(DYNAMO, Graph(()), ())
    with pytest.raises(EditError, match="gave NoneType"):
        by_id["nothing"].make(DYNAMO, Graph(()), ())
