"""How an attempt to read a file fails without anybody being to blame."""

from core.errors import PermanentError


class ExtractionFailed(PermanentError):
    """An extractor broke; its `values["code"]` is a short code for operators."""


class ExtractionTimeout(PermanentError):
    """An extractor was killed at its deadline."""


class ExtractionOutOfMemory(PermanentError):
    """An extractor was killed because its process group held too much memory."""
