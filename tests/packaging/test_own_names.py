"""Our modules' names as the wheel spells them."""

from pathlib import Path

import pytest

from tests.helpers.module_from_file import module_from

ROOT = Path(__file__).resolve().parents[2]


own_names = module_from(ROOT / ".make" / "own_names.py")
KNOWN = frozenset({"app", "app.panes.graph", "compiler", "compiler.worker", "resources"})


@pytest.mark.parametrize(
    ("line", "wanted"),
    [
        ("from compiler.worker import x", "from torch_loupe.compiler.worker import x"),
        ("if 1:\n    from   app import main", "if 1:\n    from   torch_loupe.app import main"),
        (
            "from app.panes import (\n    a,\n    b,\n)",
            "from torch_loupe.app.panes import (\n    a,\n    b,\n)",
        ),
        ("import compiler", "from torch_loupe import compiler"),
        ("import compiler.worker as w", "from torch_loupe.compiler import worker as w"),
        ("run('-m', 'compiler.worker')", "run('-m', 'torch_loupe.compiler.worker')"),
        (
            "é = 'é'; pane = ('ü', \"app.panes.graph:Pane\")",
            "é = 'é'; pane = ('ü', \"torch_loupe.app.panes.graph:Pane\")",
        ),
        ("from torch.compiler import disable", "from torch.compiler import disable"),
        ("import application, compilers", "import application, compilers"),
        ("from . import compiler", "from . import compiler"),
        ("x = 'compiler'; y = 'compiler/worker'; z = 'compiler.unknown'",) * 2,
        ('"""See `compiler.worker`."""',) * 2,
        ("text = 'import compiler'",) * 2,
    ],
)
def test_names_of_ours_are_renamed_and_nothing_else(line: str, wanted: str) -> None:
    assert own_names.renamed(line, KNOWN) == wanted


@pytest.mark.parametrize(
    "line",
    [
        "import compiler.worker",
        "import os, compiler",
        "from \\\n  compiler import worker",
        "x = 'compiler.' 'worker'",
        "kind = 'a'; x = f'compiler.worker.{kind}'",
    ],
)
def test_what_cannot_be_renamed_for_certain_is_refused(line: str) -> None:
    with pytest.raises(own_names.CannotRenameError, match=r"here\.py:1"):
        own_names.renamed(line, KNOWN, "here.py")


@pytest.mark.thorough
def test_every_file_of_ours_can_be_renamed_and_keeps_its_lines() -> None:
    known = own_names.module_names(ROOT)
    assert {"app.main", "compiler.worker", "compiler.worker.serving"} <= known
    for name in ("app", "compiler", "torch_loupe"):
        for path in (ROOT / name).rglob("*.py"):
            text = path.read_text(encoding="utf-8")
            assert own_names.renamed(text, known, str(path)).count("\n") == text.count("\n")
