"""The command ``loupe``: the window, or one of the commands that need none."""

import argparse
import ctypes
import difflib
import importlib.util
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from compiler.analysis.batch.batch_folder import LIST, batch_folder
from compiler.analysis.tours.tour import FIRST_LANGUAGE, LANGUAGES, Tour
from compiler.analysis.tours.tour_file import TourError, as_text, find_tour, find_tours
from compiler.command_line import closed_pipe
from compiler.command_line.plain_streams import plain_streams
from compiler.model.capture.capture_spec import CaptureSpec
from compiler.model.capture.config_inputs import is_config
from compiler.processes import loading_libraries

if TYPE_CHECKING:
    from compiler.command_line.command import Command, ReportProgress

_USAGE_ERROR = 2
_DESCRIPTION = """\
Explore and edit every stage of the PyTorch 2 compile pipeline.

  loupe                        open the window
  loupe model.py:Name          open the window and capture a program
  loupe model.py               open the window and ask what of it to capture
  loupe session.loupe          open the window with a session file
  loupe trace_dir              open the window with the logs that TORCH_TRACE wrote
  loupe batch_dir              open the window with the table of a batch

Without a window:
"""
_MISSING_SYSTEM_LIBRARIES = """\
The window cannot be shown: {error}
On Debian or Ubuntu, install what Qt needs:
  sudo apt install libegl1 libgl1 libxkbcommon0 libdbus-1-3 libfontconfig1 libxcb-cursor0 libxcb-icccm4 \
libxcb-keysyms1 libxcb-shape0 libxkbcommon-x11-0
The commands that need no window work without: loupe capture --help"""
_MISSING_PYSIDE = """\
The window cannot be shown: PySide6 is not installed ({error}).
Install it with: pip install PySide6-Essentials
The commands that need no window work without: loupe capture --help"""


def main(argv: Sequence[str] | None = None) -> int:
    """Do what the command line says; gives the exit status: 0 well, 1 failed, 2 wrong usage."""
    loading_libraries.do_not_raise()
    words = list(sys.argv[1:] if argv is None else argv)
    with plain_streams():
        return closed_pipe.until_reader_leaves(lambda: _run(words))


def _run(words: list[str]) -> int:
    try:
        if words and words[0] in {command.name for command in all_commands()}:
            return _command(words)
        return _wrong(reported) if words and (reported := _no_command(words)) else _window(words)
    except ImportError as error:
        return _explain(error)


def _no_command(words: list[str]) -> str:
    """What to say where the first word can only be meant as a command and is none; empty where it can be what to open."""
    word = words[0]
    if not word or word.startswith("-") or any(mark in word for mark in ":./\\") or Path(word).exists():
        return ""
    near = difflib.get_close_matches(word, [command.name for command in all_commands()], 1)
    meant = f" Did you mean {near[0]}?" if near else ""
    return (
        f"{word!r} is neither a command, a .loupe file nor a program; write file.py:Name, package.module:Name or config.json. "
        f"loupe --help lists the commands.{meant}"
    )


def _window(words: list[str]) -> int:
    if words:
        return _window_of(words)
    return _without_display(None) if _no_display() else _show(None, None)


def _window_of(words: list[str]) -> int:
    from compiler.command_line.commands import arguments
    from compiler.command_line.one_line_parser import OneLineParser

    parser = OneLineParser(
        prog="loupe", description=_description(), formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "target", nargs="?", metavar="TARGET|FILE.loupe", help="a program or a session file to open"
    )
    arguments.add_capture_options(parser)
    parser.add_argument("--follow", default="", help=argparse.SUPPRESS)  # given by loupe run
    # given by torch_loupe.show: the file is in a folder of its own, and both are removed when it is read
    parser.add_argument("--once", action="store_true", help=argparse.SUPPRESS)
    try:
        options = parser.parsed(words)
        spec = arguments.spec_from(options) if options.target is not None else None
    except SystemExit as done:
        return int(done.code or 0)
    except ValueError as error:
        return _wrong(str(error))
    what: str | None = options.target
    if what is None or _is_file(what):
        if what is not None and not Path(what).exists():
            return _wrong(f"{what} is not there. Check the name.")
        if _no_display():
            return _without_display(what)
    elif ":" not in what and not what.endswith(".pt2") and not is_config(what):
        if words != [what] or not _can_be_asked_about(what):
            return _wrong(
                f"{what!r} is neither a .loupe file nor a program; write file.py:Name, package.module:Name or config.json."
            )
        return _show(Path(what), None)
    elif _no_display():
        from app import headless_run

        return headless_run.run(what, words)
    if what is not None and _is_file(what):
        return _show(Path(what), None, once=options.once)
    return _show(None, spec, options.follow)


def _can_be_asked_about(what: str) -> bool:
    """Whether it is a Python file, and the window can ask what of it is to be captured."""
    return what.endswith(".py") and Path(what).is_file() and not _no_display()


