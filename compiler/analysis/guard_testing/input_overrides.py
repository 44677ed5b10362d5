"""Changes for the guard tester as a person writes them: ``x.shape=9,4``, ``times=4``, ``self.flag=False``, ``SCALE=3.0``."""

import msgspec

from compiler.model.guard_testing.guard_tests import FrameInputs, GuardChange, NewValue, TensorChange

_FLAGS = {"True": True, "False": False}
_OF_TENSORS = ("shape", "dtype", "stride", "requires_grad", "device")


def guard_change(texts: tuple[str, ...], inputs: FrameInputs) -> GuardChange:
    """What the texts ask for, of a frame that is called with `inputs`. ``training=`` and ``gradients=`` are the modes, unless
    the frame has an argument of that name. Raises ValueError.
    """
    tensors: dict[str, TensorChange] = {}
    values, attributes, scope = list[NewValue](), list[NewValue](), list[NewValue]()
    modes: dict[str, bool] = {}
    known = {item.name: item for item in inputs.arguments}
    for text in texts:
        name, equals, value = (part.strip() for part in text.partition("="))
        if not equals or not name or not value:
            raise ValueError(f"{text!r} changes nothing; write x.shape=9,4 or self.flag=False.")
        owner, _, part = name.rpartition(".")
        root = name.partition("[")[0].partition(".")[0]
        if owner in known and known[owner].kind == "tensor" and part in _OF_TENSORS:
            before = tensors.get(owner, TensorChange(owner))
            tensors[owner] = msgspec.structs.replace(before, **{part: _read(part, value)})
        elif name in ("training", "gradients") and root not in inputs.names:
            modes[name] = _flag(name, value)
        elif root in inputs.names:
            (attributes if "." in name else values).append(NewValue(name, value))
        else:
            scope.append(NewValue(name, value))
    return GuardChange(
        tuple(tensors.values()),
        tuple(values),
        tuple(attributes),
        tuple(scope),
        modes.get("training"),
        modes.get("gradients"),
    )


def _read(part: str, value: str) -> object:
    if part in ("dtype", "device"):
        return value.removeprefix("torch.").strip("'\"")
    if part == "requires_grad":
        return _flag(part, value)
    numbers = [number.strip() for number in value.strip("()[]").split(",") if number.strip()]
    if not all(number.isdecimal() for number in numbers):
        raise ValueError(f"A {part} is whole numbers with commas, such as 8, 128; {value!r} is not.")
    return tuple(map(int, numbers))


def _flag(name: str, value: str) -> bool:
    if value not in _FLAGS:
        raise ValueError(f"{name} is True or False, not {value!r}.")
    return _FLAGS[value]
