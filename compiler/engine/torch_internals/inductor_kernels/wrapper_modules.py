"""Loading a generated wrapper's text as a module: its kernels are built, those built before are found again."""

from types import ModuleType

from torch._inductor.codecache import PyCodeCache

GIVES = "running edited kernels"
NEEDS = (
    "torch._inductor.codecache:PyCodeCache.write",
    "torch._inductor.codecache:PyCodeCache.load_by_key_path",
)


def load_wrapper(text: str, like: ModuleType) -> ModuleType:
    """The module of an edited wrapper, with the constants of the one it comes from. Raises what building raises."""
    key, path = PyCodeCache.write(text)
    fresh = PyCodeCache.load_by_key_path(key, path, attrs={})
    for name, value in vars(like).items():
        if (
            vars(fresh).get(name) is None
        ):  # torch writes `_tensor_constant0 = None`, and sets it when it loads
            setattr(fresh, name, value)
    return fresh
