"""Processes that begin with torch loaded: forked from a copy of the worker made before any program ran in it and before it
had threads. Starting Python and loading torch again takes seconds, so a copy starts a process in its stead.

Only on Linux, and only where there is no GPU: a driver that was asked anything does not survive a fork. Elsewhere, and
whenever the copy does not answer, a process is started as usual.
"""

import contextlib
import json
import os
import random
import runpy
import select
import signal
import socket
import subprocess
import sys
import traceback
import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO, NoReturn, Protocol

from compiler.processes import leaving
from compiler.processes.first_environment import remember_environment
from compiler.processes.loading_libraries import loading
from compiler.processes.started import FORKED, MARK, write_in_place

_LARGEST_ORDER, _MOST_DESCRIPTORS, LARGEST_REPLY = 1 << 20, 8, 64
_LOAD_MORE = b"load more"
_GPUS = ("/dev/nvidiactl", "/dev/kfd", "/dev/dxg")
_PASSED, _NAME = "@descriptor:", "python"
_NAME_SHOWN = Path("/proc/self/comm")


class ChildProcess(Protocol):
    """What is used of a `subprocess.Popen`."""

    pid: int
    stdout: IO[str] | None
    returncode: int | None

    def poll(self) -> int | None:
        """Its exit status, None while it runs."""

    def wait(self, timeout: float | None = None) -> int:
        """Its exit status, once it has ended. Raises subprocess.TimeoutExpired."""

    def send_signal(self, sig: int) -> None:
        """Send it a signal, unless it has ended."""

    def kill(self) -> None:
        """SIGKILL."""


def passed(position: int) -> str:
    """An argument that stands for the number of a descriptor that is handed over."""
    return f"{_PASSED}{position}"


@dataclass(frozen=True)
class ChildOrder:
    """One of our modules, to be run as the main one of a new process."""

    module: str
    arguments: Sequence[str]
    """Where one is `passed(n)`, it is given the number that ``descriptors[n]`` has there."""
    environment: Mapping[str, str]
    descriptors: Sequence[int] = ()
    reads: int | None = None
    """The descriptor that it reads from; nothing where there is none."""
    folder: Path | None = None
    """Where it works; where we do, if that is not said."""
    session: bool = False
    """Whether it leads a session of its own."""


@dataclass(frozen=True)
class Ordered:
    """A process that a fork server was asked for. `life` tells its number first, then its exit status, -N where signal N
    ended it, each a decimal; `output` is the reading end of what it prints.
    """

    life: socket.socket
    output: int


class ForkServer:
    """Where processes are ordered, at the client's end."""

    def __init__(self, orders: socket.socket) -> None:
        self._orders = orders

    def order(self, order: ChildOrder) -> Ordered:
        """As `spawn`, and does not wait. Raises OSError where nobody takes orders any more."""
        text = {
            "module": order.module,
            "arguments": order.arguments,
            "environment": dict(order.environment),
            "folder": str(order.folder or Path.cwd()),
            "reads": order.reads is not None,
            "session": order.session,
        }
        handed = [*([] if order.reads is None else [order.reads]), *order.descriptors]
        output, writes = os.pipe()
        life, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        try:
            socket.send_fds(self._orders, [json.dumps(text).encode()], [theirs.fileno(), writes, *handed])
        except BaseException:
            os.close(output)
            life.close()
            raise
        finally:
            theirs.close()
            os.close(writes)
        return Ordered(life, output)

    def load_more(self) -> None:
        """Let it load what it can for the processes that are ordered from now on. Raises OSError as `order`."""
        self._orders.send(_LOAD_MORE)

    def close(self) -> None:
        """No more orders: it ends."""
        self._orders.close()


_servers: list[ForkServer] = []


def possible() -> bool:
    """Whether processes can be forked here."""
    linux = sys.platform.startswith("linux") and hasattr(os, "pidfd_open")
    return linux and not any(Path(gpu).exists() for gpu in _GPUS)


