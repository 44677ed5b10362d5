"""Calls that Dynamo can't take in."""

import contextlib
import copy
import inspect
import itertools
import logging
import os
import re
import threading
import time
import traceback
import unittest

import torch
import torch._dynamo.comptime

logger = logging.getLogger("registry_cases")
lock = threading.Lock()
pattern = re.compile("a+")


def example_inputs():
    return (torch.randn(4),)


def builtin_print(x):
    y = x + 1
    print("shape", end="")  # GB0059
    return y


def sleep(x):
    y = x + 1
    time.sleep(0)  # GB0007
    return y


def skipped_python_function(x):
    y = x + 1
    traceback.format_stack()  # GB0007
    return y


@torch.compiler.disable
def _disabled(x):
    return x + 1


def disabled_function(x):
    y = x * 2
    return _disabled(y) * 2  # GB0098


class _Holder:
    @torch.compiler.disable
    def method(self, x):
        return x * 2


holder = _Holder()


def disabled_method(x):
    return holder.method(x + 1) + 1  # GB0099


def asked_for(x):
    y = x + 1
    torch._dynamo.graph_break()  # GB0025
    return y * 2


def skip_frame(x):
    y = x + 1
    torch._dynamo.skip_frame()  # GB4297
    return y * 2


def step_unsupported(x):
    y = x + 1
    torch._dynamo.step_unsupported()  # GB0275
    return y * 2


def comptime_break(x):
    y = x + 1
    torch._dynamo.comptime.comptime(lambda ctx: ctx.graph_break())  # GB0030
    return y


def log_warning(x):
    y = x + 1
    logger.debug("here")  # GB0291
    return y


def deepcopy_tensor(x):
    return copy.deepcopy(x + 1) * 2  # GB4198


def deepcopy_module(x):
    return copy.deepcopy(logger) and x + 1  # GB0150


def identity(x):
    y = x + 1
    number = id(y)
    return y * 2, number > 0  # GB4501 GB9316


def _parameters(a, b=2):
    return a + b


def signature(x):
    y = x + 1
    inspect.signature(builtin_print.__call__)  # GB0156
    return y


def group_by_tensor(x):
    return [key for key, _ in itertools.groupby([x, x], key=lambda value: value.sum())]  # GB0115 GB0152


def unit_test(x):
    y = x + 1
    unittest.TestCase().assertTrue(True)  # GB0008
    return y


def seeded(x):
    y = x + 1
    torch.Generator().manual_seed(0)  # GB0363 GB7650
    return y


generator = torch.Generator()


def seeded_global(x):
    y = x + 1
    generator.manual_seed(0)  # GB7650
    return y


def open_file(x):
    y = x + 1
    with open(os.devnull):  # GB0059 GB0142
        return y * 2


def with_lock(x):
    y = x + 1
    with lock:  # GB0142
        return y * 2


def redirected(x):
    y = x + 1
    with contextlib.redirect_stdout(None):  # GB0142 GB0262
        return y * 2


class _Own:
    def __enter__(self):
        return self

    def __exit__(self, *args):
        return None


def print_in_own_context(x):
    with _Own():
        y = x + 1
        print("", end="")  # GB0059 GB0066
        return y


def import_missing(x):
    try:
        import module_that_is_not_there  # GB0069  # noqa: F401
    except ImportError:
        pass
    return x + 1


def make_class(x):
    y = x + 1

    class Inner:  # GB8977
        size = 3

    return y * Inner.size


def inference_mode_asked(x):
    y = x + 1
    return y * 2 if torch.is_inference_mode_enabled() else y  # GB0046


def call_object(x):
    y = x + 1
    lock.acquire()  # GB0156
    lock.release()  # GB0156
    return y


def environment(x):
    y = x + 1
    os.getpid()  # GB0007
    return y


def profile_escapes(x):
    return torch.autograd.profiler.profile(), x + 1  # GB0212


def gen_items(x):  # GB0003
    for value in (1, 2):
        yield x + value


def generator_frame(x):
    total = x
    for value in gen_items(x):
        print("", end="")  # GB0059 GB7000
        total = total + value
    return total


def repr_of_tensor(x):
    return x + len(repr(x))  # GB0569


def format_of_tensor(x):
    return x + len(f"{x}")  # GB0088


def hasattr_of_method(x):
    return x + hasattr(pattern, "flags")  # GB0150


def dir_of(x):
    return x + len(dir(lock))  # GB0059


def iterate_object(x):
    first, second = iter(pattern.finditer("aa ba"))  # GB0292 GB0811
    return x + 1


def max_of_objects(x):
    return max([x.sum(), x.mean()], key=lambda value: value.item())  # GB0124 GB0193


def iterate_files(x):
    for entry in os.scandir("/"):  # GB0007 GB0811
        x = x + len(entry.name)
        break
    return x


def sleep_in_with(x):
    with torch.no_grad():
        time.sleep(0)  # GB0007
        return x + 1


def in_try(x):
    y = x + 1
    try:
        time.sleep(0)  # GB0007
    finally:
        y = y + 1
    return y


def in_comprehension(x):
    return [
        x + value
        for value in range(2)
        if time.time() > 0  # GB0007 GB7000
    ]


def random_number(x):
    import random

    return x + random.SystemRandom().random()  # GB0008 GB0156


def date(x):
    import datetime

    return x + datetime.datetime.now().year  # GB0156


def json_text(x):
    import json

    return x + len(json.dumps([1]))  # GB0156


def pickled(x):
    import pickle

    return x + len(pickle.dumps(1))  # GB0007


def executed(x):
    exec("pass")  # GB0059
    return x + 1


def read_input(x):
    y = x + 1
    breakpoint_hook = getattr(logger, x.dtype.__repr__()[:0] + "name")
    return y + len(breakpoint_hook)  # GB4841


def warned(x):
    import warnings

    warnings.warn("a", stacklevel=1)  # GB0007
    return x + 1


class _Counter:
    def __next__(self):
        return 1


def property_of_lock(x):
    return x + lock.locked()  # GB0156


def leaf_of_world(x):
    return x + threading.current_thread().ident * 0  # GB0007


def bound_wrongly(x):
    try:
        return _parameters(x, 1, 2, 3)  # GB7312
    except TypeError:
        return x
