"""Torch's dispatcher: which operators there are, their tables, the keys of tensors, and shims around kernels."""

import re
from collections.abc import Callable
from typing import Any

import torch

GIVES = "dispatch tables and traces"
NEEDS = (
    "torch._C:_dispatch_get_all_op_names",
    "torch._C:_dispatch_dump_table",
    "torch._C:_dispatch_dump",
    "torch._C:_dispatch_keys",
    "torch.autograd:_get_sequence_nr",
    "torch.library:get_kernel",
)

_ROW = re.compile(r"^(\w+): (fallthrough )?(.*?)(?: \[(.*)\])?$")
_REGISTERED = re.compile(r"registered at (\S+?):(\d+)")
_ENTRY = re.compile(r"^(\w+(?:\[alias\])?)( \(inactive\))?: (?:fallthrough )?registered at (\S+?):(\d+)")


def names() -> list[str]:
    """Every operator overload there is now, ``aten::add.Tensor``."""
    return sorted(torch._C._dispatch_get_all_op_names())


def table(name: str) -> list[tuple[str, bool, str, str, int]]:
    """(key, falls through, path, kind, line) of every key, as torch computed them; empty for an unknown name and for what can't be one."""
    try:
        dumped = torch._C._dispatch_dump_table(name)
    except (
        RuntimeError,
        UnicodeDecodeError,
    ):  # torch's parser of schemas takes names apart, and what it says may break in a letter
        return []
    rows = []
    for line in dumped.splitlines():
        if found := _ROW.match(line):
            key, through, rest, kind = found.groups()
            where = _REGISTERED.search(rest)
            path, number = (where[1], int(where[2])) if where else ("", 0)
            rows.append((key, bool(through), path, kind or "", number))
    return rows


def registrations(name: str) -> tuple[str, list[tuple[str, bool, str, int]]]:
    """(schema, (key, active, path, line) of all that was registered)."""
    schema, rows = "", []
    for line in torch._C._dispatch_dump(name).splitlines():
        if line.startswith("schema: "):
            schema = line.removeprefix("schema: ")
        elif (found := _ENTRY.match(line)) and found[1] != "debug":
            rows.append((found[1], not found[2], found[3], int(found[4])))
    return schema, rows


def keys_of(value: torch.Tensor) -> list[str]:
    """The keys that a tensor carries, the highest first."""
    return split_keys(torch._C._dispatch_keys(value))


def split_keys(key_set: Any) -> list[str]:
    """The keys of a set, the highest first."""
    inside = str(key_set).removeprefix("DispatchKeySet(").removesuffix(")")
    return [key for key in reversed(inside.split(", ")) if key]


def priorities() -> dict[str, int]:
    """How early the dispatcher looks at each runtime key; 0 is looked at first."""
    return {key: index for index, key in enumerate(split_keys(torch._C._dispatch_keyset_full()))}


def kernel(name: str, key: str) -> Any:
    """What is called for a key of an operator. Raises RuntimeError."""
    return torch.library.get_kernel(name, key)


def library(space: str) -> Any:
    """What shims of a namespace are registered with."""
    return torch.library.Library(space, "IMPL")


def replace(library: Any, name: str, shim: Callable[..., Any], key: str) -> None:
    """Put a shim that is given the key set first in the place of a kernel. Raises RuntimeError."""
    short = name.partition("::")[2]
    library.impl(short, shim, key, with_keyset=True, allow_override=True)


def give_back(library: Any) -> None:
    """Take all shims of a library out again."""
    library._destroy()


def parameter_types(name: str) -> list[str]:
    """The types of an operator's parameters, as its schema writes them."""
    return [str(argument.type) for argument in overload(name)._schema.arguments]


def overload(name: str) -> Any:
    """The operator overload of that name, ``aten::add.Tensor``."""
    space, _, rest = name.partition("::")
    short, _, which = rest.partition(".")
    return getattr(getattr(getattr(torch.ops, space), short), which or "default")


def next_sequence() -> int:
    """The number that autograd gives to the next node of this thread."""
    return int(torch.autograd._get_sequence_nr())


def running_backward() -> tuple[bool, int | None]:
    """(whether autograd runs a backward on this thread, the sequence number of the node it is at)."""
    if torch._C._current_graph_task_id() == -1:
        return False, None
    node: Any = torch._C._current_autograd_node()  # None between nodes, whatever the stub says
    return True, node._sequence_nr() if node is not None else None


def sequence_number(value: Any) -> int | None:
    """That of the autograd node that made a tensor."""
    node = value.grad_fn if isinstance(value, torch.Tensor) else None
    return node._sequence_nr() if node is not None else None
