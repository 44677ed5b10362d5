"""What torch logs and warns of where that is no news: of trials, and of what is raised, and reported, anyhow."""

import contextlib
import logging
import warnings
from collections.abc import Iterator


@contextlib.contextmanager
def logging_only(level: int, name: str) -> Iterator[None]:
    """While this is entered, a logger says what is at least as bad."""
    logger = logging.getLogger(name)
    before = logger.level
    logger.setLevel(level)
    try:
        yield
    finally:
        logger.setLevel(before)


@contextlib.contextmanager
def nothing_said() -> Iterator[None]:
    """While something is tried out that may not fit: no log and no warning."""
    before = logging.root.manager.disable
    logging.disable(logging.CRITICAL)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            yield
    finally:
        logging.disable(before)


@contextlib.contextmanager
def no_failed_meta() -> Iterator[None]:
    """Where tensors do not fit, torch's fakes log the traceback of the error that they raise: 20 lines before the one that says it."""
    with logging_only(logging.CRITICAL, "torch._subclasses.fake_tensor"):
        yield
