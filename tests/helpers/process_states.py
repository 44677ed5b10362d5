"""What the processes below one are at, for the message of a test that waited too long."""

from pathlib import Path


def processes_below(pid: int) -> list[str]:
    """Of each: id, parent, group, state (T: stopped), where its main thread waits in the kernel, command line. Empty without
    ``/proc``.
    """
    return [line for child in _children(pid) for line in (_reported(child), *processes_below(child))]


def _children(pid: int) -> list[int]:
    lists = Path(f"/proc/{pid}/task").glob("*/children")
    return sorted({int(child) for text in map(_read, lists) for child in text.split()})


def _reported(pid: int) -> str:
    fields = _read(Path(f"/proc/{pid}/stat")).rpartition(")")[2].split()
    if len(fields) < 3:
        return f"{pid} gone"
    command = _read(Path(f"/proc/{pid}/cmdline")).replace("\0", " ").strip()
    state, parent, group = fields[:3]
    threads = len(list(Path(f"/proc/{pid}/task").glob("*")))
    waits = _read(Path(f"/proc/{pid}/wchan"))
    return f"{pid} of {parent} in group {group}: {state}, {threads} threads, at {waits}: {command[-120:]}"


def _read(path: Path) -> str:
    try:
        return path.read_text()
    except OSError:  # it ended meanwhile
        return ""
