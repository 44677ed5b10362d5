"""What the words of each language are, as one regular expression a language. No Qt, so that it can be tested alone.

A group's name says what the match is: comment, string, number, keyword, builtin, definition, call, decorator,
operation. ``open_*`` groups begin a span that goes on over line ends until its closing pattern.
"""

import keyword
import re
from dataclasses import dataclass
from functools import cached_property


@dataclass(frozen=True)
class SyntaxRules:
    """How one language is coloured."""

    words: re.Pattern[str]
    """Finds the next word worth a colour; the name of the group that matched says which."""
    spans: tuple[tuple[str, re.Pattern[str], str], ...] = ()
    """(group that opens, pattern that closes, what the span is), for text that goes on over line ends."""
    openers: tuple[str, ...] = ()
    """What a line holds that begins such a span, one of these at least."""

    def read(self, text: str, opened: int) -> tuple[list[tuple[int, int, str]], int]:
        """What has a colour in a line that begins inside the span of that number (-1: in none), as (start, end, kind),
        and the span that the line leaves open.
        """
        parts: list[tuple[int, int, str]] = []
        start = search_from = 0
        index = opened
        while True:
            if 0 <= index < len(self.spans):
                _, closing, name = self.spans[index]
                closed = closing.search(text, search_from)
                parts.append((start, len(text) if closed is None else closed.end(), name))
                if closed is None:
                    return parts, index
                start = closed.end()
            match = self.words.search(text, start)
            if match is None:
                return parts, -1
            group = match.lastgroup or ""
            first, last = match.span(group or 0)
            index = self._span_numbers.get(group, -1)
            if index >= 0:
                start, search_from = first, last
            else:
                parts.append((first, last, group))
                start = last if last > first else last + 1

    def open_after(self, text: str, opened: int) -> int:
        """The span that a line leaves open: most lines hold nothing that could open one, and cost nothing."""
        if opened < 0 and not any(opener in text for opener in self.openers):
            return -1
        return self.read(text, opened)[1]

    @cached_property
    def _span_numbers(self) -> dict[str, int]:
        return {opener: index for index, (opener, _, _) in enumerate(self.spans)}


_NUMBER = r"(?P<number>(?<![\w.])(?:0[xX][\da-fA-F]+|\d[\d_]*(?:\.[\d_]*)?(?:[eE][+-]?\d+)?)[jfLuU]{0,3}\b)"
_PYTHON_STRING = r"(?P<string>[rbfuRBFU]{0,2}(?:'(?:\\.|[^'\\\n])*'|\"(?:\\.|[^\"\\\n])*\"))"
_BUILTINS = (
    "self|cls|print|len|range|int|float|bool|str|tuple|list|dict|set|isinstance|super|enumerate|zip|map|max|min|"
    "sum|abs|torch|aten|prims|tl|triton|Tensor"
)

_PYTHON = SyntaxRules(
    re.compile(
        r"(?P<comment>\#.*)"
        r"|(?P<open_single>[rbfuRBFU]{0,2}''')"
        r'|(?P<open_double>[rbfuRBFU]{0,2}""")'
        rf"|{_PYTHON_STRING}"
        r"|(?P<decorator>^\s*@[\w.]+)"
        r"|(?:\b(?:def|class)\s+)(?P<definition>\w+)"
        rf"|(?P<keyword>\b(?:{'|'.join(keyword.kwlist)})\b)"
        rf"|(?P<builtin>(?<!\.)\b(?:{_BUILTINS})\b)"
        r"|(?P<call>\b[A-Za-z_]\w*(?=\())"
        rf"|{_NUMBER}"
    ),
    (("open_single", re.compile("'''"), "string"), ("open_double", re.compile('"""'), "string")),
    ("'''", '"""'),
)

_CPP_KEYWORDS = (
    "alignas|auto|bool|break|case|char|class|const|constexpr|continue|default|delete|do|double|else|enum|extern|"
    "false|float|for|goto|if|inline|int|long|namespace|new|nullptr|operator|private|public|return|short|signed|"
    "sizeof|static|static_cast|reinterpret_cast|struct|switch|template|this|true|typedef|typename|union|unsigned|"
    "using|void|volatile|while|__restrict__"
)
_CPP_TYPES = r"u?int(?:8|16|32|64)_t|half|bfloat16|size_t|at|std|c10|Vectorized|VectorizedN|VecMask"

_CPP = SyntaxRules(
    re.compile(
        r"(?P<comment>//.*)"
        r"|(?P<open_comment>/\*)"
        r"|(?P<decorator>^\s*\#.*)"
        r"|(?P<string>\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])*')"
        rf"|(?P<keyword>\b(?:{_CPP_KEYWORDS})\b)"
        rf"|(?P<builtin>\b(?:{_CPP_TYPES})\b)"
        r"|(?P<call>\b[A-Za-z_]\w*(?=\())"
        rf"|{_NUMBER}"
    ),
    (("open_comment", re.compile(r"\*/"), "comment"),),
    ("/*",),
)

_BYTECODE = SyntaxRules(
    re.compile(
        r"(?P<comment>\#.*)"
        r"|(?P<keyword>>>)"
        r"|(?P<call>\b(?:LOAD|STORE|DELETE|COPY|SWAP|PUSH|POP)_?[A-Z_]*\b)"
        r"|(?P<definition>\b(?:CALL|PRECALL|KW_NAMES|MAKE_FUNCTION|RETURN)_?[A-Z_]*\b)"
        r"|(?P<operation>\b[A-Z][A-Z_]{3,}\b)"
        rf"|{_PYTHON_STRING}"
        rf"|{_NUMBER}"
    )
)

_LOOPS = SyntaxRules(
    re.compile(
        r"(?P<comment>\#.*)"
        r"|(?P<definition>^\w+(?=:))"
        r"|(?P<keyword>^\s+(?:fuses|layout|reads|writes|moves)\b|\b(?:def|class|return|for|in)\b)"
        r"|(?P<builtin>\b\w*SchedulerNode\b|\bops\b)"
        r"|(?P<call>\b[A-Za-z_][\w.]*(?=\())"
        rf"|{_PYTHON_STRING}"
        rf"|{_NUMBER}"
    )
)

_TORCHSCRIPT = SyntaxRules(
    re.compile(
        r"(?P<comment>\#.*|\bscope: \S+)"
        r"|(?P<keyword>\b(?:graph|return|block\d+|with)\b|->)"
        r"|(?P<call>\b(?:aten|prim|profiler|quantized|onednn)::\w+)"
        r"|(?P<definition>%[\w.]+(?=\s*:))"
        r"|(?P<builtin>(?<=: )[A-Z]\w*|\b(?:int|float|bool|str|Tensor|Function|NoneType|Tuple|List|Dict|Optional)\b)"
        r"|(?P<operation>%[\w.]+)"
        rf"|{_PYTHON_STRING}"
        rf"|{_NUMBER}"
    )
)

_PLAIN = SyntaxRules(re.compile(r"(?P<comment>(?!))"))

_RULES = {
    "python": _PYTHON,
    "triton": _PYTHON,
    "cpp": _CPP,
    "bytecode": _BYTECODE,
    "loops": _LOOPS,
    "torchscript": _TORCHSCRIPT,
}


def rules_for(language: str) -> SyntaxRules:
    """The rules of a language; a language we do not know is left plain."""
    return _RULES.get(language, _PLAIN)
