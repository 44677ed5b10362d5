"""``python -m compiler.worker --socket PATH``: load the engine, connect, serve."""

import argparse
import socket
from typing import NoReturn

from compiler.engine import program_arguments
from compiler.processes import first_environment, fork_server, guardian, loading_libraries, own_cache
from compiler.processes.private_folder import scratch_place


def main() -> None:
    """Run the worker until its client is gone."""
    parser = argparse.ArgumentParser(prog="compiler.worker", description="Torch Loupe's worker process.")
    parser.add_argument("--socket", required=True, help="the Unix socket its client listens on")
    parser.add_argument(
        "--warm", action="store_true", help="compile a program of ours before the first request"
    )
    parser.add_argument(
        "--forks",
        type=int,
        help="be no worker: fork workers, ordered through this descriptor, until it is closed",
    )
    arguments = parser.parse_args()
    program_arguments.hide_own()
    socket_path = arguments.socket
    guardian.stand_guard(socket_path)
    own_cache.use_own_caches(scratch_place())
    first_environment.remember_environment()
    loading_libraries.do_not_raise()

    if arguments.forks is not None:
        _serve_forks(socket.socket(fileno=arguments.forks))

    with loading_libraries.loading():
        from compiler.worker import crash_dump, hide_packages, serving, warm_up

    fork_server.start(_load_for_children)
    server = serving.Server(socket_path)
    hide_packages.hide_our_packages()
    crash_dump.install()
    if arguments.warm:
        warm_up.warm_up()
    server.serve()


def _serve_forks(orders: socket.socket) -> NoReturn:
    with loading_libraries.loading():
        from compiler.worker import serving, warm_up  # noqa: F401

    fork_server.serve(orders, _load_for_children, warm_up.load_for_captures)


def _load_for_children() -> None:
    """What the processes need that are forked for front ends and for a GPU, beyond what every worker has loaded."""
    from compiler.engine.cross_compile import fake_capture  # noqa: F401
    from compiler.worker.child import cross_compile, jobs  # noqa: F401


if __name__ == "__main__":
    main()
