"""``torch.compile(model, backend="loupe")`` and ``%%loupe``."""

import json
import os
import sys
import textwrap
import tomllib
from pathlib import Path

import pytest

from compiler.analysis.session_file.session_file import read_session
from compiler.api.inline_graph import inline_graph
from compiler.installation import python_path
from compiler.model.capture.capture import Capture
from compiler.model.ir.stage import KernelStage, StageKind
from tests.helpers import sample_capture
from tests.helpers.finished_process import ran
from tests.helpers.transformer_graph import joint_stage

_ROOT = Path(__file__).resolve().parents[3]
pytestmark = pytest.mark.engine

_PROGRAM = """
import sys, torch
class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.a, self.b = torch.nn.Linear(8, 16), torch.nn.Linear(16, 4)
    def forward(self, x):
        return self.b(torch.relu(self.a(x)))
torch.manual_seed(0)
net = torch.compile(Net(), **eval(sys.argv[1]))
for _ in range(2):
    loss = net(torch.randn(4, 8)).square().mean()
    loss.backward()
    print(loss.item().hex())
"""


def _run(folder: Path, keywords: dict[str, object], *before: str, **more: str) -> tuple[str, Capture]:
    folder.mkdir()
    (folder / "train.py").write_text(_PROGRAM)
    _as_installed(folder)
    environment = {
        **os.environ,
        "PYTHONPATH": python_path(None),
        "TORCHINDUCTOR_CACHE_DIR": str(folder / "c"),
    }
    done = ran(
        [sys.executable, *before, "train.py", repr(keywords)],
        folder,
        environment | {"LOUPE_CACHE_DIR": str(folder / "cache")} | more,
        timeout=280,
    )
    assert done.returncode == 0, done.stderr
    (path,) = folder.glob("*.loupe")
    return done.stdout, read_session(path).captures[0]


def _as_installed(folder: Path) -> None:
    """Beside the program what an installation writes of pyproject.toml, for environments that only have our tree."""
    rows = tomllib.loads((_ROOT / "pyproject.toml").read_text())["project"]["entry-points"]
    made = folder / "loupe_entry-0.dist-info"
    made.mkdir()
    (made / "METADATA").write_text("Metadata-Version: 2.1\nName: loupe-entry\nVersion: 0\n")
    lines = [
        line
        for group, names in rows.items()
        for line in (f"[{group}]", *(f"{k} = {v}" for k, v in names.items()))
    ]
    (made / "entry_points.txt").write_text("\n".join(lines))


def _kernels(capture: Capture) -> list[str]:
    kernels = (stage.content.kernels for stage in capture.stages if isinstance(stage.content, KernelStage))
    return [kernel.source for group in kernels for kernel in group.kernels]


@pytest.mark.thorough
def test_the_backend_gives_what_inductor_gives_and_records_it(tmp_path: Path) -> None:
    words = ("-P", "-m", "torch_loupe", "run", "--no-window", "-o", "run.loupe")
    plain, expected = _run(tmp_path / "plain", {}, *words)
    reported, capture = _run(tmp_path / "backend", {"backend": "loupe"})
    assert reported == plain
    assert _kernels(capture) == _kernels(expected)
    assert len(capture.stages) == len(expected.stages)
    assert [row.calls for row in capture.run.calls] == [2]
    assert [row.backward_calls for row in capture.run.calls] == [2]


@pytest.mark.thorough
def test_the_backend_hands_on_to_another_with_the_options(tmp_path: Path) -> None:
    keywords = {"backend": "loupe", "options": {"backend": "aot_eager"}}
    reported, capture = _run(tmp_path / "other", keywords, LOUPE="own.loupe")
    assert len(reported.splitlines()) == 2
    assert not _kernels(capture)
    assert capture.of_kind(StageKind.DYNAMO_GRAPH)
    assert (tmp_path / "other" / "own.loupe").exists()


@pytest.mark.thorough
def test_a_cell_is_run_and_what_it_compiled_is_shown(tmp_path: Path) -> None:
    """In a real IPython shell."""
    program = """
    import json, sys
    from IPython.core.interactiveshell import InteractiveShell
    shell = InteractiveShell.instance()
    shell.run_line_magic("load_ext", "torch_loupe")
    cell = '''
    import torch
    @torch.compile(backend="aot_eager")
    def f(x):
        y = x.relu()
        print("<b>break</b>")
        return y + 1
    result = f(torch.ones(3))
    '''
    import textwrap
    shown = shell.run_cell_magic("loupe", "-o cell.loupe", textwrap.dedent(cell))
    failed = shell.run_cell_magic("loupe", "", "1 / 0")
    print(json.dumps([str(shown), shown._repr_html_(), shell.user_ns["result"].tolist(), failed]))
    """
    done = ran(
        [sys.executable, "-c", textwrap.dedent(program)],
        tmp_path,
        {**os.environ, "PYTHONPATH": python_path(None), "IPYTHONDIR": str(tmp_path / "ipython")},
        timeout=280,
    )
    assert done.returncode == 0, done.stderr
    text, page, result, failed = json.loads(done.stdout.splitlines()[-1])
    assert result == [2, 2, 2]
    assert failed is None
    assert "ZeroDivisionError" in done.stdout
    assert "2 compiles" in text
    assert "graph break" in text
    assert "<svg" in page
    assert "<b>" not in page
    frames = read_session(tmp_path / "cell.loupe").captures[0].frames
    assert [frame.id for frame in frames if frame.seconds] == ["0/0", "1/0"]


def test_a_picture_of_a_graph_names_every_node_and_no_markup_of_the_programs() -> None:
    stage = sample_capture.capture().stage(sample_capture.DYNAMO)
    picture = inline_graph(stage)
    assert picture.count("<rect") == len(stage.graph.nodes)
    large = inline_graph(joint_stage(400))
    assert large.count("<rect") == 80
    assert "more nodes" in large
