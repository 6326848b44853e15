"""Nine things at once in the chat page: one status message, nine right ends, also when everything is killed meanwhile.

With SCREENSHOTS set to a folder, the picture of the README is taken on the way.
"""

from __future__ import annotations

import asyncio
import io
import os
import re
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass
from pathlib import Path

import docx
import openpyxl
import pytest
from playwright.async_api import Browser, Page, expect
from sqlalchemy import make_url

from core.adapters.embedded_services import EmbeddedServices
from core.jobs import QueueName
from tests.bot.people import Person, until
from tests.e2e.chat import open_chat, told
from tests.e2e.reading_house import ReadingHouse, reading_house
from tests.fakes.tones import speech, write
from tests.fakes.youtube_video import Caption, Video
from tests.integration.extraction.pictured import encoded, page, photographed

Sql = Callable[[str], Awaitable[None]]
LECTURE = Path(__file__).parents[1] / "data" / "ru_lecture.pdf"
REDIS_DB = 9
READ_MS = 180_000
"""Patience on a busy machine; no bound of the product."""

SCAN = (
    "Мельница на Сухой протоке молола рожь до тридцать второго года, пока паводок не снёс плотину и мельничное колесо."
)
PHOTO = "Расписание парома: первый рейс в шесть утра, последний в девять вечера; по воскресеньям паром не ходит."
PAGE = (
    "Смотритель маяка Пётр Онуфриев вёл журнал сорок лет и ни разу не пропустил вечернюю запись. "
    "В журнале записаны туманы, штормы и все суда, что прошли мимо мыса Долгого за эти годы."
)
SPOKEN = "Сегодня говорим о том, как лёд ломает опоры мостов и почему быки ставят против течения реки."
TYPED = "Экзамен по истории края примут в аудитории двести шесть, с собой нужны зачётка и карта уезда. Подробнее здесь."
VOICE = ("ветер", "город", "камень", "река")

pytestmark = pytest.mark.timeout(500)


@pytest.fixture(scope="module")
async def house(
    services: EmbeddedServices, migrated_template: str, admin_sql: Sql, tmp_path_factory: pytest.TempPathFactory
) -> AsyncIterator[ReadingHouse]:
    await admin_sql("DROP DATABASE IF EXISTS konspekt_nine WITH (FORCE)")
    await admin_sql(f"CREATE DATABASE konspekt_nine TEMPLATE {migrated_template}")
    database = make_url(services.database_url).set(database="konspekt_nine").render_as_string(hide_password=False)
    redis = services.redis_url
    redis = (
        f"{redis.partition('?')[0]}?db={REDIS_DB}" if redis.startswith("unix:") else f"{redis.rstrip('/')}/{REDIS_DB}"
    )
    pictures = {SCAN: page(SCAN), PHOTO: page(PHOTO)}
    async with reading_house(database, redis, tmp_path_factory.mktemp("nine"), pictures) as started:
        yield started
    await admin_sql("DROP DATABASE IF EXISTS konspekt_nine WITH (FORCE)")


@dataclass(frozen=True)
class Nine:
    """What is sent, under names of its own for each test: what was read once is known."""

    house: ReadingHouse
    folder: Path
    name: str

    def put_up(self) -> tuple[str, str]:
        """Put a page and a video on the Internet; return their addresses."""
        host = f"http://{self.name}.test"
        script = f"document.querySelector('article').innerHTML = '<h1>Маяк</h1><p>{PAGE} {self.name}</p>'"
        head = f"<head><meta charset='utf-8'><title>Маяк {self.name}</title></head>"
        body = f"<html>{head}<body><article></article><script>{script}</script></body></html>"
        video = f"{self.name:_<11}"[:11]
        cues = tuple((float(at * 4), words) for at, words in enumerate(SPOKEN.split(", ")))
        self.house.youtube.add(Video(video, f"Лёд и мосты {self.name}", captions=(Caption("ru", cues),)))
        return self.house.internet.page(f"{host}/mayak", body), f"https://youtu.be/{video}?t=5"

    async def send(self, person: Person) -> None:
        """Send all nine, as fast as a phone forwards them."""
        page_url, video_url = self.put_up()
        await person.send_file(LECTURE.read_bytes() + self.name.encode(), f"Лекция {self.name}.pdf")
        await person.send_file(self._scan(), f"Скан {self.name}.pdf")
        await person.send_album({"photo.jpg": self._photo()}, kind="photo")
        await person.say(video_url)
        await person.say(page_url)
        await person.send_file(self._docx(), f"Конспект {self.name}.docx")
        await person.send_file(self._xlsx(), f"Оценки {self.name}.xlsx")
        await person.send_album({"voice.ogg": self._voice()}, kind="voice")
        hidden = {"type": "text_link", "offset": len(TYPED) - 6, "length": 5, "url": f"{page_url}/more"}
        await person.forward(f"{TYPED} {self.name}", entities=[hidden], type="hidden_user", sender_user_name="Староста")

    def _scan(self) -> bytes:
        picture = page(SCAN).convert("RGB")
        picture.putpixel((0, 0), (len(self.name), 0, 0))
        return encoded(picture, "PDF", resolution=150, title=self.name)

    def _photo(self) -> bytes:
        return encoded(photographed(page(PHOTO)), "JPEG", quality=80, comment=self.name.encode())

    def _docx(self) -> bytes:
        document, file = docx.Document(), io.BytesIO()
        document.add_heading(f"Конспект {self.name}", 1)
        document.add_paragraph("Паром перевозил за навигацию до девяти тысяч подвод и сорока тысяч пеших людей.")
        document.save(file)
        return file.getvalue()

    def _xlsx(self) -> bytes:
        book, file = openpyxl.Workbook(), io.BytesIO()
        for row in (("Студент", "Балл"), (f"Анна {self.name}", 91), ("Борис", 78)):
            book.active.append(row)
        book.save(file)
        return file.getvalue()

    def _voice(self) -> bytes:
        said = speech(VOICE, word_s=0.6 + len(self.name) / 50)
        return write(said, self.folder / f"{self.name}.ogg", "-c:a", "libopus").read_bytes()


