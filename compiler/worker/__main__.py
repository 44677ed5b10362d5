"""``python -m compiler.worker --socket PATH``: load the engine, connect, serve."""

import argparse

from compiler.processes import guardian, own_cache
from compiler.processes.private_folder import scratch_place


def main() -> None:
    """Run the worker until its client is gone."""
    parser = argparse.ArgumentParser(prog="compiler.worker", description="Torch Loupe's worker process.")
    parser.add_argument("--socket", required=True, help="the Unix socket its client listens on")
    socket_path = parser.parse_args().socket
    guardian.stand_guard(socket_path)
    own_cache.use_own_caches(scratch_place())

    from compiler.worker import crash_dump, hide_packages, serving

    server = serving.Server(socket_path)
    hide_packages.hide_our_packages()
    crash_dump.install()
    server.serve()


if __name__ == "__main__":
    main()
