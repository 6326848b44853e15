"""What a Telegram message means: something to keep, something to ask, both, or nothing that can be read."""

from __future__ import annotations

import re
from dataclasses import dataclass

from aiogram.types import Message

from bot.incoming_files import file_of, origin_of, sound_of
from bot.message_links import LINKS_LIMIT, Links, links_of
from core.library.add_source import Incoming
from core.library.manage_notebooks import as_title
from core.library.take_in import Arrival, arrival_of_links
from core.model.source import Reason, SourceKind, Upload
from core.ports import Refused

PASTE_CHARACTERS = 700
"""A typed text this long is something to keep: questions are shorter, and one button flips a wrong guess."""
PASTE_LINES = 6
"""So is one of as many lines."""
PARAGRAPH_CHARACTERS, PARAGRAPH_SENTENCES = 250, 3
"""And a paragraph: several sentences that ask nothing."""
FEW_WORDS = 100
"""Characters beside links up to which a message is its links; with more it is a text that mentions them."""
UNREADABLE = frozenset({
    "sticker", "poll", "contact", "location", "venue", "dice", "game", "story", "checklist", "animation",
})  # fmt: skip
"""Contents without anything to read."""

_SENTENCE_END = re.compile(r"[.!…](?=\s|$)")
_ASKING = re.compile(
    r"(?:что|кто|кого|кому|чего|чему|чем|где|когда|куда|откуда|почему|зачем|отчего|сколько|ч(?:ей|ья|ьё|ьи)|"
    r"как(?:ой|ая|ое|ие|ую|ого|им|их)?|котор(?:ый|ая|ое|ые)|о чём|о чем|про что|"
    r"(?:кратко |коротко )?(?:объясни|поясни|расскажи|перескажи|опиши|изложи)|найди|выпиши|выдели|перечисли|"
    r"назови|переведи|сравни|резюмируй|сделай|составь|напиши|подготовь|проверь|реши|посчитай|"
    r"what|who|whom|whose|where|when|why|how|which|explain|describe|tell me|list the|find|summari[sz]e|compare|"
    r"translate|make me|write|give me|show me)(?:те)?(?!\w)",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Meaning:
    """What a message brings, and what it asks of that ("" for nothing)."""

    arrival: Arrival
    question: str = ""


def meaning_of(message: Message, *, words: str | None = None, may_ask: bool = True) -> Meaning:
    """Read a message as something to keep.

    Args:
        message: The message.
        words: Its text or caption without what addresses the bot; None: as it stands.
        may_ask: Its sender speaks to the bot: words under a file may be a request. Not so for a forward.
    """
    links = links_of(message)
    said = (message.text or message.caption or "") if words is None else words
    may_ask = may_ask and message.forward_origin is None
    if message.text:
        return _of_text(message, links, may_ask=may_ask)
    question = said.strip() if may_ask and asks(said) else ""
    item = file_of(message, caption="" if question else said.strip())
    if isinstance(item, Refused):
        return Meaning(Arrival(refused=(item,)))
    return Meaning(Arrival((item,), _left_out(links), links.addresses), question)


def is_for_keeping(message: Message) -> bool:
    """Tell, of a message in a private chat, whether it is a source (with or without a request) or only a request."""
    if message.photo or message.document or sound_of(message) is not None or message.content_type in UNREADABLE:
        return True
    text = message.text or ""
    if not text or text.startswith("/"):
        return False
    if message.forward_origin is not None or is_its_links(message, links_of(message)):
        return True
    return len(text) >= PASTE_CHARACTERS or text.count("\n") >= PASTE_LINES or _is_paragraph(message)


def asks(words: str) -> bool:
    """Tell whether words ask or order something; long ones describe what they are written under."""
    return len(words) < PASTE_CHARACTERS and ("?" in words or _ASKING.match(words.strip()) is not None)


def is_its_links(message: Message, links: Links) -> bool:
    """Tell whether a text is nothing but links, or links with a few words, a question among them."""
    if not message.text or not links.addresses:
        return False
    return not links.rest or (links.certain and len(links.rest) < FEW_WORDS)


def may_belong_to_what_follows(message: Message) -> bool:
    """Tell whether a request may be the heading of files that its sender is about to send."""
    return "?" not in (message.text or "") and message.reply_to_message is None and message.quote is None


def _is_paragraph(message: Message) -> bool:
    """Tell several sentences of prose, or a text that mentions links, from a question with its background."""
    text = message.text or ""
    if "?" in text:
        return False
    links = links_of(message)
    if links.certain and len(links.rest) >= FEW_WORDS:
        return True
    return len(text) >= PARAGRAPH_CHARACTERS and len(_SENTENCE_END.findall(text)) >= PARAGRAPH_SENTENCES


def _of_text(message: Message, links: Links, *, may_ask: bool) -> Meaning:
    """Make a source of each link of a message that is its links; of any other text one that offers its links."""
    text, origin = message.text or "", origin_of(message)
    if is_its_links(message, links):
        question = links.rest if may_ask and asks(links.rest) else ""
        caption = "" if question else links.rest
        arrival = arrival_of_links(links.addresses, caption=caption, origin=origin, refused=_left_out(links))
        return Meaning(arrival, question)
    words = Incoming(SourceKind.TEXT, as_title(text.strip().split("\n")[0], 60), Upload(text=text), origin)
    return Meaning(Arrival((words,), _left_out(links), links.addresses))


def _left_out(links: Links) -> tuple[Refused, ...]:
    if not links.left_out:
        return ()
    return (Refused("", None, Reason("links-too-many", {"limit": LINKS_LIMIT, "count": links.left_out})),)
