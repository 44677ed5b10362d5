"""What one types to find nodes: ``op:gelu shape:[*,768] kernel:3 line:42 dtype:bf16``, words, ``/regular expressions/``.

Terms stand side by side and all have to hold; ``-`` before a term turns it round, ``a|b`` in a value holds for either.
"""

import fnmatch
import functools
import re
import shlex
from collections.abc import Callable, Sequence

import msgspec

from compiler.analysis.queries.node_facts import NodeFacts
from compiler.analysis.queries.regular_expressions import ExpressionError, searcher

_COMPARISON = re.compile(r"(>=|<=|>|<|=)?\s*([0-9.]+)\s*([a-zA-Zµ]*)$")
_RANGE = re.compile(r"(\d+)(?:-(\d+))?$")

_UNITS = {"": 1.0, "b": 1.0, "k": 1024.0, "kb": 1024.0, "kib": 1024.0, "m": 1024.0**2, "mb": 1024.0**2}
_UNITS |= {"mib": 1024.0**2, "g": 1024.0**3, "gb": 1024.0**3, "gib": 1024.0**3}
_SECONDS = {"": 1.0, "s": 1.0, "ms": 1e-3, "us": 1e-6, "µs": 1e-6, "ns": 1e-9}
_DTYPES = {
    "f64": "float64",
    "f32": "float32",
    "f16": "float16",
    "bf16": "bfloat16",
    "i64": "int64",
    "i32": "int32",
}
_DTYPES |= {"i16": "int16", "i8": "int8", "u8": "uint8", "b8": "bool", "half": "float16", "double": "float64"}

Test = Callable[[NodeFacts], bool]

KEYS = {
    "op": "operation: op:gelu, op:*norm*",
    "name": "node's name: name:add_3",
    "target": "what it calls: target:aten.*",
    "shape": "sizes, * for any: shape:[*,768]",
    "dtype": "dtype:bf16",
    "device": "device:cuda",
    "module": "module path: module:layers.0*",
    "kernel": "number or name of a kernel it is in: kernel:3",
    "line": "source line: line:42, line:40-50",
    "lane": "lane:forward or lane:backward",
    "role": "role:input, parameter, tangent, output, saved",
    "is": "is:selected, edited, changed, error, recomputed, probed",
    "bytes": "size of the result: bytes:>1M",
    "time": "measured time of its kernels: time:>10us",
    "inputs": "how many inputs: inputs:>2",
    "users": "how many users: users:0",
}
"""What may stand before the colon, with an example each."""


class QueryError(ValueError):
    """What was typed is no query. The message says what is wrong."""


class Term(msgspec.Struct, frozen=True):
    """One condition."""

    key: str
    """One of `KEYS`, or empty: anywhere in operation, name, type or module."""
    value: str
    negated: bool = False


class Query(msgspec.Struct, frozen=True):
    """Conditions that all have to hold."""

    terms: tuple[Term, ...]

    def __bool__(self) -> bool:
        return bool(self.terms)

    @property
    def keys(self) -> frozenset[str]:
        """What it asks about, so that only this need be known."""
        return frozenset(term.key for term in self.terms)


def parse(text: str) -> Query:
    """The query that a text is; an empty one for empty text. Raises QueryError."""
    terms = []
    for word in _split_words(text):
        negated = len(word) > 1 and word.startswith("-")
        word = word[1:] if negated else word
        key, colon, value = word.partition(":")
        if not colon or word.startswith("/") or key.lower() not in KEYS:
            if colon and re.fullmatch(r"[a-z]+", key) and not value.startswith(":"):
                raise QueryError(f"“{key}:” is not known. Known are {', '.join(KEYS)}.")
            key, value = "", word
        if not value:
            raise QueryError(f"“{key}:” needs a value, such as {KEYS[key.lower()].rpartition(': ')[2]}.")
        term = Term(key.lower(), value, negated)
        _test_of(term)
        terms.append(term)
    return Query(tuple(terms))


def found(query: Query, nodes: Sequence[NodeFacts]) -> tuple[str, ...]:
    """The ids of the nodes for which every term holds, in their order."""
    tests = [(_test_of(term), term.negated) for term in query.terms]
    return tuple(node.id for node in nodes if all(test(node) != negated for test, negated in tests))


