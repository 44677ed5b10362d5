"""The argument with which a file that somebody else wrote may be executed."""

import argparse


def add_trust(parser: argparse.ArgumentParser) -> None:
    """For every command that takes a session file and runs something of it."""
    parser.add_argument(
        "--trust",
        action="store_true",
        help="execute what a session file holds though it was not written on this computer; without it you are asked, and "
        "where nobody can be asked nothing runs (exit status 2)",
    )
