"""The way out of a process that nobody can bar, and what a fork of ours must not do."""

import os
from collections.abc import Callable
from typing import NoReturn

# Taken before the program can replace them, as it may any function of `os`.
leave_now: Callable[[int], NoReturn] = os._exit
_process_id = os.getpid
_dup2 = os.dup2
_open = os.open
_close = os.close
_US = os.getpid()


def is_fork() -> bool:
    """Whether this is a copy of our process, made by a program that called `os.fork`."""
    return _process_id() != _US


def this_is_no_fork() -> None:
    """A copy that we made ourselves begins a life of its own."""
    global _US
    _US = _process_id()


def end_forks() -> None:
    """End here if this is a copy: it came back from the program into our code, and would do our work a second time."""
    if is_fork():
        leave_now(0)


def sever_in_forks(*descriptors: int) -> None:
    """Copies of our process do not hold these open, or who listens at the other end would never hear that we ended."""

    def sever() -> None:
        nothing = _open(os.devnull, os.O_RDWR)
        for descriptor in descriptors:
            _dup2(nothing, descriptor, inheritable=False)  # closed, its number would soon be another file's
        _close(nothing)

    if hasattr(os, "register_at_fork"):
        os.register_at_fork(after_in_child=sever)
