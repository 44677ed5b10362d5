"""A wrapper that Inductor wrote for a GPU, loaded so that it runs on the CPU: allocations, devices, attention, strides."""

import contextlib
import re
from collections.abc import Callable
from typing import Any

import torch

from compiler.engine.cross_compile.attention_reference import written_out
from compiler.engine.laid_out import laid_out as in_memory_as

_ATTENTION = re.compile(r"torch\.ops\.aten\.(_scaled_dot_product_\w+)\.default\(")
_STRIDES = re.compile(r"^(\s*)assert_size_stride\((\w+), (.*)$", re.MULTILINE)
_REPLACED = (
    (re.compile(r"torch\._C\._dynamo\.guards\._empty_strided_cuda"), "torch._C._dynamo.guards._empty_strided_cpu"),
    (re.compile(r"with torch\.cuda\._DeviceGuard\(\d+\):"), "with _loupe_nothing():"),
    (re.compile(r"torch\.cuda\.set_device\(\d+\)"), "pass"),
    (re.compile(r"^from torch\._C import _cuda_getCurrentRawStream as get_raw_stream$", re.MULTILINE),
     "get_raw_stream = lambda index: 0"),
    (re.compile(r"device\(type='cuda', index=\d+\)"), "device(type='cpu')"),
    (re.compile(r"(['\"])cuda(?::\d+)?\1"), "'cpu'"),
    (re.compile(r"^(\s*)assert_alignment\(.*$", re.MULTILINE), r"\1pass"),
)  # fmt: skip


def load(text: str) -> Callable[[list[Any]], Any]:
    """The wrapper's ``call``. Kernels are what ``AsyncCompile.triton`` gives. Raises what importing it raises."""
    sources = _kernel_texts(text)
    for mark, source in sources.items():
        text = text.replace(source, mark)
    for pattern, instead in _REPLACED:
        text = pattern.sub(instead, text)
    text = _ATTENTION.sub(r"_loupe_attention('\1')(", text)
    text = _STRIDES.sub(r"\1\2 = _loupe_laid_out(\2, \3", text)
    for mark, source in sources.items():
        text = text.replace(mark, source)
    names: dict[str, Any] = {
        "__name__": "loupe_wrapper",
        "__file__": "wrapper.py",
        "_loupe_nothing": contextlib.nullcontext,
        "_loupe_attention": _attention,
        "_loupe_laid_out": laid_out,
    }
    exec(compile(text, "<wrapper on the CPU>", "exec"), names)
    call: Callable[[list[Any]], Any] = names["call"]
    return call


def _kernel_texts(text: str) -> dict[str, str]:
    """What stands between triple quotes, which is left as it is; by a mark to stand for it."""
    found = re.findall(r"async_compile\.triton\('\w+', '''(.*?)'''", text, re.DOTALL)
    return {f"<kernel text {number}>": source for number, source in enumerate(dict.fromkeys(found))}


def _attention(name: str) -> Callable[..., Any]:
    found = written_out(name)
    if found is None:
        raise NotImplementedError(f"{name} runs on a GPU only")
    return found


def laid_out(
    value: torch.Tensor, size: tuple[int, ...], stride: tuple[int, ...], *_reported: Any
) -> torch.Tensor:
    """The tensor with the strides that the GPU's library would have given; the CPU's may give others."""
    if tuple(value.stride()) == tuple(stride):
        return value
    return in_memory_as(value, stride)
