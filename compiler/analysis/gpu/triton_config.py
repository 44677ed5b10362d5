"""With which block sizes, warps and stages a Triton kernel of Inductor's is launched: read from its source, and changed in it.

Most kernels leave that to a heuristic (``@triton_heuristics.pointwise(size_hints=…)``), which gives several candidates; a
choice replaces it by Inductor's own ``user_autotune``. Templates (matrix products, attention) name theirs themselves.
Either way the result is a kernel's source, so that it is edited, undone, kept and run as any other.
"""

import ast
import re

import msgspec

_HEURISTICS = "triton_heuristics"
_KEPT = ("filename", "triton_meta", "inductor_meta")


class ConfigurationError(ValueError):
    """A choice that cannot be made of a kernel; the message says why."""


class KernelConfiguration(msgspec.Struct, frozen=True):
    """One candidate."""

    blocks: tuple[tuple[str, int], ...]
    """``XBLOCK`` and their like."""
    warps: int
    stages: int


def with_configurations(source: str, configurations: tuple[KernelConfiguration, ...]) -> str:
    """The source with these candidates in place of its own. Raises ConfigurationError."""
    if not configurations:
        raise ConfigurationError("A kernel needs a configuration.")
    for row in configurations:
        _check(row)
    decorator = _decorator(source)
    name = decorator.func.attr if isinstance(decorator.func, ast.Attribute) else ""
    if name == "template":
        return _as_template(source, decorator, configurations)
    own = {keyword.arg: keyword.value for keyword in decorator.keywords}
    kept = [f"    {key}={ast.get_source_segment(source, own[key])},\n" for key in _KEPT if key in own]
    rows = "".join(f"        {_as_text(row)},\n" for row in configurations)
    return _replaced(
        source,
        decorator,
        f"{_HEURISTICS}.user_autotune(\n    configs=[\n{rows}    ],\n{''.join(kept)})",
    )


def configurations_in(source: str) -> tuple[KernelConfiguration, ...]:
    """Candidates that the source names itself; none where a heuristic gives them. Raises ConfigurationError."""
    own = {keyword.arg: keyword.value for keyword in _decorator(source).keywords}
    if "configs" not in own:
        return ()
    try:
        rows = ast.literal_eval(own["configs"])
        return tuple(
            KernelConfiguration(
                tuple((name, value) for name, value in row.items() if not name.startswith("num_")),
                row["num_warps"],
                row["num_stages"],
            )
            for row in rows
        )
    except (ValueError, KeyError, AttributeError, TypeError) as error:
        raise ConfigurationError(f"The configurations in the source cannot be read: {error}.") from error


def _check(row: KernelConfiguration) -> None:
    for name, value in (*row.blocks, ("num_warps", row.warps)):
        if value < 1 or value & (value - 1):
            raise ConfigurationError(f"{name} = {value}: Triton takes powers of two.")
    if row.warps > 32:
        raise ConfigurationError(f"num_warps = {row.warps}: a block has 32 warps at most.")
    if row.stages < 1:
        raise ConfigurationError(f"num_stages = {row.stages}: one is the least.")


def _decorator(source: str) -> ast.Call:
    try:
        tree = ast.parse(source)
    except SyntaxError as error:
        raise ConfigurationError(f"Line {error.lineno} of the kernel is no Python: {error.msg}.") from error
    for statement in tree.body:
        for found in statement.decorator_list if isinstance(statement, ast.FunctionDef) else ():
            if (
                isinstance(found, ast.Call)
                and isinstance(found.func, ast.Attribute)
                and isinstance(found.func.value, ast.Name)
                and found.func.value.id == _HEURISTICS
            ):
                return found
    raise ConfigurationError("The kernel has no triton_heuristics decorator that says how it is launched.")


def _as_template(source: str, decorator: ast.Call, configurations: tuple[KernelConfiguration, ...]) -> str:
    """A template is generated for one configuration: sizes are constants in its body."""
    if len(configurations) > 1:
        raise ConfigurationError("A template is generated for one configuration; give one.")
    (row,) = configurations
    text = ast.get_source_segment(source, decorator) or ""
    for name, value in (("num_warps", row.warps), ("num_stages", row.stages)):
        text = re.sub(rf"\b{name}=\d+", f"{name}={value}", text)
    source = _replaced(source, decorator, text)
    for name, value in row.blocks:
        pattern = rf"^(\s*{re.escape(name)}\s*:\s*tl\.constexpr\s*=\s*)\d+"
        source, found = re.subn(pattern, rf"\g<1>{value}", source, flags=re.MULTILINE)
        if not found:
            raise ConfigurationError(f"The template has no {name}.")
    return source


def _replaced(source: str, call: ast.Call, text: str) -> str:
    lines = source.split("\n")
    first, last = call.lineno - 1, (call.end_lineno or call.lineno) - 1
    head = lines[first].encode()[: call.col_offset].decode()
    tail = lines[last].encode()[call.end_col_offset or 0 :].decode()
    return "\n".join((*lines[:first], *f"{head}{text}{tail}".split("\n"), *lines[last + 1 :]))


def _as_text(row: KernelConfiguration) -> str:
    names = [*row.blocks, ("num_warps", row.warps), ("num_stages", row.stages)]
    return "{" + ", ".join(f"'{name}': {value}" for name, value in names) + "}"
