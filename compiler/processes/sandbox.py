"""A process that runs code out of a file gives up what that code has no business with: writing files outside of one folder,
reading any that is not Python's, the system's or ours, connections, other processes' memory, more than its share of memory and time. For good, also for what it starts.

Linux only, without root and within containers: Landlock for files (5.13), seccomp for the rest. What is missing is reported.
"""

import ctypes
import os
import platform
import resource
import struct
import sys
from collections.abc import Sequence
from pathlib import Path

import msgspec

from compiler.processes.readable_places import readable_places

_CREATE_RULESET, _ADD_RULE, _RESTRICT_SELF = 444, 445, 446
_VERSION_FLAG, _PATH_BENEATH = 1, 1
_SET_NO_NEW_PRIVS, _SET_SECCOMP, _FILTER = 38, 22, 2
_EXECUTE, _READ_FILE, _READ_FOLDER = 1, 1 << 2, 1 << 3
_WRITE, _MAKE_AND_REMOVE, _REFER, _TRUNCATE, _IOCTL = 1 << 1, 0b1_1111_1111 << 4, 1 << 13, 1 << 14, 1 << 15
_CONNECT_AND_BIND, _SIGNALS_AND_ABSTRACT_SOCKETS = 3, 3
_GIB = 1 << 30
_LEAST_MEMORY, _MOST_MEMORY, _LARGEST_FILE = 12 * _GIB, 32 * _GIB, 4 * _GIB

_ALLOW, _REFUSE = 0x7FFF0000, 0x00050000 | 1  # EPERM
_LOAD, _EQUAL, _AT_LEAST, _RETURN = 0x20, 0x15, 0x35, 0x06
_NUMBER, _MACHINE, _FIRST_ARGUMENT = 0, 4, 16
_FOREIGN = 0x40000000
"""From here on the numbers are of another calling convention."""
_MACHINES = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}
_REFUSED_CALLS = (
    # (x86-64, ARM). Connections and other processes' memory: socket, ptrace, process_vm_readv and _writev, io_uring_setup, bpf,
    # perf_event_open, userfaultfd, pidfd_getfd
    (41, 198), (101, 117), (310, 270), (311, 271), (425, 425), (321, 280), (298, 241), (323, 282), (438, 438),
    # What Landlock does not govern. Who may read a file, and when it changed: chmod, fchmod, fchmodat, fchmodat2, chown, fchown,
    # lchown, fchownat, (l, f, -at) setxattr and removexattr, utime, utimes, futimesat, utimensat, file_setattr
    (90, 0), (91, 52), (268, 53), (452, 452), (92, 0), (93, 55), (94, 0), (260, 54), (188, 5), (189, 6), (190, 7), (463, 463),
    (197, 14), (198, 15), (199, 16), (466, 466), (132, 0), (235, 0), (261, 0), (280, 88), (469, 469),
    # Keys: add_key, request_key, keyctl
    (248, 217), (249, 218), (250, 219),
    # Shared memory and messages: shmget, shmat, shmctl, semget, semop, semctl, semtimedop, msgget, msgsnd, msgrcv, msgctl, mq_open,
    # mq_unlink
    (29, 194), (30, 196), (31, 195), (64, 190), (65, 193), (66, 191), (220, 192), (68, 186), (69, 189), (70, 188), (71, 187),
    (240, 180), (241, 181),
    # Other processes' pace: setpriority, ioprio_set, sched_setparam, _setscheduler, _setaffinity, _setattr
    (141, 140), (251, 30), (142, 118), (144, 119), (203, 122), (314, 274),
    # What is done in folders: inotify_init, inotify_init1, inotify_add_watch, fanotify_init
    (253, 0), (294, 26), (254, 27), (300, 262),
    # Leaving the group that is ended: setpgid, setsid
    (109, 154), (112, 157),
)  # fmt: skip
_LIMITS_OF = (302, 261)
"""prlimit64: asked of itself (0) it is what reads and sets a process's own limits."""


class Sandbox(msgspec.Struct, frozen=True):
    """What holds for a process, and what does not."""

    missing: tuple[str, ...] = ()
    """In words; empty where everything holds."""

    @property
    def text(self) -> str:
        """One sentence."""
        if not self.missing:
            return (
                "code of kernels runs without network, reads only what Python, its packages and the system's libraries are, "
                "and writes only into a folder that is removed"
            )
        return f"this system cannot keep code of kernels from {' and from '.join(self.missing)}"


_FILES, _NETWORK, _MEMORY = "reading and writing your files", "opening connections", "taking all memory"


def offered() -> Sandbox:
    """What this system offers, without entering anything."""
    missing = () if _landlock_version() > 0 else (_FILES,)
    seccomp = Path("/proc/sys/kernel/seccomp/actions_avail").exists() and platform.machine() in _MACHINES
    return Sandbox((*missing, *(() if seccomp else (_NETWORK,))))


