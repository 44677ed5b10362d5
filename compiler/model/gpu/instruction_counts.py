"""Instructions of a kernel counted by what they do, from its machine code (SASS or AMDGCN) or, without that, from PTX.

Static counts: an instruction in a loop counts once.
"""

import re
from collections import Counter

_SASS_LINE = re.compile(r"\s+/\*[0-9a-f]{4,}\*/\s+(?:@!?U?P\d+\s+|@!?U?PT\s+)?([A-Z][A-Z0-9_]*)([.\w]*)")
_PTX_LINE = re.compile(r"\s+(?:\{\s*)?(?:@!?%p\d+\s+)?([a-z][a-z0-9]*)((?:[.:]+\w+)*)\s*[^:]*;")
_AMD_LINE = re.compile(r"\s+((?:v|s|ds|global|flat|buffer|scratch)_\w+)\b")

CLASSES = (
    "global memory",
    "shared memory",
    "local memory",
    "tensor cores",
    "float",
    "special functions",
    "integer",
    "conversion",
    "move",
    "control",
    "other",
)
"""In the order they are listed. Local memory is where spilled registers go; special functions are exp, log, sqrt and
their like."""

_SASS = (
    ("global memory", r"LDG|STG|ATOMG?|RED|LD|ST|LDGSTS|UBLKCP|UTMA\w+|CCTL\w*|LDGDEPBAR|REDG"),
    ("shared memory", r"LDS|STS|LDSM|STSM|ATOMS|LDSMT?"),
    ("local memory", r"LDL|STL|LDLK"),
    ("tensor cores", r"[HIDBQO]MMA|[HIBQ]GMMA|UTC\w*MMA|LDTM|STTM|UTC\w+|WARPGROUP"),
    ("special functions", r"MUFU"),
    ("float", r"F(?:ADD|MUL|FMA|MNMX|SETP?|SEL|CHK|SWZADD|ADD32I|MUL32I|FMA32I)\d?|H(?:ADD|MUL|FMA|MNMX|SETP?|SET)2?|D(?:ADD|MUL|FMA|SETP|MNMX)"
     r"|FSETP|HSETP2|HMNMX2|BF\w+|FHADD|FHFMA"),
    ("conversion", r"[FI]2[FIP]P?|FRND|I2FP|F2FP|F2IP|I2I|I2IP|F2F"),
    ("move", r"U?MOV\d*I?|U?SEL|U?PRMT|CS2R|CS2UR|S2U?R|R2UR|SHFL|LDCU?|ULDC|LDU|U?P2U?R|R2P|U?PLOP3|U?PSETP|VOTEU?|MATCH|S2R|REDUX|CREDUX|UMOV"),
    ("control", r"BRA|BRX|EXIT|CALL|RET|BSSY|BSYNC|BAR|SYNCS|WARPSYNC|MEMBAR|ERRBAR|NOP|DEPBAR|BREAK|BPT|ELECT|ACQBULK|FENCE\w*|UCGABAR\w*|NANOSLEEP|YIELD|JMP|PREEXIT"),
    ("integer", r"U?I(?:ADD3?|MAD|MNMX3?|SETP|ABS|DP\w*|MUL|SCADD|MNMX)\w*|U?LOP3?|U?SHF|U?SH[LR]|U?LEA|U?BMSK|U?SGXT|U?FLO|U?POPC|U?BREV|VIADD\w*|VIMNMX\w*|VIADDMNMX|U?I\w*"),
)  # fmt: skip
_SASS_RULES = tuple((name, re.compile(rf"(?:{words})\Z")) for name, words in _SASS)
_PTX_MEMORY = {"ld", "st", "atom", "red", "prefetch", "cp"}
_PTX_CONTROL = {"bra", "ret", "bar", "barrier", "call", "exit", "fence", "membar", "mbarrier", "griddepcontrol"}  # fmt: skip
_PTX_SPECIAL = {"ex2", "lg2", "sin", "cos", "rcp", "rsqrt", "sqrt", "tanh"}
_PTX_MOVES = {"mov", "selp", "shfl", "prmt", "vote", "elect", "activemask", "cvta", "createpolicy"}


def count_instructions(form: str, text: str) -> tuple[tuple[str, int], ...]:
    """(class, how many) in the order of `CLASSES`, those that occur; none for a form that is not assembly."""
    counts: Counter[str] = Counter()
    for line in text.split("\n"):
        name = _CLASSIFIERS[form](line) if form in _CLASSIFIERS else ""
        if name:
            counts[name] += 1
    return tuple((name, counts[name]) for name in CLASSES if counts[name])


def _sass(line: str) -> str:
    found = _SASS_LINE.match(line)
    if found is None:
        return ""
    if found[1] == "IMAD" and found[2].startswith(".MOV"):
        return "move"
    return next((name for name, rule in _SASS_RULES if rule.match(found[1])), "other")


def _ptx(line: str) -> str:
    found = None if line.lstrip().startswith(("//", ".", "$")) else _PTX_LINE.match(line)
    if found is None:
        return ""
    op, rest = found[1], found[2]
    if op in _PTX_MEMORY:
        spaces = {".shared": "shared memory", ".local": "local memory", ".param": "move"}
        return next((name for space, name in spaces.items() if space in rest), "global memory")
    if op in ("ldmatrix", "stmatrix"):
        return "shared memory"
    if op in ("mma", "wgmma", "tcgen05", "wmma"):
        return "tensor cores"
    if op in _PTX_SPECIAL:
        return "special functions"
    if op == "cvt":
        return "conversion"
    if op in _PTX_MOVES:
        return "move"
    if op in _PTX_CONTROL:
        return "control"
    return "float" if re.search(r"\.b?f(?:16|32|64)", rest) else "integer"


def _amd(line: str) -> str:
    found = _AMD_LINE.match(line)
    if found is None:
        return ""
    op = found[1]
    if op.startswith(("global_", "flat_", "buffer_")):
        return "global memory"
    if op.startswith("ds_"):
        return "shared memory"
    if op.startswith("scratch_"):
        return "local memory"
    if "mfma" in op or "wmma" in op:
        return "tensor cores"
    if re.match(r"s_(?:cbranch|branch|barrier|endpgm|waitcnt|nop|setprio|sleep|call|setpc)", op):
        return "control"
    if re.match(r"v_(?:exp|log|rcp|rsq|sqrt|sin|cos)_", op):
        return "special functions"
    if op.startswith("v_cvt"):
        return "conversion"
    if re.match(
        r"[vs]_(?:mov|cndmask|cselect|readfirstlane|readlane|writelane|accvgpr|swap|perm|load|cmov)", op
    ):
        return "move"
    return "float" if re.search(r"_f(?:16|32|64)|_bf16", op) else "integer"


_CLASSIFIERS = {"sass": _sass, "ptx": _ptx, "amdgcn": _amd}
