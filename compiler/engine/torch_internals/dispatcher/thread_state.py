"""What torch leaves in the thread when compiling fails. An exception out of an inference mode that Dynamo traced leaves the mode
entered; when the exception is let go the mode ends in the middle of nowhere and puts the keys of a tracing that is over
into the thread, and from then on any call of torch ends with an INTERNAL ASSERT.
"""

import contextlib
import traceback
from collections.abc import Iterator

import torch

from compiler.engine.error_chain import chain

GIVES = "the thread as it was, after a failure under torch.compile"
NEEDS = (
    "torch:_C._ForceDispatchKeyGuard",
    "torch:_C._dispatch_tls_local_include_set",
    "torch:_C._dispatch_tls_local_exclude_set",
)
_put_back: list[object] = []
"""For ever: each would undo what it did when it is let go."""


@contextlib.contextmanager
def thread_put_back() -> Iterator[None]:
    """Where what is done in it raises, the thread's dispatch keys and grad mode are afterwards what they were before."""
    keys, gradients = _keys(), torch.is_grad_enabled()
    try:
        yield
    except BaseException as error:
        for seen in chain(error):
            traceback.clear_frames(seen.__traceback__)  # ends the modes that it left entered
        if _keys() != keys:
            guard = torch._C._ForceDispatchKeyGuard(*keys)
            guard.__enter__()
            _put_back.append(guard)
        torch.set_grad_enabled(gradients)
        raise


def _keys() -> tuple[torch._C.DispatchKeySet, torch._C.DispatchKeySet]:
    return torch._C._dispatch_tls_local_include_set(), torch._C._dispatch_tls_local_exclude_set()
