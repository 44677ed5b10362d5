"""Python objects, attributes and exceptions that Dynamo does not model."""

import collections
import dataclasses
import enum
import operator
import sys
import typing

import torch
from torch import nn

_INPUTS = {}
_SETTINGS = {}


def example_inputs():
    return (torch.randn(4),)


class _Plain:
    def __init__(self):
        self.size = 2


class _Other(_Plain):
    pass


plain = _Plain()


def class_assigned(x):
    made = _Plain()
    made.__class__ = _Other  # GB4271
    return x + made.size


class _OddModule(nn.Module):
    def __getattribute__(self, name):
        return super().__getattribute__(name)

    def forward(self, x):
        return x + self.bias

    def __init__(self):
        super().__init__()
        self.bias = 1


odd_module = _OddModule()


class _Getattr:
    __getattr__ = operator.attrgetter("nothing")


class _Slow:
    def __bool__(self):
        return bool(TENSOR.sum() > 0)  # GB0124


TENSOR = torch.ones(3)
slow = _Slow()


def truth_of_object(x):
    return x + 1 if slow else x - 1


class _Str(_Plain):
    def __str__(self):
        return "a"


class _Typed(typing.TypedDict, total=False):
    size: int


def typed_dict(x):
    return x + _Typed(size=2)["size"]  # GB0257


def exception_attribute(x):
    try:
        raise ValueError("a")
    except ValueError as error:
        error.size = 3  # GB0135
    return x + 1


def exception_keywords(x):
    try:
        raise ImportError("a", name="b")  # GB0273
    except ImportError:
        return x + 1


def last_instruction(x):
    try:
        raise ValueError("a")
    except ValueError as error:
        return x + error.__traceback__.tb_lasti  # GB9625


class _Wide(torch.Tensor):
    pass


QUEUE = collections.deque([1, 2], maxlen=2)


class _Color(enum.Enum):
    RED = 1


def frame_of_caller(x):
    return x + sys._getframe().f_lineno  # GB0007


blocks = nn.ModuleList([nn.Identity(), nn.Identity()])


def module_list_by_tensor(x):
    return blocks[int(x.sum() * 0)](x)  # GB0124


@dataclasses.dataclass(frozen=True)
class _Frozen:
    size: int

    def __post_init__(self):
        pass


class _Sized:
    def __len__(self):
        return int(TENSOR.sum())  # GB0124


sized = _Sized()


def length_by_tensor(x):
    return x + len(sized)


class _Hash:
    def __hash__(self):
        return int(TENSOR.sum())  # GB0124

    def __eq__(self, other):
        return True


hashed = _Hash()


def hash_by_tensor(x):
    return x + {hashed: 1}[hashed]


def in_function_scope_global(x):
    global COUNT
    COUNT = x.sum()
    print("", end="")  # GB0059
    return x + COUNT


COUNT = 0


def format_by_tensor(x):
    return x + len(f"{x}")  # GB0088


def string_of_class(x):
    return x + len("%s" % plain)  # GB0088


def bytes_of(x):
    return x + memoryview(b"abc")[0]  # GB0059 GB4880


def array_of(x):
    import array

    return x + array.array("i", [1, 2])[0]  # GB0147 GB4880


def _raises(x):
    y = x + 1
    raise ValueError(y.shape)  # GB0088


def raise_in_inner(x):
    try:
        torch._dynamo.graph_break()  # GB0025
        return _raises(x)
    except ValueError:
        return x + 1


def _items(x):  # GB0003
    yield x + 1
    yield x + 2


def generator_top(x):
    total = x
    for i in range(2):
        torch._dynamo.graph_break()  # GB0025 GB7000
        for value in _items(x):
            total = total + value
    return total


def deleted_variable(x):
    y = x + 1
    del y
    try:
        return y  # GB0011
    except UnboundLocalError:
        return x


def match_object(x):
    match [x]:
        case [value] if value.sum() > 0:  # GB0170
            return value
        case _:
            return x


class _Descriptor:
    __slots__ = ("size",)


slotted = _Descriptor()
slotted.size = 2


class _Meta(type):
    def __getattribute__(cls, name):
        return super().__getattribute__(name)


class _WithMeta(metaclass=_Meta):
    size = 2


class _ReprMade:
    def __repr__(self):
        return str(TENSOR.sum().item())  # GB0124


def repr_by_tensor(x):
    return x + len(repr(_ReprMade()))


def repr_of_list(x):
    return x + len(repr([x]))  # GB0569


def repr_of_dict(x):
    return x + len(repr({"a": x}))  # GB0569


def list_compare(x):
    return x + ([x.sum()] < [x.sum() + 1])  # GB6622


class _Index:
    def __init__(self):
        self.table = {}


index = _Index()


def tensor_key_in_dictionary(x):
    index.__dict__[str(x.sum().item())[:0] + "b"] = 3  # GB0124
    return x + 1


def count_letters(x):
    return x + collections.Counter("aab").most_common(1)[0][1]  # GB0059 GB0092


def simple_namespace(x):
    import types

    return x + types.SimpleNamespace(a=1).a  # GB0147


def date_difference(x):
    import datetime

    return x + datetime.timedelta(days=1).days  # GB0147


def local_thread(x):
    import threading

    held = threading.local()  # GB0147
    held.size = 1
    return x + held.size


def context_variable(x):
    return x + VARIABLE.get()  # GB0156


import contextvars  # noqa: E402

VARIABLE = contextvars.ContextVar("VARIABLE", default=1)


def text_stream(x):
    import io

    stream = io.StringIO()  # GB0156
    stream.write("a")  # GB0156
    return x + len(stream.getvalue())  # GB0156


def attribute_of_function(x):
    attribute_of_function.calls = 1  # GB0467
    return x + 1


def import_star(x):
    import importlib

    return x + importlib.import_module("math").pi  # GB0007


def cell_of_closure(x):
    def inner():
        return x + 1

    return inner.__closure__[0].cell_contents + 1  # GB0088