def _split_words(text: str) -> list[str]:
    """Split at spaces, but not inside quotes, brackets or slashes."""
    words: list[str] = []
    for part in re.findall(r'(?:[^\s"\[/]|"[^"]*"?|\[[^\]]*\]?|(?<![\w.])/(?:\\.|[^/\\])*/?|/)+', text):
        words.append(_unquoted(part))
    return [word for word in words if word]


def _unquoted(word: str) -> str:
    if '"' not in word:
        return word
    try:
        return "".join(shlex.split(word.replace("'", "\\'")))
    except ValueError as error:
        raise QueryError("A quotation mark is not closed.") from error


def _test_of(term: Term) -> Test:
    match term.key:
        case "shape":
            return _shape(term.value)
        case "bytes" | "time" | "inputs" | "users":
            return _number(term.key, term.value)
        case "line":
            return _line(term.value)
        case "kernel":
            matches = _text(term.value, whole=True)
            return lambda node: any(matches(name) for name in node.kernels)
        case "is":
            marks = frozenset(term.value.lower().split("|"))
            return lambda node: not marks.isdisjoint(node.marks)
        case "dtype":
            wanted = frozenset(_DTYPES.get(part, part) for part in term.value.lower().split("|"))
            return lambda node: node.dtype in wanted
        case "":
            anywhere = _text(term.value, whole=False)
            return lambda node: any(
                anywhere(part) for part in (node.op, node.name, node.type_text, node.module, node.target)
            )
        case key:
            whole = _text(term.value, whole=True)
            return lambda node: whole(getattr(node, key))


def _text(value: str, whole: bool) -> Callable[[str], bool]:
    """A comparison with text: ``/regular expression/``, a pattern with ``*``, or the text itself, in any case."""
    if len(value) > 1 and value.startswith("/") and value.endswith("/"):
        try:
            return searcher(value[1:-1])
        except ExpressionError as error:
            raise QueryError(f"{value} cannot be searched for: {error}.") from error
    patterns = [part.lower() for part in value.split("|") if part]
    if not whole:
        return lambda text: any(part in text.lower() for part in patterns)
    if any(mark in value for mark in "*?"):
        regular = [re.compile(fnmatch.translate(part)) for part in patterns]
        return lambda text: any(pattern.match(text.lower()) for pattern in regular)
    return lambda text: text.lower() in patterns


def _shape(value: str) -> Test:
    """``[*,768]``: sizes one by one, ``*`` for any one, ``...`` for any number of them."""
    inner = value.strip("[]()")
    sizes = [part.strip() for part in inner.split(",")] if inner.strip() else []
    if not value.startswith(("[", "(")) and "," not in value:
        raise QueryError("A shape is written in brackets: shape:[*,768].")

    least = sum(size != "..." for size in sizes)

    @functools.cache
    def fits(shape: tuple[str, ...]) -> bool:
        """Going back only to the last ``...``, which then stands for one size more: no earlier one has to change."""
        if len(shape) < least:
            return False
        at = term = 0
        last: int | None = None
        covered = 0
        while at < len(shape):
            if term < len(sizes) and sizes[term] == "...":
                last, covered, term = term, at, term + 1
            elif term < len(sizes) and sizes[term] in ("*", shape[at]):
                at, term = at + 1, term + 1
            elif last is not None:
                covered += 1
                at, term = covered, last + 1
            else:
                return False
        return all(size == "..." for size in sizes[term:])

    return lambda node: node.shape is not None and fits(node.shape)


def _number(key: str, value: str) -> Test:
    matched = _COMPARISON.match(value)
    units = _SECONDS if key == "time" else _UNITS if key == "bytes" else {"": 1.0}
    if matched is None or matched[3].lower() not in units:
        example = KEYS[key].rpartition(": ")[2]
        raise QueryError(f"“{key}:{value}” is no comparison, such as {example}.")
    sign, limit = matched[1] or "=", float(matched[2]) * units[matched[3].lower()]

    def holds(node: NodeFacts) -> bool:
        own = {"bytes": node.bytes, "time": node.seconds, "inputs": node.inputs, "users": node.users}[key]
        if own is None:
            return False
        compared = {">": own > limit, "<": own < limit, ">=": own >= limit, "<=": own <= limit}
        return compared.get(sign, own == limit)

    return holds


def _line(value: str) -> Test:
    matched = _RANGE.match(value)
    if matched is None:
        raise QueryError(f"“line:{value}” is no line or range, such as line:42 or line:40-50.")
    first = int(matched[1])
    last = int(matched[2] or matched[1])
    return lambda node: any(first <= line <= last for line in node.lines)
