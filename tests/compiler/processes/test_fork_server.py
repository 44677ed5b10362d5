"""Processes forked from a copy that has loaded what they need: as if started again, but at once."""

import os
import sys
from pathlib import Path

import pytest

from compiler.processes import fork_server
from tests.helpers.finished_process import ran

pytestmark = pytest.mark.skipif(
    not fork_server.possible(), reason="such processes are forked on Linux, without a GPU"
)

_CHILD = """
import os, sys, preloaded
from compiler.processes import leaving
print(*sys.argv[1:3], os.environ["MINE"], os.getcwd(), __name__, leaving.is_fork())
print("preloaded by", "itself" if preloaded.WHO == os.getpid() else "another")
os.write(int(sys.argv[3]), b"through the descriptor")
if sys.argv[1] == "dies":
    os.kill(os.getpid(), 9)
if sys.argv[1] == "raises":
    raise ValueError("mine")
sys.exit(int(sys.argv[2]))
"""
_WORKER = """
import os, random, sys
sys.path.insert(0, os.getcwd())
from compiler.processes import fork_server
def preload():
    import preloaded
if sys.argv[1] == "forked":
    fork_server.start(preload)
random.seed(1)
def run(*arguments):
    out, into = os.pipe()
    order = fork_server.ChildOrder("child", (*arguments, fork_server.passed(0)), {**os.environ, "MINE": "here"}, (into,))
    child = fork_server.spawn(order)
    printed = child.stdout.read()
    os.close(into)
    print(child.wait(), child.poll(), os.read(out, 100).decode(), printed, sep="|")
    os.close(out)
run("ends", "0")
run("ends", "3")
run("dies", "0")
run("raises", "0")
if sys.argv[2] == "lost":
    os.kill(int(open(f"/proc/self/task/{os.getpid()}/children").read().split()[0]), 9)
    run("ends", "0")
"""


def _lines(folder: Path, *arguments: str) -> str:
    (folder / "child.py").write_text(_CHILD)
    (folder / "preloaded.py").write_text("import os\nWHO = os.getpid()\n")
    (folder / "worker.py").write_text(_WORKER)
    path = os.pathsep.join([str(Path(__file__).parents[3]), str(folder)])
    done = ran(
        [sys.executable, "worker.py", *arguments], folder, {**os.environ, "PYTHONPATH": path}, timeout=60
    )
    assert done.returncode == 0, done.stderr
    return "".join(line for line in done.stdout.splitlines(True) if not line.startswith("  "))  # no frames


def test_a_forked_process_is_as_one_that_was_started(tmp_path: Path) -> None:
    forked = _lines(tmp_path, "forked", "kept")
    assert forked.count("preloaded by another") == 4
    assert forked.replace("by another", "by itself") == _lines(tmp_path, "started", "kept")
    assert "0|0|through the descriptor|ends 0 here" in forked
    assert "3|3|through" in forked
    assert "-9|-9|through" in forked
    assert "1|1|through" in forked
    assert "ValueError: mine" in forked


def test_without_the_copy_a_process_is_started_as_usual(tmp_path: Path) -> None:
    printed = _lines(tmp_path, "forked", "lost")
    assert printed.count("preloaded by another") == 4
    assert printed.count("preloaded by itself") == 1
