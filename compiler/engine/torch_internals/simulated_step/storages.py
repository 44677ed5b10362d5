"""Which memory lives when, seen from the tensors that come by: storages are noted when they are first seen and when they go.

GIVES: memory over a step that runs on fakes.
NEEDS: that a storage's Python object lives as long as the storage (``torch.UntypedStorage``, as
``torch.distributed._tools.mem_tracker`` relies on), ``UntypedStorage.resize_``.
"""

import contextlib
import dataclasses
import weakref
from collections.abc import Callable, Iterator
from typing import Any
from unittest.mock import patch

import torch

GIVES = "memory over the step of a program that cannot run here"
NEEDS = ("torch:UntypedStorage.resize_",)


RESIZED, BEFORE = "resize_", "what was there before"


@dataclasses.dataclass
class Piece:
    """Memory from one allocation to its release."""

    bytes: int
    begin: int
    end: int | None = None
    made_by: str = ""
    born_in: tuple[str, object] = ("", None)
    """(phase, the running call of a wrapper)."""
    died_in: tuple[str, object] = ("", None)
    sent: bool = False
    """A collective wrote or read it."""
    kind: str = ""
    """Where it is known by name."""
    name: str = ""
    holders: int = 1
    """How many storages stand for it: what waits for a collective gives another fake of the same memory."""


def is_strided(tensor: torch.Tensor) -> bool:
    """Whether it has a storage; sparse ones have not."""
    return tensor.layout == torch.strided


class Storages:
    """All that lives on one kind of device."""

    def __init__(
        self, device: str, clock: Callable[[], int], where: Callable[[], tuple[str, object]]
    ) -> None:
        self.pieces: list[Piece] = []
        self._device, self._clock, self._where = device, clock, where
        self._live: dict[int, Piece] = {}
        """By the storage's address, which is its own while it lives."""
        self.sparse: set[str] = set()
        """Names of what has no storage of its own: how much it holds depends on values."""

    def find(self, tensor: torch.Tensor) -> Piece | None:
        """The piece that a tensor lies in, where it was noted."""
        return self._live.get(tensor.untyped_storage()._cdata) if is_strided(tensor) else None

    def note(self, tensor: torch.Tensor, made_by: str, before: bool = False) -> Piece | None:
        """The tensor's memory; `before`: it was there before the step. None where it is on another device."""
        if tensor.device.type != self._device:
            return None
        if not is_strided(tensor):
            self.sparse.add(made_by)
            return None
        storage = tensor.untyped_storage()
        key = storage._cdata
        piece = self._live.get(key)
        if piece is None:
            piece = self._begin(key, storage.nbytes(), made_by, before)
            weakref.finalize(storage, self._release, key).atexit = False
        return piece

    def _begin(self, key: int, size: int, made_by: str, before: bool) -> Piece:
        begin = -1 if before else self._clock()
        piece = Piece(size, begin, made_by=BEFORE if before else made_by, born_in=self._where())
        self._live[key] = piece
        self.pieces.append(piece)
        return piece

    def share(self, tensor: torch.Tensor, same: torch.Tensor) -> None:
        """The tensor is the same memory as the other, though its fake is not."""
        piece, storage = self.find(same), tensor.untyped_storage()
        if piece is None or storage._cdata in self._live:
            return
        piece.holders += 1
        self._live[storage._cdata] = piece
        weakref.finalize(storage, self._release, storage._cdata).atexit = False

    def _release(self, key: int) -> None:
        piece = self._live.pop(key, None)
        if piece is None:
            return
        piece.holders -= 1
        if not piece.holders:
            piece.end, piece.died_in = self._clock(), self._where()

    def resized(self, storage: Any, size: int) -> None:
        """A storage has another size from now on: FSDP2 frees and fills what it gathers so."""
        key = storage._cdata
        piece = self._live.get(key)
        if piece is None:
            piece = self._begin(key, size, RESIZED, before=False)
            weakref.finalize(storage, self._release, key).atexit = False
        elif piece.bytes != size:
            piece.holders = 1
            self._release(key)
            fresh = self._begin(key, size, RESIZED, before=False)
            fresh.sent, fresh.kind, fresh.name = piece.sent, piece.kind, piece.name

    @contextlib.contextmanager
    def watching_resizes(self, belongs: Callable[[Any], bool]) -> Iterator[None]:
        """While this is entered, `resized` is told of every storage that `belongs` to a fake."""
        kind: Any = torch.UntypedStorage
        original = kind.resize_

        def resize(storage: Any, size: int) -> Any:
            result = original(storage, size)
            if belongs(storage):
                self.resized(storage, int(size))
            return result

        with patch.object(kind, "resize_", resize):
            yield
