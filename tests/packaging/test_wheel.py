"""The wheel in an environment of its own, where nothing of this checkout is found."""

import json
import os
import sys
import sysconfig
import tarfile
import time
import zipfile
from pathlib import Path

import pytest

from tests.helpers.finished_process import ran

pytestmark = pytest.mark.worker

ROOT = Path(__file__).resolve().parents[2]

ALL_MODULES = """
import importlib, pkgutil, sys, torch_loupe
from torch_loupe.app.window.pane_table import PANES
for row in PANES:
    module, _, name = row.source.partition(":")
    assert hasattr(importlib.import_module(module), name), row
for found in pkgutil.walk_packages(torch_loupe.__path__, "torch_loupe."):
    if not found.name.endswith("__main__") and ".resources." not in found.name:
        importlib.import_module(found.name)
strays = sorted(name for name in sys.modules if name.partition(".")[0] in ("app", "compiler", "resources"))
assert not strays, strays
path = importlib.import_module("torch_loupe.compiler.installation").python_path("theirs")
assert path == "theirs", path  # ours is found anyway, and would bring `app` and `compiler` into the program's way
print(len([name for name in sys.modules if name.startswith("torch_loupe.")]))
"""

PROJECT = {
    "app/__init__.py": "",
    "app/layers.py": "import torch\n\n\nclass Layer(torch.nn.Linear):\n    pass\n",
    "compiler/__init__.py": "def scale(x):\n    return x * 3.25\n",
    "resources.py": "SIZE = 4\n",
    "script.py": (
        "import torch, torch_loupe, app.layers, compiler, model\n"
        "cap = torch_loupe.capture(model.Net(), *model.example_inputs())\n"
        "assert 'app.layers' in app.layers.Layer.__module__ and compiler.scale(1) == 3.25\n"
        "print(cap.follow('model.py:13'))\n"
    ),
    "model.py": (
        "import torch\nfrom app.layers import Layer\nfrom compiler import scale\nimport resources\n\n\n"
        "class Net(torch.nn.Module):\n    def __init__(self):\n        super().__init__()\n"
        "        self.layer = Layer(resources.SIZE, resources.SIZE)\n\n"
        "    def forward(self, x):\n        return scale(self.layer(x))\n\n\n"
        "def example_inputs():\n    return (torch.ones(2, resources.SIZE),)\n"
    ),
}
"""A user's project whose packages have the names that ours have in the repository."""


class Installed:
    """The environment."""

    def __init__(self, folder: Path, wheel: Path) -> None:
        self.folder = folder
        _run([sys.executable, "-m", "venv", "--without-pip", str(folder)])
        self.packages = next(folder.glob("lib/python*/site-packages"))
        install = ["install", "-q", "--no-deps", "--no-index", "--no-compile", str(wheel)]
        _run([sys.executable, "-m", "pip", "--python", str(folder / "bin" / "python"), *install])
        self.at_top_level = {path.name for path in self.packages.iterdir()}
        # torch and Qt are not installed again; files ending in .pth there, this checkout's too, are not followed
        (self.packages / "dependencies.pth").write_text(sysconfig.get_paths()["purelib"])

    def run(self, program: str, *arguments: str, cwd: Path) -> str:
        """What a program of the environment prints."""
        return _run([str(self.folder / "bin" / program), *arguments], cwd)


def _run(command: list[str], cwd: Path | None = None) -> str:
    environment = {key: value for key, value in os.environ.items() if key != "PYTHONPATH"}
    environment["QT_QPA_PLATFORM"] = "offscreen"
    done = ran(command, cwd, environment, timeout=300)
    assert done.returncode == 0, f"{command}\n{done.stdout[-4000:]}\n{done.stderr[-8000:]}"
    return done.stdout


def _built(folder: Path, *kinds: str) -> Path:
    _run([sys.executable, "-m", "build", "--no-isolation", *kinds, "--outdir", str(folder), str(ROOT)])
    (wheel,) = folder.glob("*.whl")
    return wheel


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Installed:
    wheel = _built(tmp_path_factory.mktemp("dist"), "--wheel")
    return Installed(tmp_path_factory.mktemp("clean") / "venv", wheel)


@pytest.mark.thorough
def test_a_source_distribution_holds_what_a_wheel_is_built_of(installed: Installed, tmp_path: Path) -> None:
    """And the wheel that is built of it, without this checkout, is the one that is built here."""
    wheel = _built(tmp_path)
    (source,) = tmp_path.glob("*.tar.gz")
    with tarfile.open(source) as archive:
        names = {name.partition("/")[2] for name in archive.getnames()}
    with zipfile.ZipFile(wheel) as built:
        modules = {name for name in built.namelist() if name.endswith(".py")}
    there = installed.packages
    assert modules == {path.relative_to(there).as_posix() for path in (there / "torch_loupe").rglob("*.py")}
    assert {".make/wheel_backend.py", "pyproject.toml", "app/main.py", "resources/icons/loupe.svg"} <= names
    assert not [name for name in names if name.startswith((".venv", "out/")) or "__pycache__" in name]