def enter(folder: Path, seconds: int, ours: Sequence[Path], listed: Path) -> Sandbox:
    """Write into `folder` only from now on, read there, in `ours` and in
    `readable_places`, see the names of files below `listed`, and take at most so many seconds of processor time. Before any thread is made.
    """
    missing = [] if _limit(seconds) else [_MEMORY]
    if sys.platform == "linux":
        _library().prctl(_SET_NO_NEW_PRIVS, 1, 0, 0, 0)
    missing += [] if _keep_to(folder, ours, listed) else [_FILES]
    missing += [] if _refuse_calls() else [_NETWORK]
    return Sandbox(tuple(missing))


def _library() -> ctypes.CDLL:
    return ctypes.CDLL(None, use_errno=True)


def memory_limit() -> int:
    """Bytes of address space: the machine's memory, within bounds."""
    try:
        here = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    except (ValueError, OSError):
        here = 0
    return min(max(here, _LEAST_MEMORY), _MOST_MEMORY)


def _limit(seconds: int) -> bool:
    wanted = (
        (resource.RLIMIT_AS, memory_limit()),
        (resource.RLIMIT_CPU, seconds),
        (resource.RLIMIT_FSIZE, _LARGEST_FILE),
        (resource.RLIMIT_CORE, 0),
    )
    try:
        for kind, most in wanted:
            hard = resource.getrlimit(kind)[1]
            most = most if hard == resource.RLIM_INFINITY else min(most, hard)
            resource.setrlimit(kind, (most, most))
    except (ValueError, OSError):
        return False
    return True


def _landlock_version() -> int:
    if sys.platform != "linux" or platform.machine() not in _MACHINES:
        return 0
    return int(_library().syscall(_CREATE_RULESET, None, ctypes.c_size_t(0), _VERSION_FLAG))


def _keep_to(folder: Path, ours: Sequence[Path], listed: Path) -> bool:
    version = _landlock_version()
    if version <= 0:
        return False
    call = _library().syscall
    newer = (_REFER, 2), (_TRUNCATE, 3), (_IOCTL, 5)
    reading = _EXECUTE | _READ_FILE | _READ_FOLDER
    files = reading | _WRITE | _MAKE_AND_REMOVE | sum(right for right, since in newer if version >= since)
    rules = struct.pack("<Q", files)
    rules += struct.pack("<Q", _CONNECT_AND_BIND) if version >= 4 else b""
    rules += struct.pack("<Q", _SIGNALS_AND_ABSTRACT_SOCKETS) if version >= 6 else b""
    handle = call(_CREATE_RULESET, rules, ctypes.c_size_t(len(rules)), 0)
    if handle < 0:
        return False
    of_a_file = files & (_EXECUTE | _READ_FILE | _WRITE | _TRUNCATE | _IOCTL)
    rules_of = [(folder, files), (Path(os.devnull), of_a_file)]
    rules_of += [(path, reading) for path in (*readable_places(), *ours)]
    rules_of.append((listed, _READ_FOLDER))
    try:
        for path, wanted in rules_of:
            rights = wanted if path.is_dir() else wanted & of_a_file
            place = os.open(path, os.O_PATH | os.O_CLOEXEC)
            try:
                if call(_ADD_RULE, handle, _PATH_BENEATH, struct.pack("<Qi", rights, place), 0) != 0:
                    return False
            finally:
                os.close(place)
        return int(call(_RESTRICT_SELF, handle, 0)) == 0
    finally:
        os.close(handle)


def _refuse_calls() -> bool:
    if sys.platform != "linux" or platform.machine() not in _MACHINES:
        return False
    machine, column = _MACHINES[platform.machine()], list(_MACHINES).index(platform.machine())
    numbers = [row[column] for row in _REFUSED_CALLS if row[column]]
    refuse_at = len(numbers) + 8
    program = [(_LOAD, 0, 0, _MACHINE), (_EQUAL, 0, refuse_at - 2, machine), (_LOAD, 0, 0, _NUMBER)]
    program.append((_AT_LEAST, refuse_at - 4, 0, _FOREIGN))
    program += [(_EQUAL, refuse_at - 5 - place, 0, number) for place, number in enumerate(numbers)]
    program += [(_EQUAL, 0, 2, _LIMITS_OF[column]), (_LOAD, 0, 0, _FIRST_ARGUMENT), (_EQUAL, 0, 1, 0)]
    program += [(_RETURN, 0, 0, _ALLOW), (_RETURN, 0, 0, _REFUSE)]
    code = ctypes.create_string_buffer(b"".join(struct.pack("<HBBI", *row) for row in program))
    header = struct.pack("@HxxxxxxP", len(program), ctypes.addressof(code))
    return int(_library().prctl(_SET_SECCOMP, _FILTER, header, 0, 0)) == 0
