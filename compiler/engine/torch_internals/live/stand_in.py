"""What stands in for a function that a backend gave: it has all that the function has. A backend of the program's own asks for more of it
than to be called (vLLM's has what `compile_fx` gives written to a file by its ``serialize``).
"""

from typing import Any


class StandIn:
    """Gives what it does not have itself of the function that it stands for, which is the attribute `_FUNCTION`."""

    _FUNCTION = "function"

    def __getattr__(self, name: str) -> Any:
        function = None if name.startswith("__") else self.__dict__.get(self._FUNCTION)
        if function is None:
            raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")
        return getattr(function, name)
