"""``loupe diff``: what is different from one session file to another."""

import argparse

import msgspec

from compiler.command_line.diff_reports import diff_report, kernel_texts
from compiler.command_line.session_work import open_session
from compiler.model.capture_diff import compare_captures
from compiler.model.diff_words import summary


def diff(arguments: argparse.Namespace) -> int:
    """Compare the last captures of two session files; 1 with ``--fail-on-change`` where anything but time differs."""
    before, after = (open_session(path).captures[-1] for path in (arguments.before, arguments.after))
    found = compare_captures(before, after)
    if arguments.json:
        value = {
            "summary": summary(found),
            "same": found.same,
            "diff": found,
            "kernel_texts": kernel_texts(before, after, found) if arguments.kernels else {},
        }
        print(msgspec.json.encode(value).decode())
    else:
        print(f"{arguments.before.name} → {arguments.after.name}")
        print(diff_report(before, after, found, graphs=arguments.graphs, kernels=arguments.kernels))
    return 1 if arguments.fail_on_change and not found.same else 0
