"""The lines of the functions and C++ kernels in a generated wrapper, each with its variables taken out.

A variable is what the function assigns, or a constant of the module. A kernel stands for its text, of which its own name and the numbers
of random seeds are taken out: each layer has seeds of its own, as it has weights. Comments count without the numbers of names.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import compress

from compiler.analysis.repeated_text.same_names import Function, Line
from compiler.model.ir.ids import is_number

_WORD = re.compile(r"((?<![\w.])[A-Za-z_]\w*)")
_TRIPLE = re.compile(r"'''|\"\"\"")
_FUNCTION = re.compile(r"( *)def \w+\(")
_TARGETS = re.compile(r" +((?:\w+, )*\w+),? = ")
_KERNEL = re.compile(r"^(\w+) = async_compile\.(\w+)\((.*?^(?:'''|\"\"\").*?)$", re.MULTILINE | re.DOTALL)
_CONSTANT = re.compile(r"^(\w+) = None(  # .*)$", re.MULTILINE)
_PARAMETERS = re.compile(r"^def \(([^)]*)\):", re.MULTILINE)
_SEED_OFFSET = re.compile(r"load_seed_offset\d*$")
_CPP_SEED = re.compile(r"auto (tmp\d+) = \w+\[static_cast<int64_t>\((\d+)L\)\];")
_CPP_RANDOM = re.compile(r"\b(?:normalized_rand|randn|randint64)_cpu\($")
_LONGEST_RANDOM = len("normalized_rand_cpu(") + 1
_NUMBER_OF_NAME = re.compile(r"(?<=[A-Za-z])[\d_]*\d\b")
_VARIABLE = "$"
DEFINITION = f"{_VARIABLE} = async_compile."
"""With what the shape of a line begins that defines a kernel."""
_SEED = "seed"
_SEED_TAKEN_OUT = "int64_t>(seedL)]"
_LAUNCH = re.compile(r"( *(\w+)\.run\()(.*)(\))$")


class _Kernel:
    """What a call of a kernel is compared by. `seeds`: numbers of those in its text; `seed_places`: arguments that are some."""

    def __init__(self, shape: str, seeds: tuple[str, ...], seed_places: tuple[int, ...]) -> None:
        self.shape, self.seeds, self.seed_places = shape, seeds, seed_places


def functions(text: str) -> Iterator[tuple[int, Function]]:
    """For each function of the module the number of its first line, from 1, and its lines."""
    lines = text.split("\n")
    kernels = _kernels(text)
    constants = {name: f"constant{kind}" for name, kind in _CONSTANT.findall(text)}
    yield from _definitions(text)
    for first, end in _bodies(lines):
        yield first + 1, _read(lines[first:end], kernels, constants)


def _definitions(text: str) -> Iterator[tuple[int, Function]]:
    """The lines in which C++ kernels are defined, as one function: those of each layer are the same but for the numbers of seeds."""
    lines: list[Line] = []
    start = end = 0
    for found in _KERNEL.finditer(text):
        name, language = found[1], found[2]
        if not language.startswith("cpp"):
            continue
        if lines:
            lines += (Line(_comment(line), (), False) for line in text[end : found.start()].split("\n")[1:-1])
        else:
            start = text.count("\n", 0, found.start()) + 1
        source, seeds = _without_seeds(found[0].replace(name, _VARIABLE))
        left = list(reversed(seeds))
        for line in source.split("\n"):
            own = tuple(left.pop() for _ in range(line.count(_SEED_TAKEN_OUT)))
            named = (name,) * line.count(_VARIABLE)
            lines.append(Line(line, named + own, False, int(line.startswith(DEFINITION))))
        end = found.end()
    if lines:
        behind = len(text) - end - len(text[end:].lstrip("\n"))
        yield start, Function([*lines, *([Line("", (), False)] * (behind - 1))], {})


def _comment(line: str) -> str:
    """What a comment is compared by; where a kernel was written is no part of it."""
    return "# kernel path" if line.startswith("# kernel path: ") else _NUMBER_OF_NAME.sub("", line)


def _bodies(lines: Sequence[str]) -> Iterator[tuple[int, int]]:
    """(first line, line behind the last) of functions, counted from 0, without what stands in texts of kernels."""
    quoted, first, indent = False, -1, 0
    for at, line in enumerate(lines):
        was_quoted = quoted
        if "'''" in line or '"""' in line:
            quoted ^= len(_TRIPLE.findall(line)) % 2 == 1
        if was_quoted or not line:
            continue
        if first >= 0 and (line[0] != " " or len(line) - len(line.lstrip(" ")) <= indent):
            yield first, at
            first = -1
        if first < 0 and (found := _FUNCTION.match(line)):
            first, indent = at + 1, len(found[1])
    if first >= 0:
        yield first, len(lines)


