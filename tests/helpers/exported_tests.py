"""What we export, run by pytest: in a process of its own that has torch loaded, or in one that is started as users' are."""

import os
import sys
from pathlib import Path

from compiler.command_line import worker_client
from compiler.processes.fork_server import ChildOrder
from tests.helpers.finished_process import ran

_OPTIONS = ("-q", "-p", "no:cacheprovider", "-p", "no:xdist")
_OURS = ("torch_loupe", "compiler", "app")
_LONGEST_S = 300


def run_exported(folder: Path, *more: str, fresh: bool = False) -> str:
    """What it prints; fails where a test does, and where a file imports something of ours, which is loaded where it is forked."""
    for file in folder.glob("*.py"):
        imports = [line.split()[:2] for line in file.read_text().splitlines()]
        assert not [words for words in imports if words[:1] in (["import"], ["from"]) and words[1].split(".")[0] in _OURS]  # fmt: skip
    environment = {key: value for key, value in os.environ.items() if key != "PYTHONPATH"}
    if fresh:
        command = [sys.executable, "-m", "pytest", *_OPTIONS, *more]
        done = ran(command, folder, environment)
        status, printed = done.returncode, done.stdout
    else:
        process = worker_client.spawn(ChildOrder("pytest", (*_OPTIONS, *more), environment, folder=folder))
        assert process.stdout is not None
        with process.stdout as output:
            printed = output.read()
        status = process.wait(_LONGEST_S)
    assert status == 0, printed[-4000:]
    return printed
