"""Files that cannot be read as they are: a person is told why and what to do, and nothing stays open."""

from pathlib import Path

import pytest

from tests.bot.notes import GLACIER, ask, is_read
from tests.bot.people import Person, text_of


@pytest.mark.parametrize(
    ("sample", "reason"),
    [
        pytest.param("enc_user.pdf", "защищён паролем", id="F2 a password"),
        pytest.param("zero.pdf", "Здесь пусто", id="F10 nothing"),
        pytest.param("bomb.docx", "при распаковке", id="F10 a bomb"),
        pytest.param("random.pdf", "поврежд", id="F10 noise"),
    ],
)
async def test_a_bad_file_ends_with_its_reason(anya: Person, samples_dir: Path, sample: str, reason: str) -> None:
    content = (samples_dir / "bad" / sample).read_bytes()
    await anya.send_file(content, sample)
    failed = await anya.sees("✖", seconds=60)
    assert reason in text_of(failed)
    assert text_of(failed).startswith("Прочитать не удалось")
    assert len(anya.from_bot()) == 1


async def test_f10_a_file_without_an_ending_and_one_with_a_hostile_name_are_read(anya: Person) -> None:
    await anya.send_file(GLACIER.encode(), "README")
    await anya.send_file("Столовая закрыта до пятого мая.".encode(), "../../" + "ы" * 200 + ".txt")
    await anya.sees("Прочитано 2")
    assert "семьдесят семь" in text_of(await ask(anya, "Какой длины ледник Федченко?"))


async def test_f6_a_byte_order_mark_never_shows(anya: Person) -> None:
    await anya.send_file(("\ufeff" + GLACIER).encode(), "дневник.md")
    await anya.sees(is_read)
    answer = await ask(anya, "Какой длины ледник Федченко?")
    await anya.tap("1", answer)
    assert "\ufeff" not in text_of(await anya.sees("[1]", after=answer))
