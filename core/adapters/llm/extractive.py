"""The stand-in when no language model is configured: it only quotes."""

from core.answering.extractive import ExtractiveAnswer, extract_answer

NAME = "extractive"
"""What `Answer.model` says for such an answer."""

__all__ = ["NAME", "ExtractiveAnswer", "extract_answer"]
