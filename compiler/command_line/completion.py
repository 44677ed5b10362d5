"""``loupe completion SHELL``: a script that completes commands and their options; files are completed everywhere."""

import argparse
import shlex
from collections.abc import Iterable, Mapping, Sequence

from compiler.command_line.command import Command, ReportProgress, new_parser

Option = tuple[tuple[str, ...], str, tuple[str, ...]]
"""Its spellings, its help, and the values it can have, if they are few."""


def completion(arguments: argparse.Namespace, _: ReportProgress) -> int:
    """Print the script."""
    print(script(arguments.shell, arguments.commands))
    return 0


def script(shell: str, commands: Sequence[Command]) -> str:
    """What the shell has to read."""
    rows = {command.name: _options(command) for command in commands}
    if shell == "fish":
        return "\n".join(_fish(commands, rows))
    text = _BASH.format(names=" ".join(rows), cases="\n".join(_cases(rows)))
    return f"autoload -U +X bashcompinit && bashcompinit\n{text}" if shell == "zsh" else text


def _options(command: Command) -> list[Option]:
    actions = new_parser(command.name, command.arguments)._actions  # noqa: SLF001  argparse has no public list
    return [
        (tuple(action.option_strings), action.help or "", tuple(map(str, action.choices or ())))
        for action in actions
        if action.option_strings or action.choices
    ]


_BASH = """\
_loupe() {{
    local word=${{COMP_WORDS[COMP_CWORD]}} before=${{COMP_WORDS[COMP_CWORD-1]}} words=
    if [ "$COMP_CWORD" = 1 ]; then
        words="{names}"
    else
        case "${{COMP_WORDS[1]}} $before" in
{cases}
        esac
    fi
    COMPREPLY=($(compgen -W "$words" -- "$word"))
    case $word in -*) ;; *) COMPREPLY+=($(compgen -f -- "$word")) ;; esac
}}
complete -o filenames -F _loupe loupe"""


def _cases(rows: Mapping[str, Sequence[Option]]) -> Iterable[str]:
    for name, options in rows.items():
        for spellings, _, values in options:
            if spellings and values:
                patterns = "|".join(f'"{name} {spelling}"' for spelling in spellings)
                yield f'            {patterns}) words="{" ".join(values)}" ;;'
        words = [word for spellings, _, values in options for word in (spellings or values)]
        yield f'            "{name} "*) words="{" ".join(words)}" ;;'


def _fish(commands: Sequence[Command], rows: Mapping[str, Sequence[Option]]) -> Iterable[str]:
    for command in commands:
        summary = shlex.quote(command.summary)
        yield f"complete -c loupe -n __fish_use_subcommand -a {command.name} -d {summary}"
        for spellings, about, values in rows[command.name]:
            flags = "".join(
                f" -l {word[2:]}" if word.startswith("--") else f" -s {word[1:]}" for word in spellings
            )
            chosen = f" -a {shlex.quote(' '.join(values))}" if values else ""
            reported = f" -d {shlex.quote(about % {'prog': 'loupe'})}" if spellings and about else ""
            yield f"complete -c loupe -n '__fish_seen_subcommand_from {command.name}'{flags}{chosen}{reported}"


def _add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("shell", choices=("bash", "zsh", "fish"))


COMMAND = Command(
    "completion",
    "a script with which your shell completes commands and options",
    completion,
    (_add_arguments,),
    'Such as `eval "$(loupe completion bash)"` in `~/.bashrc`.',
)