def start(preload: Callable[[], object]) -> None:
    """Make the copy, which calls `preload` first. Call when torch is loaded, before any thread and before any program."""
    if not possible():
        return
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    own = _NAME_SHOWN.read_text(encoding="utf-8")
    # before it is there: a copy that has not run yet would be taken for one that the program made
    _NAME_SHOWN.write_text(FORKED)
    try:
        if _fork() == 0:
            ours.close()
            try:
                serve(theirs, preload)
            finally:
                leaving.leave_now(1)
    finally:
        _NAME_SHOWN.write_text(own.rstrip("\n"))
    theirs.close()
    _servers.append(ForkServer(ours))
    leaving.sever_in_forks(ours.fileno())


def stop() -> None:
    """Processes are started as usual from here on."""
    while _servers:
        _servers.pop().close()


def spawn(order: ChildOrder, fresh: bool = False, group: bool = False) -> ChildProcess:
    """Start the process, whose output is `stdout`. `fresh`: it shares nothing with the copy; only then can it lead a `group`
    of its own.
    """
    if _servers and not fresh:
        with contextlib.suppress(OSError, EOFError):
            return _Forked(_servers[0].order(order))
        stop()
    numbers = [str(number) for number in order.descriptors]
    arguments = (_resolved(argument, numbers) for argument in order.arguments)
    return subprocess.Popen(
        [sys.executable, "-P", "-m", order.module, *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        stdin=subprocess.DEVNULL if order.reads is None else order.reads,
        text=True,
        errors="replace",
        pass_fds=tuple(order.descriptors),
        env=order.environment,
        cwd=order.folder,
        start_new_session=order.session,
        process_group=0 if group else None,
    )


class _Forked:
    """A process that the copy forked; its status comes through a socket of its own."""

    def __init__(self, ordered: Ordered) -> None:
        self.returncode: int | None = None
        self._life = ordered.life
        try:
            self.pid = int(self._life.recv(LARGEST_REPLY) or _no_answer())
        except BaseException:
            os.close(ordered.output)
            self._life.close()
            raise
        self.stdout: IO[str] | None = os.fdopen(ordered.output, encoding="utf-8", errors="replace")

    def poll(self) -> int | None:
        with contextlib.suppress(BlockingIOError):
            self._hear(0.0)
        return self.returncode

    def wait(self, timeout: float | None = None) -> int:
        try:
            return self._hear(timeout)
        except TimeoutError:
            raise subprocess.TimeoutExpired([], timeout or 0.0) from None

    def send_signal(self, sig: int) -> None:
        if self.poll() is None:  # else its number may be another's by now
            with contextlib.suppress(ProcessLookupError):
                os.kill(self.pid, sig)

    def kill(self) -> None:
        self.send_signal(signal.SIGKILL)

    def _hear(self, timeout: float | None) -> int:
        if self.returncode is None:
            self._life.settimeout(timeout)
            try:
                reported = self._life.recv(LARGEST_REPLY)
            except ConnectionError:
                reported = b""
            self.returncode = int(reported) if reported else -int(signal.SIGKILL)
            self._life.close()
        return self.returncode


def _no_answer() -> NoReturn:
    raise EOFError


def serve(
    orders: socket.socket, preload: Callable[[], object], load_more: Callable[[], object] | None = None
) -> NoReturn:
    """Fork for each order until nobody can give any more; tell each one's end to who ordered it. `load_more` is called when
    a client asks for it.
    """
    _NAME_SHOWN.write_text(FORKED)
    nothing = os.open(os.devnull, os.O_RDWR)
    for number in (0, 1, 2):  # whoever reads the worker's output waits for its end, not for ours
        os.dup2(nothing, number)
    os.close(nothing)
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)
    signal.signal(signal.SIGCONT, _go_on)
    with loading():  # or the first collection of each child would copy every page
        preload()
    children = _Children(orders)
    while True:
        for descriptor in children.ready():
            if descriptor != orders.fileno():
                children.bury(descriptor)
                continue
            order, descriptors, _, _ = socket.recv_fds(orders, _LARGEST_ORDER, _MOST_DESCRIPTORS)
            if not order:
                leaving.leave_now(0)
            if order != _LOAD_MORE:
                children.bear(order, descriptors)
            elif load_more is not None:
                with loading():
                    load_more()


