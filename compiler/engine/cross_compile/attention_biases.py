"""Attention whose mask the memory-efficient kernel refuses: its last dimension must be contiguous (``attention.cu``,
``attention_backward.cu``), which shape functions do not say, and a compiled backward may be given the mask as it was before the forward
copied it.
"""

import ast

from compiler.model.ir.diagnostics import Problem, Severity
from compiler.model.ir.stage import Stage, WrapperStage

_ATTENTION = "torch.ops.aten._scaled_dot_product_efficient_attention"
_MASKS = {f"{_ATTENTION}.default": 3, f"{_ATTENTION}_backward.default": 4}
"""Which argument is the mask."""
_VIEW = "reinterpret_tensor"


def refused_masks(stages: tuple[Stage, ...]) -> tuple[Problem, ...]:
    """A warning where a wrapper gives a mask to a kernel that refuses it."""
    texts = [stage.content.code.text for stage in stages if isinstance(stage.content, WrapperStage)]
    refused = [line for text in texts for line in refused_in(text)]
    if not refused:
        return ()
    error = "(*bias): last dimension must be contiguous"
    return (
        Problem(
            f"Attention is given a mask whose last dimension is not contiguous, which fails where it is run ({error}).",
            "Give it attn_mask.contiguous().",
            detail="\n".join(refused),
            severity=Severity.WARNING,
        ),
    )


def refused_in(text: str) -> list[str]:
    """The lines of a wrapper that give a mask to a kernel that refuses it."""
    return [line.strip() for line in text.split("\n") if _ATTENTION in line and _is_refused(line)]


def _is_refused(line: str) -> bool:
    if line.lstrip().startswith("#"):
        return False
    try:
        call = ast.parse(line.strip()).body[0]
    except SyntaxError:  # a part of a statement
        return False
    value = call.value if isinstance(call, ast.Assign) else None
    if not isinstance(value, ast.Call) or (place := _MASKS.get(ast.unparse(value.func))) is None:
        return False
    mask = value.args[place] if place < len(value.args) else None
    if not isinstance(mask, ast.Call) or ast.unparse(mask.func) != _VIEW:
        return False
    *_, last = ast.unparse(mask.args[2]).strip("()").rstrip(",").split(", ")
    return last != "1"
