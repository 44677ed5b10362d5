"""The worker process: the only place where user code runs. ``python -m compiler.worker --socket PATH``."""
