"""The table of commands in ``resources/docs/command-line.md``: ``python .make/reference_page.py``."""

import sys
from collections.abc import Iterable, Sequence
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from app.__main__ import all_commands
from compiler.command_line.command import Command, new_parser
from compiler.command_line.commands.arguments import add_capture_options

PAGE = Path(__file__).resolve().parents[1] / "resources" / "docs" / "command-line.md"
BEGIN, END = "<!-- made from the table of commands -->\n", "<!-- end of the table -->\n"


def table(commands: Sequence[Command]) -> str:
    """Markdown: a row a command, and one for each example of it."""
    rows = (f"| `{usage}` | {about} |" for command in commands for usage, about in _rows(command))
    return "\n".join(("| command | what it does |", "|---|---|", *rows)) + "\n"


def _rows(command: Command) -> Iterable[tuple[str, str]]:
    shared = add_capture_options in command.arguments
    own = tuple(add for add in command.arguments if add is not add_capture_options)
    usage = new_parser(command.name, own).format_usage().removeprefix("usage: ").replace("[-h] ", "")
    options = " [how to compile]" if shared else ""
    yield (
        _cell(" ".join(usage.split()) + options),
        _cell(f"{command.summary}. {command.about}".strip(". ") + "."),
    )
    for call, about in command.examples:
        yield _cell(f"loupe {call}"), _cell(about)


def _cell(text: str) -> str:
    return text.replace("|", "\\|")


def renewed(page: str) -> str:
    """The page with the table as it is now."""
    before, _, rest = page.partition(BEGIN)
    return f"{before}{BEGIN}{table(all_commands())}{END}{rest.partition(END)[2]}"


if __name__ == "__main__":
    PAGE.write_text(renewed(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
