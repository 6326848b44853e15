"""What a Telegram message means, before anything is done about it."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest
from aiogram.types import Message

from bot.incoming import asks, is_for_keeping, may_belong_to_what_follows, meaning_of
from bot.message_links import LINKS_LIMIT, links_of
from bot.sandbox.auto_entities import find_entities
from core.library.add_source import Incoming
from core.model.source import SourceKind

CHAT = {"id": 7, "type": "private", "first_name": "Аня"}
ANYA = {"id": 7, "is_bot": False, "first_name": "Аня"}
FORWARD = {"forward_origin": {"type": "hidden_user", "date": 1, "sender_user_name": "Деканат"}}
FILE = {"file_id": "F", "file_unique_id": "U", "file_size": 1000}
LONG = "Память хранит осмысленное дольше, чем бессмысленное, и об этом говорит каждая вторая статья о ней. " * 2


def message(text: str = "", **more: Any) -> Message:
    """A message as Telegram would deliver it: with what it marks by itself."""
    fields: dict[str, Any] = {"message_id": 5, "date": datetime(2026, 3, 1, tzinfo=UTC), "chat": CHAT, "from": ANYA}
    if text:
        fields |= {"text": text, "entities": find_entities(text)}
    return Message.model_validate(fields | more)


def captioned(caption: str, **more: Any) -> Message:
    return message(caption=caption, caption_entities=find_entities(caption), **more)


def hidden(text: str, words: str, url: str) -> dict[str, Any]:
    """A link behind words; its offset counts UTF-16 units."""
    before = text[: text.index(words)]
    offset, length = (len(one.encode("utf-16-le")) // 2 for one in (before, words))
    return {"text": text, "entities": [{"type": "text_link", "offset": offset, "length": length, "url": url}]}


def items(incoming: Message, **more: Any) -> tuple[Incoming, ...]:
    return meaning_of(incoming, **more).arrival.items


# Photos and recordings


def test_a_photo_is_an_image_by_its_largest_size() -> None:
    sizes = [
        {**FILE, "file_id": "small", "file_unique_id": "s", "width": 90, "height": 60},
        {**FILE, "file_id": "large", "file_unique_id": "l", "width": 900, "height": 600},
        {**FILE, "file_id": "middle", "file_unique_id": "m", "width": 320, "height": 200},
    ]
    (photo,) = items(captioned("доска", photo=sizes))
    assert (photo.kind, photo.title) == (SourceKind.IMAGE, "")
    upload = photo.upload
    assert (upload.remote_file, upload.unique_file, upload.caption) == ("large", "l", "доска")
    assert (upload.album, upload.parts) == ("", ())


def test_a_photo_of_an_album_is_a_part_with_its_place_and_caption() -> None:
    size = {**FILE, "width": 90, "height": 60}
    (photo,) = items(captioned("доска", photo=[size], media_group_id="A", message_id=17))
    (part,) = photo.upload.parts
    assert (part.remote_file, part.unique_file, part.place, part.caption) == ("F", "U", 17, "доска")
    assert (photo.upload.remote_file, photo.upload.album, photo.upload.caption) == ("", "A", "")


@pytest.mark.parametrize(
    ("content", "title"),
    [
        ({"voice": {**FILE, "duration": 3, "mime_type": "audio/ogg"}}, ""),
        ({"audio": {**FILE, "duration": 3, "performer": "Иванов", "title": "Лекция 3"}}, "Иванов – Лекция 3"),
        ({"audio": {**FILE, "duration": 3, "file_name": "03.mp3"}}, "03.mp3"),
        ({"video": {**FILE, "duration": 3, "width": 9, "height": 9, "file_name": "лекция.mp4"}}, "лекция.mp4"),
        ({"video_note": {**FILE, "duration": 3, "length": 240}}, ""),
    ],
)
def test_what_is_heard_is_audio(content: dict[str, Any], title: str) -> None:
    (sound,) = items(message(**content))
    assert (sound.kind, sound.title, sound.upload.remote_file) == (SourceKind.AUDIO, title, "F")


@pytest.mark.parametrize(
    "content",
    [
        {"contact": {"phone_number": "1", "first_name": "Я"}},
        {"location": {"latitude": 1.0, "longitude": 1.0}},
        {"dice": {"emoji": "🎲", "value": 1}},
        {
            "animation": {**FILE, "duration": 1, "width": 9, "height": 9, "mime_type": "video/mp4"},
            "document": {**FILE, "file_name": "кот.mp4", "mime_type": "video/mp4"},
        },
    ],
)
def test_what_holds_nothing_to_read_is_refused(content: dict[str, Any]) -> None:
    sent = message(**content)
    assert is_for_keeping(sent)
    (refusal,) = meaning_of(sent).arrival.refused
    assert refusal.reason.text_key == "source-no-text"


def test_a_file_of_an_unknown_kind_is_refused_by_name() -> None:
    (refusal,) = meaning_of(message(document={**FILE, "file_name": "setup.exe"})).arrival.refused
    assert (refusal.title, refusal.reason.text_key) == ("setup.exe", "source-not-supported")


@pytest.mark.parametrize("service", [{"new_chat_title": "x"}, {"group_chat_created": True}])
def test_what_telegram_itself_says_is_nothing_to_keep(service: dict[str, Any]) -> None:
    assert not is_for_keeping(message(**service))


# Links


@pytest.mark.parametrize(
    ("text", "kinds"),
    [
        ("https://example.org/a", [SourceKind.WEB]),
        ("example.org", [SourceKind.WEB]),
        ("https://youtu.be/dQw4w9WgXcQ?si=x", [SourceKind.YOUTUBE]),
        ("https://www.youtube.com/playlist?list=PL123456789 вся серия", [SourceKind.PLAYLIST]),
        ("😀🎓 вот статья: https://example.org/a и ещё https://example.org/b.", [SourceKind.WEB] * 2),
        ("https://example.org/a https://example.org/a", [SourceKind.WEB]),
    ],
)
def test_links_with_few_words_are_a_source_each(text: str, kinds: list[SourceKind]) -> None:
    sent = message(text)
    assert is_for_keeping(sent)
    assert [item.kind for item in items(sent)] == kinds
    assert all(item.upload.url and item.canonical_url and not item.title for item in items(sent))


def test_the_few_words_are_kept_as_the_links_caption() -> None:
    (link,) = items(message("😀🎓 вот статья: https://example.org/глава о памяти"))
    assert link.upload.url == "https://example.org/глава"
    assert link.upload.caption == "😀🎓 вот статья: о памяти"


def test_a_link_behind_words_and_one_in_the_preview_are_found() -> None:
    text = "👩‍👩‍👧‍👦 Статья и разбор"
    sent = message(
        **hidden(text, "Статья", "https://example.org/hidden"),
        link_preview_options={"url": "https://example.org/preview"},
    )
    assert links_of(sent).addresses == ("https://example.org/hidden", "https://example.org/preview")
    assert [item.upload.caption for item in items(sent)] == [text, text]


def test_the_preview_of_a_link_in_the_text_is_not_a_second_one() -> None:
    sent = message("example.org/a", link_preview_options={"url": "https://example.org/a/"})
    assert len(items(sent)) == 1


@pytest.mark.parametrize("url", ["tg://user?id=5", "mailto:a@example.org", "ftp://example.org/x"])
def test_links_of_other_programs_are_none(url: str) -> None:
    assert links_of(message(**hidden("вот он", "он", url))).addresses == ()


def test_a_longer_text_is_a_source_that_offers_its_links() -> None:
    sent = message(f"{LONG} https://example.org/a https://youtu.be/dQw4w9WgXcQ")
    assert is_for_keeping(sent)
    meaning = meaning_of(sent)
    assert [item.kind for item in meaning.arrival.items] == [SourceKind.TEXT]
    assert meaning.arrival.links == ("https://example.org/a", "https://youtu.be/dQw4w9WgXcQ")


def test_a_caption_offers_its_links_beside_the_file() -> None:
    sent = captioned("сайт курса https://example.org/course", document={**FILE, "file_name": "a.pdf"})
    meaning = meaning_of(sent)
    assert [item.kind for item in meaning.arrival.items] == [SourceKind.PDF]
    assert meaning.arrival.items[0].upload.caption == "сайт курса https://example.org/course"
    assert meaning.arrival.links == ("https://example.org/course",)


def test_of_a_catalogue_the_first_links_are_taken_and_the_rest_is_said() -> None:
    sent = message(" ".join(f"https://example.org/{number}" for number in range(LINKS_LIMIT + 7)))
    arrival = meaning_of(sent).arrival
    assert [item.upload.url[-2:] for item in arrival.items][-1] == str(LINKS_LIMIT - 1)
    (refusal,) = arrival.refused
    assert refusal.reason.values == {"limit": LINKS_LIMIT, "count": 7}


def test_a_bad_link_is_refused_and_the_others_are_kept() -> None:
    arrival = meaning_of(message("https://youtu.be/short https://example.org/a")).arrival
    assert [item.upload.url for item in arrival.items] == ["https://example.org/a"]
    assert [one.reason.text_key for one in arrival.refused] == ["youtube-bad-id"]


# Requests


@pytest.mark.parametrize(
    "text",
    [
        "Что такое энтропия?",
        "сделай 30 карточек",
        "что в файле readme.md про установку",
        "/ask что это",
        "Почему в example.com нет картинок",
    ],
)
def test_short_words_are_a_request(text: str) -> None:
    assert not is_for_keeping(message(text))


@pytest.mark.parametrize("text", ["Что такое энтропия?", "x" * 699])
def test_a_forward_is_never_a_request(text: str) -> None:
    sent = message(text, **FORWARD)
    assert is_for_keeping(sent)
    assert meaning_of(sent).question == ""


@pytest.mark.parametrize(
    ("caption", "asking"),
    [
        ("О чём эта лекция?", True),
        ("сделай карточки по третьей главе", True),
        ("Объясните теорему", True),
        ("какие даты надо выучить", True),
        ("Summarize chapter 2", True),
        ("лекция 3, вторая пара", False),
        ("Сравнительная анатомия", False),
        ("Какаду и другие птицы", False),
        (f"Что такое память? {LONG * 5}".strip(), False),
        ("", False),
    ],
)
def test_a_caption_that_asks_is_told_from_one_that_names(caption: str, asking: bool) -> None:
    assert asks(caption) is asking
    meaning = meaning_of(captioned(caption, document={**FILE, "file_name": "a.pdf"}))
    assert meaning.question == (caption if asking else "")
    assert meaning.arrival.items[0].upload.caption == ("" if asking else caption)


def test_a_question_beside_a_link_is_asked_of_the_page() -> None:
    meaning = meaning_of(message("https://example.org/a о чём это?"))
    assert meaning.question == "о чём это?"
    assert meaning.arrival.items[0].upload.caption == ""


def test_the_words_of_a_message_that_another_adds_ask_nothing() -> None:
    sent = captioned("О чём это?", document={**FILE, "file_name": "a.pdf"})
    meaning = meaning_of(sent, may_ask=False)
    assert meaning.question == ""
    assert meaning.arrival.items[0].upload.caption == "О чём это?"


@pytest.mark.parametrize(
    ("sent", "may"),
    [
        (message("вот лекции"), True),
        (message("вот лекции?"), False),
        (message("объясни", quote={"text": "энтропия", "position": 0}), False),
        (message("объясни", reply_to_message=message("энтропия").model_dump()), False),
    ],
    ids=["words", "a question", "a quote", "a reply"],
)
def test_only_bare_words_may_be_the_heading_of_what_follows(sent: Message, may: bool) -> None:
    assert may_belong_to_what_follows(sent) is may
