"""What is loaded in a fresh interpreter, which static checks of imports cannot see."""

import functools
import sys
from pathlib import Path

import pytest

from tests.helpers.finished_process import ran

ROOT = Path(__file__).resolve().parents[2]


@functools.cache
def modules_loaded_by(statement: str) -> frozenset[str]:
    """Names of all modules after a statement, top-level names included."""
    code = f"{statement}\nimport sys\nprint('\\n'.join(sys.modules))"
    result = ran([sys.executable, "-c", code], ROOT, timeout=120, check=True)
    return frozenset(result.stdout.split())


@pytest.mark.parametrize("name", ["torch", "pyqtgraph", "networkx", "compiler.engine", "compiler.worker"])
def test_the_window_loads_nothing_slow_or_forbidden(name: str) -> None:
    assert name not in modules_loaded_by("import app.main")


@pytest.mark.parametrize("name", ["torch", "compiler.engine"])
def test_no_pane_loads_torch(name: str) -> None:
    statement = (
        "from app.window.pane_table import PANES\n"
        "from importlib import import_module\n"
        "for row in PANES: import_module(row.source.partition(':')[0])"
    )
    assert name not in modules_loaded_by(statement)


def test_the_commands_load_neither_qt_nor_torch() -> None:
    loaded = modules_loaded_by("import app.__main__; import compiler.command_line.main")
    assert not {"torch", "PySide6", "shiboken6"} & loaded


def test_headless_runs_load_no_qt_until_pictures() -> None:
    assert "PySide6" not in modules_loaded_by("import app.headless_run")


@pytest.mark.thorough
@pytest.mark.worker
def test_the_worker_loads_no_qt() -> None:
    loaded = modules_loaded_by("import compiler.worker.serving")
    assert not {"PySide6", "shiboken6", "app"} & loaded


def test_the_worker_imports_nothing_of_ours_late() -> None:
    """Once the engine is loaded our modules leave ``sys.modules``: a second import would make other classes."""
    late = [
        f"{path.relative_to(ROOT)}:{number}"
        for folder in ("engine", "model", "worker")
        for path in sorted((ROOT / "compiler" / folder).rglob("*.py"))
        if path.name != "__main__.py" and path.parent.name != "child"  # these come before it
        for number, line in enumerate(path.read_text(encoding="utf-8").split("\n"), 1)
        if line.lstrip().startswith(("from compiler", "import compiler")) and line != line.lstrip()
    ]
    assert not late
