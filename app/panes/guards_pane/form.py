"""The tester's form as data: what can be changed, and what a filled form asks for."""

import re
from dataclasses import dataclass

from app.translation.texts import tr
from compiler.model.capture.capture_spec import ArgumentSpec
from compiler.model.capture.guards import GuardTree
from compiler.model.guard_testing.guard_tests import GuardChange, NewValue, TensorChange

TENSOR, VALUE, ATTRIBUTE, GLOBAL = "tensor", "argument", "attribute", "global"
_CONSTANTS = ("EQUALS_MATCH", "TRUE_MATCH", "FALSE_MATCH", "NONE_MATCH")
_GLOBAL = re.compile(r"^G\['(\w+)'\]((?:\.\w+)*)$")
_ATTRIBUTE = re.compile(r"^L\['(\w+)'\]((?:\._modules\['\w+'\]|\.\w+)+)$")
_EMPTY = GuardChange()


class FormError(ValueError):
    """A cell of the form cannot be read; the message says which."""


@dataclass(frozen=True)
class FormRow:
    """One thing that can be changed. Texts are as a person writes them."""

    kind: str
    name: str
    shape: str = ""
    dtype: str = ""
    stride: str = ""
    requires_grad: bool = False
    value: str = ""


def rows_of(arguments: tuple[ArgumentSpec, ...], tree: GuardTree | None) -> tuple[FormRow, ...]:
    """Arguments of a frame, then attributes and globals that its guards fix to a value."""
    rows = [
        FormRow(TENSOR, item.name, ", ".join(map(str, item.shape)), item.dtype, "", item.requires_grad)
        if item.kind == "tensor"
        else FormRow(VALUE, item.name, value=item.text)
        for item in arguments
    ]
    known = {item.name for item in arguments}
    for node in tree.nodes if tree is not None else ():
        codes = [leaf.code[0] for leaf in node.leaves if leaf.kind in _CONSTANTS and leaf.code]
        if not codes:
            continue
        value = codes[0].rpartition(" == ")[2] if " == " in codes[0] else codes[0].rpartition(" is ")[2]
        if match := _GLOBAL.match(node.source):
            name = _module_name(match[1]) + match[2]
            if not name.startswith("__") and "._" not in name:
                rows.append(FormRow(GLOBAL, name, value=value))
        elif (match := _ATTRIBUTE.match(node.source)) and match[1] not in known:
            path = re.sub(r"\._modules\['(\w+)'\]", r".\1", match[2])
            if not path.endswith(".training") and "._" not in path:
                rows.append(FormRow(ATTRIBUTE, match[1] + path, value=value))
    return tuple(rows)


def _module_name(name: str) -> str:
    """Dynamo's name of a module that a called function lives in, as Python spells it."""
    return name.removeprefix("__import_").replace("_dot_", ".") if name.startswith("__import_") else name


def change_from(
    before: tuple[FormRow, ...], after: tuple[FormRow, ...], training: bool | None, gradients: bool | None
) -> GuardChange:
    """What a person changed in the form. Raises FormError."""
    tensors: list[TensorChange] = []
    values: dict[str, list[NewValue]] = {VALUE: [], ATTRIBUTE: [], GLOBAL: []}
    for old, new in zip(before, after, strict=True):
        if old == new:
            continue
        if new.kind == TENSOR:
            tensors.append(
                TensorChange(
                    new.name,
                    _numbers(new.shape, tr("shape of {name}").format(name=new.name))
                    if new.shape != old.shape
                    else None,
                    new.dtype.strip() if new.dtype != old.dtype else None,
                    _numbers(new.stride, tr("stride of {name}").format(name=new.name))
                    if new.stride.strip()
                    else None,
                    new.requires_grad if new.requires_grad != old.requires_grad else None,
                )
            )
        else:
            values[new.kind].append(NewValue(new.name, new.value))
    return GuardChange(
        tuple(tensors),
        tuple(values[VALUE]),
        tuple(values[ATTRIBUTE]),
        tuple(values[GLOBAL]),
        training,
        gradients,
    )


def _numbers(text: str, what: str) -> tuple[int, ...]:
    parts = [part.strip() for part in text.strip().strip("()[]").split(",") if part.strip()]
    if not all(part.isdecimal() for part in parts):
        raise FormError(
            tr("The {what} must be whole numbers with commas, such as 8, 128; it is {text!r}.").format(
                what=what, text=text
            )
        )
    return tuple(map(int, parts))


def describe(change: GuardChange) -> str:
    """What is tried, for the heading of the result."""
    parts = []
    for tensor in change.tensors:
        given = (("shape", tensor.shape), ("dtype", tensor.dtype), ("stride", tensor.stride))
        reported = [f"{name} {value}" for name, value in given if value is not None]
        reported += [f"requires_grad={tensor.requires_grad}"] if tensor.requires_grad is not None else []
        parts.append(f"{tensor.argument}: {', '.join(reported)}")
    parts += [f"{item.name} = {item.text}" for item in (*change.values, *change.attributes, *change.globals)]
    parts += [] if change.training is None else ["train()" if change.training else "eval()"]
    parts += (
        [] if change.gradients is None else [tr("grad mode on") if change.gradients else tr("grad mode off")]
    )
    return "; ".join(parts) if change != _EMPTY else tr("the inputs as captured")