async def nine_ends(house: ReadingHouse, person: Person) -> None:
    """Wait until one message says that all nine are read, and look at each line."""

    async def read() -> str:
        return next((text for text in await bot_says(house, person) if re.search(r"Прочитано 9\b", text)), "")

    text = await until(read, "nine right ends", READ_MS / 1000)
    assert text.count("✔") == 9, text


async def bot_says(house: ReadingHouse, person: Person) -> list[str]:
    messages = await house.telegram.call("GET", f"/users/{person.id}/chats/{person.id}/messages")
    return [str(message.get("text", "")) for message in messages if message["from"]["is_bot"]]


async def greeted(house: ReadingHouse, person: Person) -> Person:
    await person.say("/start")
    await until(lambda: bot_says(house, person), "a greeting")
    return person


async def test_nine_things_at_once_have_one_status_and_nine_right_ends(
    house: ReadingHouse, browser: Browser, tmp_path: Path
) -> None:
    anya = await greeted(house, await house.newcomer())
    nine = Nine(house, tmp_path, "first")
    async with open_chat(browser, house.telegram.url) as chat:
        await nine.send(anya)
        status = told(chat, "Лекция first.pdf")
        await expect(status.first).to_be_visible(timeout=READ_MS)
        await expect(status.first).to_contain_text("Прочитано 9", timeout=READ_MS)
        await picture(chat, "7-nine-things")
    await nine_ends(house, anya)
    said = [text for text in await bot_says(house, anya) if "Лекция first.pdf" in text]
    assert len(said) == 1, said
    for question, answer in (
        ("До какого года молола мельница на Сухой протоке?", "тридцать второго"),
        ("Когда отходит первый рейс парома?", "шесть утра"),
        ("Сколько лет смотритель маяка вёл журнал?", "сорок"),
        ("Как ставят быки мостов?", "против течения"),
        ("Сколько подвод перевозил паром за навигацию?", "девяти тысяч"),
        ("В какой аудитории примут экзамен по истории края?", "двести шесть"),
    ):
        await anya.say(question)
        await until(lambda answer=answer: answered(house, anya, answer), f"{question} {answer}")


async def answered(house: ReadingHouse, person: Person, words: str) -> bool:
    return any(words in text for text in await bot_says(house, person))


async def test_workers_and_browser_killed_in_the_middle_change_nothing(house: ReadingHouse, tmp_path: Path) -> None:
    boris = await greeted(house, await house.newcomer("Борис"))
    await Nine(house, tmp_path, "second").send(boris)
    await until(lambda: browser_runs(house), "a browser")
    for browser in house.browsers():
        browser.kill()
    await house.kill(QueueName.HEAVY)
    await asyncio.sleep(1)  # the sweep of another process finds nothing to do yet
    await house.start(QueueName.HEAVY)
    await house.kill(QueueName.LIGHT)
    await house.start(QueueName.LIGHT)
    await nine_ends(house, boris)
    said = [text for text in await bot_says(house, boris) if "Лекция second.pdf" in text]
    assert len(said) <= 2, said  # the status, and one sounding message when it took long


async def browser_runs(house: ReadingHouse) -> bool:
    return bool(house.browsers())


async def picture(chat: Page, name: str) -> None:
    if folder := os.environ.get("SCREENSHOTS"):
        await asyncio.to_thread(Path(folder).mkdir, parents=True, exist_ok=True)
        await chat.screenshot(path=str(Path(folder) / f"{name}.png"))
