"""One streamed turn of a chat model: what it showed, what it called, how it ended."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from openai.types.chat import ChatCompletionChunk

from core.adapters.llm.stream_filter import StreamFilter
from core.adapters.llm.tool_calls import REFUSE, ToolCalls
from core.errors import PermanentError, TransientError
from core.ports.models import ModelReply


@dataclass(slots=True)
class StreamedTurn:
    """What one turn came to, as far as it has been streamed.

    Attributes:
        show: Decides what of the text may be seen.
        calls: The tools it called.
        finish: The endpoint's reason, "" without one.
        shown: The text that has been given away.
    """

    show: StreamFilter
    calls: ToolCalls = field(default_factory=ToolCalls)
    finish: str = ""
    shown: str = ""

    @property
    def refused(self) -> bool:
        """Whether the model said that the sources do not hold the answer."""
        return self.show.refused or any(call.name == REFUSE for call in self.calls.calls)

    def take(self, chunk: ChatCompletionChunk) -> str:
        """Put a chunk into the turn; give what of it may be shown now."""
        if not chunk.choices:
            return ""
        choice = chunk.choices[0]
        self.finish = choice.finish_reason or self.finish
        if choice.delta is None:
            return ""
        for call in choice.delta.tool_calls or ():
            self.calls.add(call)
        shown = self.show.feed(choice.delta.content or "")
        self.shown += shown
        return shown

    def end(self) -> str:
        """The stream is over: give what was held back.

        Raises:
            PermanentError: The service withheld the answer.
            TransientError: There is no answer.
        """
        rest = self.show.finish()
        self.shown += rest
        if self.finish == "content_filter":
            raise PermanentError("llm-content-filter")
        if not self.shown.strip() and not self.refused:
            raise TransientError("llm-empty")
        return rest

    def ending(self) -> Iterator[ModelReply]:
        """Give the last replies; same errors."""
        rest = self.end()
        if rest:
            yield ModelReply(rest)
        yield ModelReply(finish="refused" if self.refused else self._how())

    def _how(self) -> str:
        """Tell a cut-off answer; a stream without a reason was cut off unless a sentence ends there."""
        if self.finish:
            return "length" if self.finish == "length" else "stop"
        return "stop" if self.shown.rstrip()[-1] in '.!?…»")]】`|' else "length"
