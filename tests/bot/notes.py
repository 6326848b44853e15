"""Words that people of these tests keep, and how they keep them."""

import asyncio

from core.library.add_source import BURST_WINDOW_S
from tests.bot.people import Json, Person


def _flowing(text: str) -> str:
    """Join the lines of each paragraph, as people paste text."""
    return "\n\n".join(" ".join(paragraph.split("\n")) for paragraph in text.split("\n\n"))


FORGETTING = _flowing("""Кривая забывания Эббингауза

Немецкий психолог Герман Эббингауз в 1885 году опубликовал книгу «О памяти». Он проводил опыты на самом себе: заучивал
списки бессмысленных слогов и проверял, сколько времени экономит при повторном заучивании через разные промежутки.

Сразу после заучивания забывание идёт быстро. Через двадцать минут сохранялось около 58 процентов выученного, через час
около 44 процентов, через сутки около 34 процентов. Потом потери замедляются: через шесть дней оставалось около 25
процентов, а через месяц около 21 процента.

Осмысленный материал забывается медленнее, чем бессмысленные слоги. Повторение тоже замедляет забывание, и повторения,
разделённые днями, действуют лучше, чем столько же повторений подряд. На этом наблюдении построены все программы для
интервального повторения.""")
"""Long enough to be something to keep."""

GLACIER = _flowing("""Дневник экспедиции на ледник Федченко

Экспедиция вышла из Оша двенадцатого июля. Ледник Федченко длиной семьдесят семь километров лежит на Памире, и толщина
льда в средней части достигает одного километра. Начальник экспедиции Николай Корженевский измерил скорость движения
льда: шестьдесят шесть сантиметров в сутки летом и вдвое меньше зимой.

На высоте четыре тысячи сто шестьдесят девять метров стоит обсерватория имени Горбунова. Её построили в 1933 году, и
зимовщики провели там первую зиму вшестером. Радист Александр Ходаков каждый день в полдень передавал сводку в Ташкент.
Продукты поднимали на вьючных лошадях до языка ледника, а дальше несли на себе, по двадцать килограммов каждый. Весной
обсерваторию откапывали из-под снега трое суток.""")

QUESTION = "Какой длины ледник Федченко?"
LENGTH = "Ледник Федченко длиной семьдесят семь километров лежит на Памире. [1]"
"""A question about the glacier, and what a model may answer."""

TULIPS = _flowing("""Tulip mania in the Dutch Republic

In February 1637 the price of a single Viceroy tulip bulb reached three thousand guilders, ten times the yearly income
of a skilled craftsman. Traders met in taverns of Haarlem, and contracts for bulbs changed hands ten times a day without
any bulb being seen. The market collapsed on the third of February, when buyers at an auction in Haarlem refused to
show up.

Historian Anne Goldgar found no records of anyone ruined by the crash. She read the notarial archives of Haarlem and
counted thirty-seven people who spent more than three hundred guilders on bulbs. Most of them were merchants who knew
each other well. The story of a whole nation gone mad was written by pamphleteers who wanted to mock the newly rich.""")


async def keep(person: Person, text: str = FORGETTING, chat: int = 0) -> Json:
    """Paste a text into the private chat, wait until it is read, and return its status message."""
    sent = await person.say(text, chat)
    return await person.sees(is_read, chat, after=sent)


async def next_burst() -> None:
    """Let the time go by in which what is sent still joins the status message before it."""
    await asyncio.sleep(BURST_WINDOW_S + 0.1)


async def ask(person: Person, question: str, chat: int = 0, **more: object) -> Json:
    """Ask and return the answer with its citations."""
    asked = await person.say(question, chat, **more)
    return await person.sees(is_answer, chat, after=asked)


def is_read(message: Json) -> bool:
    """A status message of a burst all of which is read."""
    return str(message.get("text", "")).startswith(("Прочитано", "Read ·"))


def is_answer(message: Json) -> bool:
    """An answer: the first button opens a citation."""
    rows = message.get("reply_markup", {}).get("inline_keyboard", [])
    return bool(rows) and str(rows[0][0].get("callback_data", "")).startswith("cite:") and "[1]" in message["text"]
