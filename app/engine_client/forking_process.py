"""The process that the workers of this window are forked from: it has loaded torch once and runs no program."""

import contextlib
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from compiler.processes import fork_server
from compiler.processes.first_environment import without_secrets
from compiler.processes.fork_server import ChildOrder, ForkServer, Ordered
from compiler.processes.guardian import guarded
from compiler.processes.private_folder import PrivateFolder
from compiler.processes.started import stop, worker_environment

SOCKET = "engine-{:04d}"
"""How the sockets of workers are called: paths of one length, for a forked worker writes its own over that of this process."""
_STARTS = [sys.executable, "-P", "-m"]
_READ_LATER = ("LOUPE_", "XDG_", "TMPDIR")
"""Variables that nothing looks at while it is loaded."""
_END_S = 5.0


class ForkingProcess:
    """Started with the first worker that is ordered; ended by `close`. A worker that it cannot give is started as any process."""

    def __init__(self) -> None:
        self._process: subprocess.Popen[bytes] | None = None
        self._server: ForkServer | None = None
        self._environment: dict[str, str] = {}
        self._closed = not fork_server.possible()
        self.has_forked = False
        """Whether it gave one already: it has loaded torch, and gives the next one at once."""
        self._more = self._still = False
        self._expected: set[object] = set()

    @property
    def id(self) -> int:
        """Its number; 0 before it runs."""
        return self._process.pid if self._process is not None else 0

    def order(self, command: Sequence[str], place: Path, reads: int) -> Ordered | None:
        """A worker with this command, which works beside its socket, `place`, and reads from `reads`; None where it must be
        started otherwise.
        """
        if list(command[:3]) != _STARTS or command[3] != "compiler.worker":
            return None
        environment = worker_environment(os.environ, str(place))
        self.stand_still(still=False)
        server = self.server()
        if server is None or _at_start(environment) != self._environment:
            return None
        with contextlib.suppress(OSError):
            wanted = ChildOrder(
                command[3], command[4:], environment, reads=reads, folder=place.parent, session=True
            )
            return server.order(wanted)
        self.close()
        return None

    def server(self) -> ForkServer | None:
        """Where workers are ordered, started if it was not; None where none can be forked."""
        if self._server is None and not self._closed:
            self._start()
        return self._server

    def load_more(self) -> None:
        """Let it load what captures need, once, before the workers that are ordered from now on: 5 s of processor time."""
        if self._server is not None and not self._more:
            self._more = True
            with contextlib.suppress(OSError):
                self._server.load_more()

    def stand_still(self, still: bool) -> None:
        """Whether it makes way for somebody's work, while nobody waits for a worker."""
        if self._process is None or still == self._still or (still and self._expected):
            return
        if still and not guarded(str(self._socket)).exists():
            return  # stopped now, it would outlive a window that is killed
        with contextlib.suppress(OSError):
            if not still:
                os.killpg(self._process.pid, signal.SIGCONT)
            elif not stop(self._process.pid, group=True):
                return
        self._still = still

    def expect(self, worker: object) -> None:
        """Somebody waits for this one, which was ordered, or to hear of its end."""
        self._expected.add(worker)
        self.stand_still(still=False)

    def expect_no_more(self, worker: object) -> None:
        """Nobody waits for it."""
        self._expected.discard(worker)

    def close(self) -> None:
        """End it. What was forked from it ends with it."""
        self._closed = True
        if self._server is not None:
            self._server.close()
            self._server = None
        process, self._process = self._process, None
        if process is not None:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            process.wait(_END_S)
            assert process.stdin is not None
            process.stdin.close()
            self._private.remove()

    def _start(self) -> None:
        ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self._private = PrivateFolder()
        self._socket = self._private.path / SOCKET.format(0)
        environment = worker_environment(os.environ, str(self._socket))
        self._environment = _at_start(environment)
        words = ["compiler.worker", "--forks", str(theirs.fileno()), "--socket", str(self._socket)]
        try:
            self._process = subprocess.Popen(
                [*_STARTS, *words],
                stdin=subprocess.PIPE,  # held: its guardian hears when we are gone
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                pass_fds=(theirs.fileno(),),
                env=environment,
                cwd=self._private.path,
                start_new_session=True,
            )
        except OSError:
            ours.close()
            self._private.remove()
            self._closed = True
        else:
            self._server = ForkServer(ours)
        finally:
            theirs.close()


def _at_start(environment: Mapping[str, str]) -> dict[str, str]:
    """What Python and libraries read of it when they are loaded, which a fork cannot read again."""
    kept = without_secrets(dict(environment))
    return {name: value for name, value in kept.items() if not name.startswith(_READ_LATER)}
