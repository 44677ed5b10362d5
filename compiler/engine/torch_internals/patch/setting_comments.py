"""Torch's own comments on its settings, read from the source of its config module."""

import functools
import inspect

import torch._inductor.config

GIVES = "torch's comments on its settings"
NEEDS = ("torch._inductor.config:cpp",)
_FOR_TOOLS = ("type:", "noqa", "pyrefly", "pragma")


def comment_on(name: str) -> str:
    """What stands above a setting of Inductor's (``cpp.threads``) or behind it, in one line; empty where torch says nothing."""
    return _comments().get(name, "")


@functools.cache
def _comments() -> dict[str, str]:
    try:
        lines = inspect.getsource(torch._inductor.config).split("\n")
    except OSError:
        return {}
    found: dict[str, str] = {}
    group, comment = "", list[str]()
    for line in lines:
        text = line.strip()
        if line.startswith("class "):
            group = text.removeprefix("class ").partition(":")[0].partition("(")[0] + "."
        elif text and not line.startswith((" ", "#", ")")):
            group = ""
        if text.startswith("#"):
            said = text.lstrip("# ")
            comment += [] if said.startswith(_FOR_TOOLS) else [said]
            continue
        name = text.partition("=")[0].partition(":")[0].strip()
        depth = len(line) - len(line.lstrip())
        behind = text.rpartition("  # ")[2] if "  # " in text else ""
        words = [*comment, *([behind] if behind and not behind.startswith(_FOR_TOOLS) else [])]
        if words and "=" in text and name.isidentifier() and depth == (4 if group else 0):
            found[f"{group}{name}"] = " ".join(words)
        comment = []
    return found
