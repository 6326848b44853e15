"""Internal identifiers; outside ids (Telegram's) are mapped to them in one table each."""

from typing import NewType

PersonId = NewType("PersonId", int)
ChatId = NewType("ChatId", int)
NotebookId = NewType("NotebookId", int)
SourceId = NewType("SourceId", int)
ChunkId = NewType("ChunkId", int)
QuestionId = NewType("QuestionId", int)
AnswerId = NewType("AnswerId", int)
BurstId = NewType("BurstId", int)
ModelId = NewType("ModelId", int)

ReplyTo = NewType("ReplyTo", str)
"""Where and how to answer, in the words of the face that asked (bot/reply_to.py); opaque to core."""
