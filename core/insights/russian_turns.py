"""What a Russian phrase is, told by its words and endings alone: a thing, a clause with its subject, a past event."""

from __future__ import annotations

import re

from core.evidence.word_lists import word_set

NOT_A_THING = word_set(
    "цель цели задача задачи вывод выводы пример примеры причина итог результат главное важно первое второе "
    "третье автор авторы тема вопрос ответ смысл суть вот остальное остальные другие другой другое один одна одно "
    "одни каждый каждая каждое первый вторая первая второй третий третья последний последняя далее итого "
    "примечание внимание год часть глава раздел рис рисунок таблица табл слайд страница стр дело наконец кстати "
    "например большая большинство меньшая общая помимо название названия образ роль используемые исключены "
    "особенность преимущество недостаток отличие разница основное самое лучшее следующее следующий следующая"
)
"""Words that begin a statement of which nobody asks what it is."""
POINTING = word_set(
    "нему ним ними это этим всё же всего ранее он она оно они его её ее их им ему ей ими нем нём ней него нее неё "
    "них этот эта эти этого этой этих этому этом этим этими тот того той тех тому тем та те такой такая такое "
    "такие таких там здесь тут данный данная данное данные данного данной данных наш наша наше наши нашего нашей "
    "наших мой моя мы нас нам я мне меня вы вас вам ваш ваша ваше ваши себя выше ниже последний последняя "
    "вышеуказанный указанный указанные которые который которая оба обе также тоже поэтому однако затем зато таким "
    "образом его тогда сегодня вчера ныне теперь сейчас"
)
"""Words that point at something outside of the sentence: a question with one cannot be understood."""
FUNCTION_WORDS = word_set(
    "а без более в во для до если же за и из или к как когда кто ко кроме ли либо между можно на над не ни но о "
    "об от перед по под после при про с со сам сколько то только у хотя чем через что чтобы пока среди вместо "
    "вокруг кому все всё весь вся любой любая многие некоторые большинство часть другие другой иначе именно почти "
    "нет никто ничто"
)
"""Words that begin no name of a thing."""
INSTRUMENTAL = re.compile(r"(?:ом|ем|ём|ой|ей|ью|ами|ями|ым|им|ыми|ими)$")
PAST = re.compile(r"(?:^| )[а-яё]{2,}(?:л|ла|ло|ли|лся|лась|лось|лись)(?= |$)")
_PRESENT = re.compile(r"[а-яё]{3,}(?:ет|ит|ют|ят|ут|ется|ится|ются|ятся)$")
_HAPPENED = re.compile(r"(?:^| )(?:[а-яё]+(?:ся|сь)|выш[ея]л|вышла|вышло|вышли)(?= |$)")
_WAS = re.compile(
    r"(?:был|была|было|были) (?!удостоен|признан|назван|избран|награжд|назначен)[а-яё]+"
    r"(?:н|т|на|та|но|то|ны|ты) (?P<who>[^ ]+)"
)
_ODD = re.compile(r"^\d|\d{4}|\w\.\w")
_ADVERBS = word_set("плохо хорошо сильно часто редко вообще всегда лишь особенно только ежегодно")
_ORDINAL = re.compile(r"(?:Перв|Втор|Трет|Четв|Пят|Шест|Седьм|Восьм|Девят|Десят)[а-яё]+(?:ый|ий|ой|ая|ое|ые)\b")


def is_thing(phrase: str, words: int = 5) -> bool:
    """Tell whether a beginning of a sentence names something that can be asked about."""
    said = phrase.split()
    first = said[0].strip('«»"„“').lower()
    return (
        len(said) <= words
        and first not in NOT_A_THING
        and not any(word.lower() in POINTING or word.lower() in FUNCTION_WORDS for word in said[:1])
        and not any(word.lower() in POINTING for word in said)
        and not any(word.endswith(("лся", "лась", "лось", "лись")) for word in said)
        and not (len(said) > 1 and any(_PRESENT.fullmatch(word.lower()) for word in said))
        and not any(word in _ADVERBS or (word.endswith("но") and len(word) > 5) for word in said)
        and not _ORDINAL.match(phrase)
        and not _ODD.search(phrase)
        and re.search(r"[A-Za-zА-Яа-яЁё]{2}", phrase) is not None
    )


def has_subject(clause: str) -> bool:
    """Tell whether a clause says who did it: one that begins with its verb or a place may leave that to the sentence
    before."""
    if was := _WAS.match(clause):
        return not INSTRUMENTAL.search(was["who"]) and was["who"] not in FUNCTION_WORDS
    first = clause.split(" ", 1)[0].lower()
    bare = first == "впервые" or first in FUNCTION_WORDS or PAST.match(clause) is not None
    return not bare or _HAPPENED.search(clause) is not None
