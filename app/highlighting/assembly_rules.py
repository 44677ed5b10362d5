"""What the words of the languages below a kernel's source are: MLIR, LLVM IR, PTX, SASS, AMDGCN."""

import re

from app.highlighting.syntax_rules import SyntaxRules

_NUMBER = r"(?P<number>(?<![\w.%$#])-?(?:0[xXfFdD][\da-fA-F]+|\d+(?:\.\d*)?(?:[eE][+-]?\d+)?)\b)"
_STRING = r'(?P<string>"(?:\\.|[^"\\\n])*")'

_MLIR = SyntaxRules(
    re.compile(
        r"(?P<comment>//.*|\bloc\([^\n]*\)|^#loc.*)"
        rf"|{_STRING}"
        r"|(?P<definition>\b(?:tt|ttg|ttng|nvgpu|amdgpu|scf|arith|math|cf|gpu|llvm)\.[\w.]+)"
        r"|(?P<keyword>\b(?:module|attributes|public|private|to|step|iter_args|true|false|unknown)\b)"
        r"|(?P<builtin>!?\b(?:tensor|memref|index|[iu]\d+|b?f\d+|tt\.ptr)\b|#\w+)"
        rf"|{_NUMBER}"
    )
)
_LLVM = SyntaxRules(
    re.compile(
        r"(?P<comment>;.*|,? !dbg !\d+|^!.*)"
        rf"|{_STRING}"
        r"|(?P<keyword>\b(?:define|declare|target|datalayout|triple|attributes|global|constant|to|align|tail|inbounds"
        r"|nuw|nsw|samesign|nneg|exact|disjoint|contract|fast|zeroinitializer|true|false|poison|undef)\b)"
        r"|(?P<definition>\b(?:add|sub|mul|[su]div|[su]rem|shl|[al]shr|and|or|xor|fadd|fsub|fmul|fdiv|fneg|[if]cmp|load|store"
        r"|getelementptr|call|br|switch|ret|phi|select|[sz]ext|trunc|fpext|fptrunc|bitcast|inttoptr|ptrtoint|addrspacecast"
        r"|extractvalue|insertvalue|extractelement|insertelement|shufflevector|[su]itofp|fpto[su]i|unreachable|atomicrmw|cmpxchg)\b)"
        r"|(?P<builtin>\b(?:i\d+|half|bfloat|float|double|void|ptr|label|metadata|addrspace)\b)"
        rf"|{_NUMBER}"
    )
)
_PTX = SyntaxRules(
    re.compile(
        r"(?P<comment>//.*|^\s*\.loc\b.*)"
        rf"|{_STRING}"
        r"|(?P<decorator>^\s*@!?%p\d+)"
        r"|(?P<keyword>(?<![\w.])\.(?:version|target|address_size|visible|entry|param|reg|shared|global|local|extern|func|reqntid"
        r"|maxntid|minnctapersm|file|section|align)\b)"
        r"|(?P<definition>(?:^|(?<=\s))[a-z][a-z0-9]*(?:[.:]+\w+)*(?=\s|;))"
        rf"|{_NUMBER}"
    )
)
_SASS = SyntaxRules(
    re.compile(
        r"(?P<comment>//.*|/\*[0-9a-f]{4,}\*/)"
        rf"|{_STRING}"
        r"|(?P<decorator>@!?U?P[\dT]+)"
        r"|(?P<keyword>^\s*\.[\w.]+)"
        r"|(?P<builtin>\b(?:SR_[\w.]+|c\[|desc\[|RZ|URZ|PT|UPT|SRZ)\b)"
        r"|(?P<definition>\b[A-Z][A-Z0-9_]+(?:\.[A-Z0-9_.]+)?\b)"
        rf"|{_NUMBER}"
    )
)
_AMDGCN = SyntaxRules(
    re.compile(
        r"(?P<comment>;.*|//.*|^\s*\.loc\b.*)"
        rf"|{_STRING}"
        r"|(?P<keyword>^\s*\.[\w.]+)"
        r"|(?P<definition>\b(?:v|s|ds|global|flat|buffer|scratch)_\w+)"
        rf"|{_NUMBER}"
    )
)

ASSEMBLY_RULES = {
    "ttir": _MLIR,
    "ttgir": _MLIR,
    "llir": _LLVM,
    "ptx": _PTX,
    "sass": _SASS,
    "amdgcn": _AMDGCN,
}
"""By form, as `compiler.model.ir.lowered_kernel.FORMS` calls them."""
