"""A parser that says what is wrong with a call in one line, not below all that the command takes."""

import argparse
import difflib
import sys
from typing import NoReturn

_MISSING = "the following arguments are required: "
"""How argparse begins; what is missing follows by its names."""


class OneLineParser(argparse.ArgumentParser):
    """Exit status 2 and one line: what to add, or what is not taken."""

    def error(self, message: str) -> NoReturn:
        """Also where argparse calls it."""
        if message.startswith(_MISSING):
            message = f"add {' and '.join(map(self._spelled, message.removeprefix(_MISSING).split(', ')))}"
        self._leave(message)

    def parsed(self, words: list[str]) -> argparse.Namespace:
        """As `parse_args`, which says of a word that a command does not take that ``loupe`` does not."""
        arguments, unknown = self.parse_known_args(words)
        if unknown:
            getattr(arguments, "parser", self).refuse(unknown[0].partition("=")[0])
        return arguments

    def refuse(self, word: str) -> NoReturn:
        """A word that is none of the arguments."""
        known = [
            name
            for action in self._actions
            if action.help != argparse.SUPPRESS
            for name in action.option_strings
        ]
        near = difflib.get_close_matches(word, known, 1)
        self._leave(f"{word!r} is not taken{f'; did you mean {near[0]}?' if near else ''}")

    def _leave(self, message: str) -> NoReturn:
        end = "" if message.endswith((".", "?")) else "."
        sys.stderr.write(f"{self.prog}: {message}{end} All that it takes: {self.prog} --help\n")
        sys.exit(2)

    def _spelled(self, name: str) -> str:
        """``-o OUTPUT (the session file to write)``, of what argparse names ``-o/--output``."""
        for action in self._actions:
            names = "/".join(action.option_strings)
            if name in (names, action.metavar, action.dest):
                value = action.metavar if isinstance(action.metavar, str) else action.dest.upper()
                first = f"{action.option_strings[0]} {value}" if names else name
                about = action.help or ", ".join(map(str, action.choices or ()))
                return f"{first} ({about})" if about else first
        return name