class _Children:
    """What was forked for orders and has not ended."""

    def __init__(self, orders: socket.socket) -> None:
        self._orders = orders
        self._poll = select.poll()
        self._poll.register(orders, select.POLLIN)
        self._living: dict[int, tuple[int, socket.socket]] = {}
        """By a descriptor of each, its number and whom its end is told to."""

    def ready(self) -> list[int]:
        """The descriptors of those that ended, and of the orders; waits for one."""
        return [descriptor for descriptor, _ in self._poll.poll()]

    def bear(self, order: bytes, descriptors: list[int]) -> None:
        """Fork one for this order. Its number is told when it left our group, so that what stops us stops no child of ours."""
        left, leaves = os.pipe()
        process = _fork()
        life = socket.socket(fileno=descriptors[0])
        if process == 0:
            life.close()
            for other, (_, sender) in self._living.items():
                os.close(other)
                sender.close()
            self._orders.close()
            os.close(left)
            _become(json.loads(order), descriptors[1:], leaves)
        os.close(leaves)
        os.read(left, 1)
        os.close(left)
        for number in descriptors[1:]:
            os.close(number)
        watched = os.pidfd_open(process)
        self._living[watched] = process, life
        self._poll.register(watched, select.POLLIN)
        with contextlib.suppress(OSError):
            life.send(str(process).encode())

    def bury(self, descriptor: int) -> None:
        """Tell how one ended."""
        process, life = self._living.pop(descriptor)
        self._poll.unregister(descriptor)
        os.close(descriptor)
        ended = os.waitstatus_to_exitcode(os.waitpid(process, 0)[1])
        with contextlib.suppress(OSError):
            life.send(str(ended).encode())
        life.close()


def _go_on(_number: int, _frame: object) -> None:
    """A handler, though there is nothing to do. Of signals that a group gets while one of it forks, Linux gives the child a
    SIGSTOP, and forgets a SIGCONT that nobody handles: it would stand still for ever.
    """


def _fork() -> int:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of numpy's idle threads, which look after themselves
        return os.fork()


def _become(order: dict[str, object], descriptors: list[int], leaves: int) -> NoReturn:
    """Be a process that has just started with this module as its main one."""
    status = 1
    try:
        _servers.clear()
        leaving.this_is_no_fork()
        for number in (1, 2):
            os.dup2(descriptors[0], number)
        os.close(descriptors.pop(0))
        if order["reads"]:
            os.dup2(descriptors[0], 0)
            os.close(descriptors.pop(0))
        if order["session"]:
            os.setsid()
            _NAME_SHOWN.write_text(_NAME)
        os.close(leaves)
        for asked in (signal.SIGTERM, signal.SIGHUP, signal.SIGCONT):
            signal.signal(asked, signal.SIG_DFL)
        signal.signal(signal.SIGINT, signal.default_int_handler)
        environment, arguments = order["environment"], order["arguments"]
        assert isinstance(environment, dict)
        assert isinstance(arguments, list)
        if MARK in environment:
            write_in_place(os.environ.get(MARK, ""), environment[MARK])
        os.environ.clear()
        os.environ.update(environment)
        remember_environment()
        os.chdir(str(order["folder"]))
        random.seed()  # as in every process that starts
        if numpy := sys.modules.get("numpy"):
            numpy.random.seed()
        numbers = [str(number) for number in descriptors]
        for number in descriptors:
            os.set_inheritable(number, True)
        sys.argv = [str(order["module"]), *(_resolved(argument, numbers) for argument in arguments)]
        runpy.run_module(str(order["module"]), run_name="__main__", alter_sys=True)
        status = 0
    except SystemExit as ended:
        status = ended.code if isinstance(ended.code, int) else int(ended.code is not None)
    except BaseException as error:  # noqa: BLE001  printed, as the interpreter does
        traceback.print_exception(error.with_traceback(error.__traceback__ and error.__traceback__.tb_next))
    finally:
        with contextlib.suppress(Exception):
            sys.stdout.flush()
            sys.stderr.flush()
        leaving.leave_now(status)


def _resolved(argument: str, numbers: Sequence[str]) -> str:
    return numbers[int(argument.removeprefix(_PASSED))] if argument.startswith(_PASSED) else argument
