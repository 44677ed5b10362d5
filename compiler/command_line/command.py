"""What a command is: one row, from which parser, help, completion and the reference page follow."""

import argparse
from collections.abc import Callable
from dataclasses import dataclass

from compiler.command_line.one_line_parser import OneLineParser
from compiler.model.protocol.messages import EventBody

ReportProgress = Callable[[EventBody], None]
AddArguments = Callable[[argparse.ArgumentParser], None]


@dataclass(frozen=True)
class Command:
    """``loupe NAME``."""

    name: str
    summary: str
    """One line for the list of commands; the reference page begins with it."""
    run: Callable[[argparse.Namespace, ReportProgress], int]
    """Gives the exit status. Raises CommandFailedError (1), ValueError and NotTrustedError (2)."""
    arguments: tuple[AddArguments, ...] = ()
    """Its own arguments first, then those it shares with others."""
    about: str = ""
    """What the reference page says beyond the summary."""
    examples: tuple[tuple[str, str], ...] = ()
    """Calls worth a row of their own on the reference page: what follows ``loupe``, and what it does."""
    takes_program: bool = False
    """What follows its options is another program with arguments of its own."""

    def separated(self, words: list[str]) -> list[str]:
        """The words after the command's name with ``--`` before the other program, whose options are none of ours."""
        parser = new_parser(self.name, self.arguments)
        known = parser._option_string_actions  # noqa: SLF001  argparse has no other way to ask
        place = 0
        while place < len(words) and (option := words[place].partition("=")[0]) in known:
            takes_next = known[option].nargs is None and "=" not in words[place]
            place += 2 if takes_next else 1
        if words[place : place + 1] == ["--"]:
            return words
        return [*words[:place], "--", *words[place:]] if place < len(words) else words


def new_parser(name: str, arguments: tuple[AddArguments, ...]) -> OneLineParser:
    """A parser of this command alone."""
    parser = OneLineParser(prog=f"loupe {name}".rstrip())
    for add in arguments:
        add(parser)
    return parser


def build_parser(commands: tuple[Command, ...]) -> OneLineParser:
    """One parser for all; ``command`` is the row that was named, ``commands`` are all of them."""
    parser = OneLineParser(prog="loupe", description="Explore and edit the PyTorch 2 compile pipeline.")
    parser.set_defaults(commands=commands)
    rows = parser.add_subparsers(required=True, metavar="COMMAND")
    for command in commands:
        own = rows.add_parser(
            command.name, help=command.summary, description=command.about or command.summary
        )
        for add in command.arguments:
            add(own)
        own.set_defaults(command=command, parser=own)
    return parser
