"""``torch_loupe.show``: the window on a capture, in a process of its own."""

import importlib.util
import os
import subprocess
import sys
import tempfile
from pathlib import Path

from compiler.api.errors import LoupeError
from compiler.api.session import Capture
from compiler.installation import python_path

_DISPLAYS = ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM")


def show(shown: Capture | str | Path) -> "subprocess.Popen[bytes]":
    """Open the window on a capture or a ``.loupe`` file; gives its process at once. Raises LoupeError without a display or Qt.

    What is edited there stays there; save it in the window and `open` the file.
    """
    if sys.platform.startswith("linux") and not any(os.environ.get(name) for name in _DISPLAYS):
        raise LoupeError("There is no display to show a window on.", "Print the capture, or save it.")
    if importlib.util.find_spec("PySide6") is None:  # its own message would be lost, and the file left behind
        raise LoupeError("The window needs PySide6.", "Install it with: pip install PySide6-Essentials")
    command = [sys.executable, "-P", "-m", "torch_loupe"]
    if isinstance(shown, Capture):
        path = shown.save(Path(tempfile.mkdtemp(prefix="loupe-show-")) / "capture.loupe")
        command.append("--once")
    else:
        path = Path(shown)
    command.append(str(path.absolute()))
    environment = {**os.environ, "PYTHONPATH": python_path(os.environ.get("PYTHONPATH"))}
    return subprocess.Popen(command, env=environment, stdin=subprocess.DEVNULL, start_new_session=True)
