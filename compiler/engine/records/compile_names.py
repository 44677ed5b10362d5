"""One id for each compile of a process, also where torch counts them from 0/0 again."""

from compiler.model.capture.compile_ids import compile_id


class CompileNames:
    """Notices that torch counts again, which it does after `torch._dynamo.reset()`."""

    def __init__(self) -> None:
        self._generation = 1
        self._compiles = 0

    def begin(self, torch_id: str, compiles: int) -> str:
        """The id of the compile that begins; compiles: how many torch has counted with it."""
        if compiles <= self._compiles:
            self._generation += 1
        self._compiles = compiles
        return self.now(torch_id)

    def now(self, torch_id: str) -> str:
        """The id of what torch calls so now."""
        return compile_id(torch_id, self._generation)
