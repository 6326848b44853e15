"""Text that strangers wrote is data: nothing in it may pass for our marks when a model is given it."""

import re

_FORGED = re.compile(
    r"<(?=\s*/?\s*(?:passages?|question|history|document|system|user|assistant|tool|\||think|/?s>))", re.IGNORECASE
)
_CHAT_TOKEN = re.compile(r"\[(?=/?(?:INST|SYS)\])|<(?=<\s*/?SYS>>)", re.IGNORECASE)


def disarm(text: str) -> str:
    """Take from text the power to look like the delimiters of our prompts or a chat template."""
    return _CHAT_TOKEN.sub("(", _FORGED.sub("‹", text))