def _show(
    opened: Path | None,
    spec: CaptureSpec | None,
    follow: str = "",
    once: bool = False,
    tour: Tour | None = None,
) -> int:
    if library := _missing_library():
        raise ImportError(library)
    with loading_libraries.loading():
        from app import main as window_main

    return window_main.run_window(opened, spec, follow, once, tour)


def _without_display(what: str | None) -> int:
    if what is not None and batch_folder(Path(what)) is not None:
        return _wrong(
            "There is no display to show a window on. The batch's table is table.html, and table.csv."
        )
    if what is not None and _is_log(what):
        return _command(["open", what])
    return _wrong("There is no display to show a window on. Use loupe capture, show, edit or time.")


def _is_file(what: str) -> bool:
    """Whether it is opened, not captured: a session, a batch, or logs of torch's."""
    return what.endswith(".loupe") or Path(what).name == LIST or _is_log(what)


def _is_log(what: str) -> bool:
    return what.endswith((".log", ".log.gz")) or Path(what).is_dir()


def _description() -> str:
    rows = [f"  loupe {command.name:<22} {command.summary}" for command in all_commands()]
    return "\n".join((_DESCRIPTION, *rows, "", "See loupe COMMAND --help."))


def _picture(options: argparse.Namespace, _: "ReportProgress") -> int:
    if not options.file.is_file():
        return _wrong(f"{options.file} is not there. Check the name.")
    if _no_display():
        os.environ["QT_QPA_PLATFORM"] = "offscreen"
    from app import pictures

    return pictures.write_pictures(options.file, options.out, dark=options.dark)


def _add_picture(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", type=Path, metavar="FILE.loupe")
    parser.add_argument("-o", "--out", type=Path, default=Path("pictures"), metavar="DIR")
    parser.add_argument("--dark", action="store_true", help="the dark theme")


def _tour(options: argparse.Namespace, _: "ReportProgress") -> int:
    try:
        if options.name is None:
            for tour in find_tours():
                print(f"{tour.name:<10} {tour.title.text(options.language)}")
            print("\nloupe tour NAME opens the window and begins; so does loupe tour FILE.toml.")
            return 0
        tour = find_tour(options.name)
    except TourError as error:
        return _wrong(str(error))
    if not options.print and not _no_display():
        return _show(None, None, tour=tour)
    print(as_text(tour, options.language))
    return 0


def _add_tour(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("name", nargs="?", metavar="NAME|FILE.toml", help="without one, the list of tours")
    parser.add_argument("--language", choices=tuple(LANGUAGES), default=FIRST_LANGUAGE)
    parser.add_argument("--print", action="store_true", help="print its steps; so it is without a display")


def _own_commands() -> tuple["Command", ...]:
    from compiler.command_line.command import Command

    return (
        Command("picture", "a PNG of each pane of the real window", _picture, (_add_picture,)),
        Command("tour", "walk through the window, step by step", _tour, (_add_tour,)),
    )


def all_commands() -> tuple["Command", ...]:
    """Qt is never imported for the first ones. They are loaded when they are asked for: the window needs none of them."""
    from compiler.command_line.command_table import COMMANDS

    return (*COMMANDS, *_own_commands())


def _command(words: list[str]) -> int:
    from compiler.command_line import main as main_of_commands

    return main_of_commands.main(words, _own_commands())


def _no_display() -> bool:
    names = ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM")
    return sys.platform.startswith("linux") and not any(os.environ.get(name) for name in names)


def _missing_library() -> str:
    """Why the X11 plugin of Qt cannot be loaded, or empty. Qt itself would abort with a riddle."""
    if not sys.platform.startswith("linux") or not os.environ.get("DISPLAY"):
        return ""
    if os.environ.get("WAYLAND_DISPLAY") or os.environ.get("QT_QPA_PLATFORM", "xcb") != "xcb":
        return ""
    found = importlib.util.find_spec("PySide6")
    for folder in found.submodule_search_locations or () if found else ():
        plugin = Path(folder) / "Qt" / "plugins" / "platforms" / "libqxcb.so"
        if plugin.is_file():
            try:
                ctypes.CDLL(str(plugin))
            except OSError as error:
                return str(error)
    return ""


def _wrong(message: str) -> int:
    print(f"loupe: {message}", file=sys.stderr)
    return _USAGE_ERROR


def _explain(error: ImportError) -> int:
    """One message for a missing library of Qt; any other import that fails is our own fault and is raised."""
    if (
        error.name is not None
        and error.name.split(".")[0] == "PySide6"
        and isinstance(error, ModuleNotFoundError)
    ):
        print(_MISSING_PYSIDE.format(error=error), file=sys.stderr)
        return 1
    if ".so" in str(error):
        print(_MISSING_SYSTEM_LIBRARIES.format(error=error), file=sys.stderr)
        return 1
    raise error


if __name__ == "__main__":
    sys.exit(main())
