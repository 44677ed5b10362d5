"""Loaded by every Python of a recorded run, children and workers too (`__main__` puts a .pth file in place): each line of ours is
noted once a test and process.

By ``sys.monitoring``, which costs nothing where a line was noted already; so Python 3.12 or newer.
"""

import os
import sys
import types
from typing import Any

FOLDER, ROOT, TEST = "LOUPE_REACH", "LOUPE_REACH_ROOT", "LOUPE_REACH_TEST"
_TOOL = 4
_MONITORING: Any = vars(sys).get("monitoring")


class Recorder:
    """Writes ``@TEST`` and then ``PATH:LINE`` rows into a file for each process."""

    def __init__(self, folder: str, root: str) -> None:
        self._folder = folder
        self._root = f"{root}/"
        self._ours = tuple(f"{root}/{name}/" for name in ("app", "compiler"))
        self._process = 0
        self._file = -1
        self._test = ""

    def start(self) -> None:
        """From now on, and in what is forked."""
        _MONITORING.use_tool_id(_TOOL, "reach")
        _MONITORING.register_callback(_TOOL, _MONITORING.events.PY_START, self._begun)
        _MONITORING.register_callback(_TOOL, _MONITORING.events.LINE, self._line)
        _MONITORING.set_events(_TOOL, _MONITORING.events.PY_START)
        os.register_at_fork(after_in_child=_MONITORING.restart_events)

    def _begun(self, code: types.CodeType, _offset: int) -> Any:
        if code.co_filename.startswith(self._ours):
            _MONITORING.set_local_events(_TOOL, code, _MONITORING.events.LINE)
        return _MONITORING.DISABLE

    def _line(self, code: types.CodeType, line: int) -> Any:
        test = os.environ.get(TEST, "")
        if self._process != os.getpid():
            self._process, self._test = os.getpid(), ""
            name = f"{self._folder}/{self._process}-{os.urandom(3).hex()}.lines"
            self._file = os.open(name, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
        row = f"{code.co_filename.removeprefix(self._root)}:{line}\n"
        if test != self._test:
            self._test = test
            row = f"@{test}\n{row}"
        try:
            os.write(self._file, row.encode())
        except OSError:
            self._process = 0  # the program closed files that it did not open
        return _MONITORING.DISABLE


def start() -> None:
    """Where a run is recorded; else nothing."""
    folder, root = os.environ.get(FOLDER), os.environ.get(ROOT)
    # twice where an environment lists its folder of packages twice
    if folder and root and _MONITORING is not None and _MONITORING.get_tool(_TOOL) is None:
        Recorder(folder, root).start()
