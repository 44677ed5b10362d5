"""The files that Inductor writes its code into, told by their paths."""

import re

_NAME = re.compile(r"[/\\]([a-z2-7]{2})[/\\]c(?=\1)[a-z2-7]{51}\.[\w.]+$")
"""A hash, in a folder of two of its letters (`torch._inductor.codecache.get_path`), wherever the cache is."""


def is_generated(path: str) -> bool:
    """Whether Inductor wrote a file: a wrapper or a kernel, no part of any program."""
    return "/torchinductor_" in path or _NAME.search(path) is not None
