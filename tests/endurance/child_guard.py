"""What a process that reads strangers' files must not do, and how much it may take: told as faults, never trusted."""

import os
import resource
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from compiler.analysis.session_file.trusted_files import data_folder

_ROOT = str(Path(__file__).resolve().parents[2])
_LIBRARY = tuple({_ROOT, os.path.dirname(os.__file__), *(path for path in sys.path if path), "<frozen"})
_NEVER = (
    "subprocess.", "os.system", "os.exec", "os.fork", "os.posix_spawn", "os.spawn", "socket.", "pickle.", "ctypes.",
    "compile", "os.remove", "os.rename", "os.mkdir", "os.rmdir", "os.symlink", "os.link", "os.chmod", "shutil.", "webbrowser.",
)  # fmt: skip
_OWN_MODULES = ("compiler", "app", "tests", "msgspec", "PySide6", "re2", "shiboken6")
_WRITES = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC


class Watched:
    """Hears every audit event of this process; between `armed` and its end, what is forbidden is noted."""

    def __init__(self, readable: Path) -> None:
        self.reported: list[str] = []
        self._readable = (str(readable), str(data_folder()), *_LIBRARY)
        self._armed = False
        sys.addaudithook(self._hear)

    @contextmanager
    def armed(self) -> Iterator[None]:
        """While a stranger's file is read."""
        self._armed = True
        try:
            yield
        finally:
            self._armed = False

    def _hear(self, event: str, arguments: tuple[object, ...]) -> None:
        if not self._armed:
            return
        self._armed = False
        try:
            if self._is_forbidden(event, arguments):
                self.reported.append(f"{event} {str(arguments)[:200]}")
        finally:
            self._armed = True

    def _is_forbidden(self, event: str, arguments: tuple[object, ...]) -> bool:
        if event.startswith(_NEVER):
            return True
        if event == "exec":
            return not str(getattr(arguments[0], "co_filename", "")).startswith(_LIBRARY)
        if event == "import":
            top = str(arguments[0]).partition(".")[0]
            return top not in sys.stdlib_module_names and top not in _OWN_MODULES
        if event == "open":
            path, _mode, flags = arguments
            if isinstance(flags, int) and flags & _WRITES:
                return True
            return isinstance(path, str | bytes | os.PathLike) and not os.fsdecode(path).startswith(
                self._readable
            )
        return False


def limit_memory(room: int) -> None:
    """From here on the process may take so many bytes of address space more."""
    taken = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
    resource.setrlimit(resource.RLIMIT_AS, (taken + room, taken + room))


def peak_mb() -> float:
    """The most memory that this process had so far."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
