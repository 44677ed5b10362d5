"""The machine code in a compiler's assembly text, function by function: what two builds of one kernel are compared by.

Left out is what does not reach the processor, or differs between equal code: the order of functions, debug information, the
numbers of labels. A constant in memory stands for itself, not for its label.
"""

import collections
import re

Functions = dict[str, tuple[str, ...]]
"""Instructions by the symbol they belong to."""

_LABEL = re.compile(r"([\w.$]+):")
_NUMBERED = re.compile(r"\.L[A-Z]*\d+")


def functions_of(assembly: str) -> Functions:
    """Every function of an assembly text as GCC writes it."""
    constants = _constants(assembly)
    found: dict[str, list[str]] = collections.defaultdict(list)
    current = ""
    in_code = True
    for line in assembly.split("\n"):
        text = line.strip()
        if text.startswith((".section", ".text", ".data", ".bss")):
            in_code = "text" in text
            continue
        label = _LABEL.match(line)
        if label and not label[1].startswith(".L"):
            current = label[1]
        elif in_code and current and label:
            found[current].append(f"{label[1]}:")
        elif in_code and current and text and not text.startswith((".", "#")):
            found[current].append(text)
    return {name: _renumbered(lines, constants) for name, lines in found.items()}


def _renumbered(lines: list[str], constants: dict[str, str]) -> tuple[str, ...]:
    """Labels by the order in which instructions name them; those that none names are of debug information."""
    numbers: dict[str, str] = {}
    named = {
        label for line in lines if not line.endswith(":") for label in _NUMBERED.findall(line)
    } - constants.keys()

    def number(match: "re.Match[str]") -> str:
        known = constants.get(match[0])
        return known if known is not None else numbers.setdefault(match[0], f"L{len(numbers)}")

    kept = [line for line in lines if not line.endswith(":") or line[:-1] in named]
    return tuple(_NUMBERED.sub(number, line) for line in kept)


def _constants(assembly: str) -> dict[str, str]:
    """What lies behind each label outside of code."""
    found: dict[str, list[str]] = {}
    labels: list[str] = []
    in_code = True
    for line in assembly.split("\n"):
        text = line.strip()
        if text.startswith((".section", ".text", ".data", ".bss")):
            in_code, labels = "text" in text, []
        elif in_code or not text:
            continue
        elif label := _LABEL.match(line):
            if found.get(labels[-1] if labels else ""):
                labels = []
            labels.append(label[1])
            found[label[1]] = []
        elif labels and not text.startswith((".align", ".size", ".type", ".set", ".loc")):
            for name in labels:
                found[name].append(text)
    return {
        name: "<" + " ".join(data) + ">"
        for name, data in found.items()
        if data and name.startswith(".LC") and not any(_NUMBERED.search(item) for item in data)
    }
