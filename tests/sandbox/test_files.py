"""Files both ways, albums, photos, sizes."""

from __future__ import annotations

import struct
import zlib
from io import BytesIO

import aiohttp
import pytest


def png(width, height):
    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    head = struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)
    rows = zlib.compress(b"".join(b"\0" + b"\0" * width for _ in range(height)))
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", rows) + chunk(b"IEND", b"")


@pytest.fixture
async def ada(play):
    return await play.friend()


async def download(play, file_id):
    file = await play.ok("getFile", file_id=file_id)
    async with play.session.get(f"{play.url}/file/bot42:SANDBOX/{file['file_path']}") as response:
        assert response.status == 200
        return await response.read()


async def send(play, method, fields, *files):
    form = aiohttp.FormData(quote_fields=False)
    for name, value in fields.items():
        form.add_field(name, str(value))
    for name, filename, content in files:
        form.add_field(name, content, filename=filename)
    async with play.session.post(f"{play.url}/bot42:SANDBOX/{method}", data=form) as response:
        return await response.json()


async def test_a_persons_document_can_be_downloaded(play, ada):
    await play.upload(ada, ("Книга.pdf", b"%PDF-1.7 body"), caption="read #this")
    [update] = await play.updates()
    document = update["message"]["document"]

    assert document["file_name"] == "Книга.pdf"
    assert (document["mime_type"], document["file_size"]) == ("application/pdf", 13)
    assert update["message"]["caption_entities"][0]["type"] == "hashtag"
    assert await download(play, document["file_id"]) == b"%PDF-1.7 body"


async def test_a_name_in_percent_signs_is_read(play, ada):
    form = aiohttp.FormData()  # this client writes names in percent signs
    form.add_field("file", b"x", filename="Книга.pdf")
    [message] = await play.people("POST", f"/users/{ada['id']}/chats/{ada['id']}/messages", data=form)

    assert message["document"]["file_name"] == "Книга.pdf"


async def test_the_same_content_has_the_same_unique_id(play, ada):
    [one] = await play.upload(ada, ("a.txt", b"same"))
    [two] = await play.upload(ada, ("b.txt", b"same"))
    [other] = await play.upload(ada, ("a.txt", b"other"))

    ids = [message["document"]["file_unique_id"] for message in (one, two, other)]
    assert ids[0] == ids[1] != ids[2]
    assert one["document"]["file_id"] != two["document"]["file_id"]


async def test_a_file_of_more_than_20_mb_is_shown_but_not_handed_out(play, ada):
    [message] = await play.upload(ada, ("big.bin", BytesIO(b"\0" * (20 * 1024 * 1024 + 1))))

    refusal = await play.refusal("getFile", file_id=message["document"]["file_id"])

    assert refusal == "Bad Request: file is too big"
    async with play.session.get(f"{play.url}/sandbox/files/{message['document']['file_id']}") as response:
        assert int(response.headers["Content-Length"]) == 20 * 1024 * 1024 + 1


async def test_unknown_file_ids_are_refused(play):
    assert await play.refusal("getFile", file_id="nonsense") == "Bad Request: invalid file_id"
    assert await play.refusal("getFile") == "Bad Request: file_id not specified"


async def test_a_photo_comes_in_two_sizes(play, ada):
    await play.upload(ada, ("p.png", png(640, 480)), kind="photo")
    [update] = await play.updates()

    small, large = update["message"]["photo"]
    assert (small["width"], small["height"]) == (320, 240)
    assert (large["width"], large["height"]) == (640, 480)
    assert small["file_unique_id"] != large["file_unique_id"]
    assert await download(play, large["file_id"]) == png(640, 480)


async def test_a_voice_message_tells_its_length(play, ada):
    page = b"OggS\0\4" + struct.pack("<q", 48_000 * 7) + b"\0" * 20
    await play.upload(ada, ("v.ogg", page), kind="voice")
    [update] = await play.updates()

    assert update["message"]["voice"]["duration"] == 7
    assert update["message"]["voice"]["mime_type"] == "audio/ogg"


async def test_several_files_of_a_person_are_one_album(play, ada):
    await play.upload(ada, ("a.txt", b"1"), ("b.txt", b"2"), ("c.txt", b"3"), caption="three")
    updates = await play.updates()

    messages = [update["message"] for update in updates]
    assert len({message["media_group_id"] for message in messages}) == 1
    assert [message.get("caption") for message in messages] == ["three", None, None]
    assert [message["document"]["file_name"] for message in messages] == ["a.txt", "b.txt", "c.txt"]


async def test_the_bot_sends_a_document_and_sends_it_again_by_id(play, ada):
    answer = await send(play, "sendDocument", {"chat_id": ada["id"], "caption": "<b>c</b>", "parse_mode": "HTML"},
                        ("document", "отчёт.txt", b"report"))  # fmt: skip
    document = answer["result"]["document"]
    again = await play.ok("sendDocument", chat_id=ada["id"], document=document["file_id"])

    assert document["file_name"] == "отчёт.txt"
    assert answer["result"]["caption_entities"][0]["type"] == "bold"
    assert again["document"] == document
    async with play.session.get(f"{play.url}/sandbox/files/{document['file_id']}") as response:
        assert await response.read() == b"report"
        assert response.content_type == "text/plain"


async def test_a_bots_album_takes_attached_files(play, ada):
    media = '[{"type":"photo","media":"attach://one","caption":"c"},{"type":"photo","media":"attach://two"}]'

    answer = await send(play, "sendMediaGroup", {"chat_id": ada["id"], "media": media},
                        ("one", "1.png", png(10, 10)), ("two", "2.png", png(20, 20)))  # fmt: skip

    assert [message["photo"][-1]["width"] for message in answer["result"]] == [10, 20]
    assert len({message["media_group_id"] for message in answer["result"]}) == 1


async def test_refused_files(play, ada):
    chat = {"chat_id": ada["id"]}
    [document] = await play.upload(ada, ("a.txt", b"x"))
    file_id = document["document"]["file_id"]

    assert await play.refusal("sendDocument", **chat) == "Bad Request: there is no document in the request"
    wrong = await play.refusal("sendDocument", **chat, document="???")
    assert wrong.startswith("Bad Request: wrong remote file identifier")
    assert (await play.refusal("sendPhoto", **chat, photo=file_id)).startswith("Bad Request: type of file mismatch")
    assert (await send(play, "sendDocument", chat, ("document", "e.txt", b"")))["description"] == (
        "Bad Request: file must be non-empty"
    )
    assert (await send(play, "sendPhoto", chat, ("photo", "p.png", b"no picture")))["description"] == (
        "Bad Request: IMAGE_PROCESS_FAILED"
    )
    assert (await send(play, "sendPhoto", chat, ("photo", "p.png", png(4000, 10))))["description"] == (
        "Bad Request: PHOTO_INVALID_DIMENSIONS"
    )
    assert await play.refusal("sendDocument", **chat, document=file_id, caption="x" * 1025) == (
        "Bad Request: message caption is too long"
    )
    assert (await play.call("sendDocument", **chat, document=file_id, caption="x" * 1024))["ok"]


async def test_uploads_that_nobody_kept_leave_nothing_behind(play, ada, data_dir):
    await send(play, "sendDocument", {"chat_id": 1}, ("document", "a.txt", b"x"))
    await send(play, "sendDocument", {"chat_id": ada["id"]}, ("document", "a.txt", b"x"))

    assert list((data_dir / "uploads").iterdir()) == []
