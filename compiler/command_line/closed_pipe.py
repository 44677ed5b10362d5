"""``loupe show FILE | head``: who reads us may leave early. That is no error of ours, and nothing is said about it.
``loupe show FILE > full-disk``: that is reported, in one message.
"""

import contextlib
import errno
import os
import select
import signal
import sys
from collections.abc import Callable

READER_GONE = 128 + int(getattr(signal, "SIGPIPE", 13))
"""Exit status that a shell gives a program that SIGPIPE ended, as ``git log | head`` does."""
_NOT_WRITTEN = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO)


def until_reader_leaves(work: Callable[[], int]) -> int:
    """What `work` gives, with all of its output written; `READER_GONE` if nobody reads that any more."""
    try:
        status = work()
        for stream in (sys.stdout, sys.stderr):
            if stream is not None:
                stream.flush()
    except BrokenPipeError:
        # a worker's socket breaks with the same error, and that is to be reported
        left = [number for number in (1, 2) if _is_left(number)]
        if not left:
            raise
        _drop(left)
        return READER_GONE
    except OSError as error:
        if error.filename is not None or error.errno not in _NOT_WRITTEN:
            raise
        with contextlib.suppress(OSError):
            sys.stderr.write(
                f"loupe: its output could not be written: {error.strerror}. Make room, or send it elsewhere.\n"
            )
            sys.stderr.flush()
        _drop([number for number in (1, 2) if not os.isatty(number)])
        return 1
    return status


def _is_left(number: int) -> bool:
    """Whether the other end of a descriptor's pipe is closed."""
    asked = select.poll()
    asked.register(number, 0)  # POLLERR and POLLHUP are reported without being asked for
    return any(reported & (select.POLLERR | select.POLLHUP) for _, reported in asked.poll(0))


def _drop(numbers: list[int]) -> None:
    """Send what is still buffered nowhere: the interpreter flushes once more when it ends."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    for number in numbers:
        os.dup2(nowhere, number)
    os.close(nowhere)