def test_one_package_is_installed(installed: Installed) -> None:
    assert {name for name in installed.at_top_level if not name.endswith(".dist-info")} == {
        "torch_loupe",
        "torch_loupe.pth",  # waits for torch where LOUPE is set
    }
    package = installed.packages / "torch_loupe"
    there = [path for path in (ROOT / "resources").rglob("*") if path.is_file() and path.suffix != ".pyc"]
    assert not [path for path in there if not (package / path.relative_to(ROOT)).is_file()]
    assert (package / "py.typed").is_file()
    (metadata,) = installed.packages.glob("*.dist-info/METADATA")
    assert "Requires-Dist: torch<2.16,>=2.11" in metadata.read_text()


@pytest.mark.thorough
def test_every_module_is_found_below_the_one_package(installed: Installed, tmp_path: Path) -> None:
    assert int(installed.run("python", "-c", ALL_MODULES, cwd=tmp_path)) > 800


def test_an_example_is_captured_and_shown(installed: Installed, tmp_path: Path) -> None:
    example = installed.packages / "torch_loupe" / "resources" / "examples" / "mlp.py"
    target = f"{example}:MLP"
    installed.run("loupe", "capture", target, "--backend", "eager", "-o", "mlp.loupe", cwd=tmp_path)
    source = json.loads(
        installed.run("loupe", "show", "mlp.loupe", f"source:{example}", "--json", cwd=tmp_path)
    )
    assert source["content"]["file"]["standing"] == "mine"  # though it lies among installed packages
    assert "relu" in source["content"]["file"]["text"]


@pytest.mark.thorough
def test_an_example_is_compiled_and_drawn(installed: Installed, tmp_path: Path) -> None:
    example = installed.packages / "torch_loupe" / "resources" / "examples" / "mlp.py"
    installed.run("loupe", "capture", f"{example}:MLP", "-o", "mlp.loupe", cwd=tmp_path)
    assert "relu" in installed.run("loupe", "show", "mlp.loupe", "0/0:dynamo", cwd=tmp_path)
    installed.run("loupe", "picture", "mlp.loupe", "-o", "pictures", cwd=tmp_path)
    assert (tmp_path / "pictures" / "window.png").stat().st_size > 20_000


@pytest.mark.thorough
def test_a_program_is_recorded_where_a_variable_says_so(installed: Installed, tmp_path: Path) -> None:
    (tmp_path / "app.py").write_text("NAME = 'theirs'\n")
    (tmp_path / "script.py").write_text(
        "import app, torch\nf = torch.compile(lambda x: x.sin() + 1, backend='eager')\n"
        "print(app.NAME, float(f(torch.zeros(1))))\n"
    )
    python = str(installed.folder / "bin" / "env-with-loupe")
    Path(python).write_text(f'#!/bin/sh\nLOUPE=run.loupe exec {installed.folder}/bin/python "$@"\n')
    Path(python).chmod(0o755)
    assert installed.run("env-with-loupe", "script.py", cwd=tmp_path) == "theirs 1.0\n"
    for _ in range(100):  # what listens writes it when the program is gone
        if (tmp_path / "run.loupe").exists():
            break
        time.sleep(0.1)
    assert "sin" in installed.run("loupe", "show", "run.loupe", "0/0:dynamo", cwd=tmp_path)
    installed.run("loupe", "run", "-o", "again.loupe", "script.py", cwd=tmp_path)
    assert "sin" in installed.run("loupe", "show", "again.loupe", "0/0:dynamo", cwd=tmp_path)


@pytest.mark.thorough
def test_a_project_may_call_its_packages_as_ours_are_called(installed: Installed, tmp_path: Path) -> None:
    for name, text in PROJECT.items():
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text)
    installed.run("loupe", "capture", "model.py:Net", "-o", "net.loupe", cwd=tmp_path)
    shown = installed.run("loupe", "show", "net.loupe", cwd=tmp_path)
    assert f"source:{tmp_path / 'compiler' / '__init__.py'}" in shown
    assert ":kernels: " in installed.run("python", "script.py", cwd=tmp_path)
    assert "3.25" in installed.run("loupe", "show", "net.loupe", "0/0:dynamo", cwd=tmp_path)