def _kernels(text: str) -> dict[str, _Kernel]:
    """By its name each kernel that the module compiles; those of one text have one shape."""
    shapes: dict[str, str] = {}
    found = {}
    for name, language, source in _KERNEL.findall(text):
        source = source.replace(name, "")
        seeds: tuple[str, ...] = ()
        places: tuple[int, ...] = ()
        if language.startswith("cpp"):
            source, seeds = _without_seeds(source)
        elif "load_seed_offset" in source and (head := _PARAMETERS.search(source)):
            words = head[1].replace(" ", "").split(",")
            places = tuple(at for at, word in enumerate(words) if _SEED_OFFSET.match(word))
        shape = shapes.setdefault(f"{language} {source}", f"kernel {len(shapes)}")
        found[name] = _Kernel(shape, seeds, places)
    return found


def _without_seeds(source: str) -> tuple[str, tuple[str, ...]]:
    """A C++ kernel in which seeds have no numbers, and their numbers. A value is a seed where random numbers are made of it, and
    nothing else is.
    """
    seeds: list[str] = []
    parts: list[str] = []
    end = 0
    for found in _CPP_SEED.finditer(source):
        name = found[1]
        again = re.compile(rf"\bauto {name} = ").search(source, found.end())
        scope = source[found.end() : again.start() if again else len(source)]
        uses = [use.start() for use in re.finditer(rf"\b{name}\b", scope)]
        if uses and all(_CPP_RANDOM.search(scope[max(0, at - _LONGEST_RANDOM) : at]) for at in uses):
            seeds.append(f"seed {found[2]}")
            parts += source[end : found.start(2)], _SEED
            end = found.end(2)
    return "".join((*parts, source[end:])), tuple(seeds)


def _read(lines: Sequence[str], kernels: Mapping[str, _Kernel], constants: Mapping[str, str]) -> Function:
    kinds = dict(constants)
    shown = {name: kernel.shape for name, kernel in kernels.items()} | dict.fromkeys(constants, _VARIABLE)
    makes = [_targets(line) for line in lines]
    for line, names in zip(lines, makes, strict=True):
        shown.update(dict.fromkeys(names, _VARIABLE))
        if names and line.endswith(" = args"):
            kinds.update({name: f"input {_NUMBER_OF_NAME.sub('', name)}" for name in names})
    seeded = {name: kernel for name, kernel in kernels.items() if kernel.seeds or kernel.seed_places}
    return Function(
        [_line(line, len(names), shown, seeded) for line, names in zip(lines, makes, strict=True)], kinds
    )


def _targets(line: str) -> Sequence[str]:
    """The variables that a line gives values."""
    found = _TARGETS.match(line) if " = " in line else None
    return found[1].split(", ") if found is not None else ()


def _line(line: str, makes: int, shown: Mapping[str, str], seeded: Mapping[str, _Kernel]) -> Line:
    start = line.lstrip(" ")
    if start.startswith("#"):
        return Line(_comment(line), (), False)
    words = _WORD.split(line)
    seeds: tuple[str, ...] = ()
    if seeded and not seeded.keys().isdisjoint(words):
        line, seeds = _launch(line, next(seeded[word] for word in words if word in seeded))
        words = _WORD.split(line)
    named = words[1::2]
    words[1::2] = reported = [shown.get(word, word) for word in named]
    names = tuple(compress(named, map(_VARIABLE.__eq__, reported)))
    return Line("".join(words), names + seeds, start.startswith("del "), makes)


def _launch(line: str, kernel: _Kernel) -> tuple[str, tuple[str, ...]]:
    """The call of a kernel without the numbers of seeds, and these."""
    found = _LAUNCH.match(line)
    if found is None or not kernel.seed_places:
        return line, kernel.seeds
    given, seeds = _arguments(found[3]), list(kernel.seeds)
    for place in kernel.seed_places:
        if place < len(given) and is_number(given[place]):
            seeds.append(f"seed {given[place]}")
            given[place] = _SEED
    return f"{found[1]}{', '.join(given)}{found[4]}", tuple(seeds)


def _arguments(text: str) -> list[str]:
    """Arguments of a call, split where no bracket is open."""
    found, depth = [""], 0
    for part in re.split(r"([()\[\]{}]|, )", text):
        depth += (part in ("(", "[", "{")) - (part in (")", "]", "}"))
        if part == ", " and depth == 0:
            found.append("")
        else:
            found[-1] += part
    return found
