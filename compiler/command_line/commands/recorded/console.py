"""Going on from a place where the program has stopped, by Enter on the terminal: there is no window."""

import os
import select
from typing import TextIO

from compiler.analysis.running.format_run import stop_sentence
from compiler.analysis.running.lanes import Lane
from compiler.analysis.running.listener import Listener
from compiler.analysis.text_format.visible_text import visible
from compiler.command_line.worker_client import CommandFailedError


class Console:
    """Says where a process waits, and lets it go on. Raises CommandFailedError where there is no terminal to ask on."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream
        self._reported: list[Lane] = []
        try:
            self._terminal = os.open("/dev/tty", os.O_RDONLY | os.O_NONBLOCK)
        except OSError as error:
            remedy = "Use --window, or start it on a terminal."
            raise CommandFailedError("--stop-at needs somebody to go on.", remedy) from error

    def attend(self, listener: Listener) -> None:
        """Look whether a process waits, and whether Enter was pressed."""
        waiting = [lane for lane in listener.lanes if lane.stopped is not None]
        for lane in waiting:
            if lane not in self._reported and lane.stopped is not None:
                self._reported.append(lane)
                text = visible(stop_sentence(lane.title, lane.stopped))
                self._stream.write(f"\nloupe: {text}\nloupe: Enter lets it go on ")
                self._stream.flush()
        self._reported = [lane for lane in self._reported if lane in waiting]
        if self._reported and select.select([self._terminal], [], [], 0)[0] and os.read(self._terminal, 4096):
            listener.go_on(self._reported.pop(0))
