"""A number with its word."""


def counted(number: int, word: str) -> str:
    """``1 kernel``, ``2 kernels``."""
    return f"{number:,} {word}" if number == 1 else f"{number:,} {word}s"
