"""Rules for questions in Russian: only turns that stay grammatical without inflecting a word."""

from __future__ import annotations

import re

from core.evidence.word_lists import word_set
from core.insights.plain_sentences import Capitals
from core.insights.question_rule import QuestionRule, Write
from core.insights.russian_turns import FUNCTION_WORDS, INSTRUMENTAL, PAST, POINTING, has_subject, is_thing

_WORD = r"[«»\"„“A-Za-zА-Яа-яЁё0-9+#.\-/]*[A-Za-zА-Яа-яЁё0-9»\"“+#]"
_NP = rf"(?P<x>{_WORD}(?: {_WORD}){{0,5}})"
_LAZY = rf"(?P<x>{_WORD}(?: {_WORD}){{0,5}}?)"
_REST = r"(?P<y>[^,;:.!?—–()]{2,60}?)(?=[,;:.!?—–(]|$| тем\b| и\b)"

_PERSON = (
    r"(?:психолог|писател|уч[её]н|физик|математик|химик|биолог|философ|поэт|художник|композитор|врач|инженер|историк|"
    r"экономист|лингвист|полководец|император|царь|король|политик|президент|режисс[её]р|акт[её]р|актриса|певец|певица|"
    r"архитектор|астроном|географ|путешественник|изобретател|предпринимател|социолог|педагог|революционер|спортсмен)"
)
_PLURAL = {"существует": "существуют", "известно": "известны"}
_KINDS = {
    "вида": "виды", "видов": "виды", "типа": "типы", "типов": "типы", "этапа": "этапы", "этапов": "этапы",
    "группы": "группы", "групп": "группы", "стадии": "стадии", "стадий": "стадии", "класса": "классы",
    "классов": "классы", "способа": "способы", "способов": "способы", "метода": "методы", "методов": "методы",
    "причины": "причины", "причин": "причины", "принципа": "принципы", "принципов": "принципы",
    "фактора": "факторы", "факторов": "факторы", "уровня": "уровни", "уровней": "уровни", "формы": "формы",
    "форм": "формы", "функции": "функции", "функций": "функции", "признака": "признаки", "признаков": "признаки",
    "фазы": "фазы", "фаз": "фазы", "вариант": "варианты", "варианта": "варианты", "вариантов": "варианты",
}  # fmt: skip
_ADJECTIVE_INSTRUMENTAL = ("ым", "им", "ыми", "ими", "ной", "ской", "овой", "евой")
_INFINITIVE = re.compile(r"(?:ть|ться|ти|тись|чь)$")
_THING = re.compile(
    r"\b(?:рек|город|стран|государств|озер|остров|гор[аы]\b|вершин|столиц|компани|организаци|роман|фильм|мультфильм|сериал|"
    r"игр[аы]\b|клуб|команд|язык|программ|систем|метод|термин|книг|повест|опер|пьес|картин|корабл|район|област|республик|"
    r"пос[её]л|материк|океан|мор[ея]|планет|звезд|произведени|журнал|газет|парти|агентств|университет|музе|пород|вид\b|"
    r"семейств|род\b|минерал|веществ|элемент|препарат|явлени|процесс|устройств|наук|раздел|способ|совокупност|величин|"
    r"мер[аы]\b|аэропорт|космодром|памятник|скульптур|статуя|марк|бренд|сервис|служб|орган|союз|договор|болезн|"
    r"заболевани|лекарств|растени|животн|инструмент|спорт|соревновани|турнир|чемпионат|религи|учени|теори|закон|"
    r"формул|функци|алгоритм|структур|модел|прибор|материал|продукт|средств|групп|объединени|праздник|стиль|жанр)"
)
_AIM = re.compile(r"^(?:Цель|Задача|Роль|Функция|Причина|Особенность|Преимущество|Недостаток|Смысл|Суть)\b")


def _ask(template: str, *, words: int = 5) -> Write:
    """Fill a template with the subject `{x}`, its verb `{v}` and what follows, `{y}`."""

    def write(match: re.Match[str], capitals: Capitals) -> str:
        found = match.groupdict()
        if not is_thing(found["x"], words):
            return ""
        return template.format(**{**found, "x": capitals.lowered(found["x"])})

    return write


def _what_is(match: re.Match[str], capitals: Capitals) -> str:
    subject, told = match["x"], match["y"]
    if not is_thing(subject, 4):
        return _aim(match, capitals)
    person = re.match(rf"(?P<a>[а-яё-]+(?:ий|ый|ой|ая|яя) )*(?:[а-яё-]+ )?{_PERSON}", told)
    if person and subject[0].isupper():
        female = re.search(r"(?:ая|яя) ", person[0]) or person[0].endswith(("актриса", "певица"))
        return f"Кто {'такая' if female else 'такой'} {subject}?"
    if _INFINITIVE.search(told.split()[0]) or told.split()[0] in FUNCTION_WORDS:
        return ""
    return f"Что такое {capitals.lowered(subject)}?"


def _what_is_plainly(match: re.Match[str], capitals: Capitals) -> str:
    """Ask about "X — y" without "это", which stands for much else: only what a noun of a kind follows."""
    question = _what_is(match, capitals)
    if question.startswith("Что такое") and not _THING.search(" ".join(match["y"].split()[:3])):
        return ""
    return question


def _aim(match: re.Match[str], capitals: Capitals) -> str:
    subject = match["x"]
    if len(subject.split()) < 2 or not _AIM.match(subject) or any(w.lower() in POINTING for w in subject.split()):
        return ""
    return f"В чём {capitals.lowered(subject)}?" if not subject.startswith("Цель") else f"Какова ц{subject[1:]}?"


def _called(match: re.Match[str], capitals: Capitals) -> str:
    named = match["x"].split(" ")
    bare = [word.strip('«»"') for word in named]
    only_adjective = len(named) == 1 and bare[0].endswith(_ADJECTIVE_INSTRUMENTAL)
    plural = bare[0].endswith(("ами", "ями", "ыми", "ими"))
    nominative = len(bare) > 1 and re.search(r"[бвгджзклмнпрстфхцчшщ]$", bare[1]) and bare[0].endswith(("ой", "ей"))
    if only_adjective or nominative or (match["v"] == "называются" and not plural) or {"или", "и"} & set(bare):
        return ""
    if not INSTRUMENTAL.search(named[0].lower().strip("«»")) or any(word.lower() in POINTING for word in named):
        return ""
    return f"Что {match['v']} {match['x']}?"


def _kinds(match: re.Match[str], capitals: Capitals) -> str:
    whole = match["x"].strip()
    if any(word.lower() in POINTING | FUNCTION_WORDS for word in whole.split()):
        return ""
    verb = match["v"].lower()
    return f"Какие {_KINDS[match['k'].lower()]} {whole} {_PLURAL.get(verb, verb)}?"


def _why(match: re.Match[str], capitals: Capitals) -> str:
    clause = match["x"]
    said = [word.lower().strip('«»"') for word in clause.split()]
    if not 4 <= len(said) <= 12 or any(word in POINTING for word in said) or said[0] in {"и", "а", "но", "если", "как"}:
        return ""
    lowered = capitals.lowered(clause, unsure=False)
    return f"Почему {lowered}?" if lowered else ""


def _year(match: re.Match[str], capitals: Capitals) -> str:
    before, after = match["before"].strip(), match["after"].strip()
    before = capitals.lowered(before, unsure=False) if before else ""
    clause = " ".join(part for part in (before, after) if part)
    if (match["before"] and not before) or not has_subject(clause):
        return ""
    said = [word.lower() for word in clause.split()]
    if not 3 <= len(said) <= 13 or any(word in POINTING for word in said) or not PAST.search(clause):
        return ""
    if said[0] in {"и", "а", "но", "уже", "лишь", "только", "когда", "если"} or re.search(r"\d{4}", clause):
        return ""
    return f"В каком году {clause}?"


def _amount(match: re.Match[str], capitals: Capitals) -> str:
    if not is_thing(match["x"], 4):
        return ""
    rest = f" {match['y'].strip()}" if match["y"].strip() else ""
    return f"Сколько {match['u']} {match['v']} {capitals.lowered(match['x'])}{rest}?"


def _who(match: re.Match[str], capitals: Capitals) -> str:
    said = match["y"].lower().split()
    if len(said) < 3 or any(word in POINTING for word in said) or match["v"] in {"был", "стал", "мог", "имел", "начал"}:
        return ""
    return f"Кто {match['v']} {match['y']}?"


def _what_does(match: re.Match[str], capitals: Capitals) -> str:
    said = match["y"].lower().split()
    if not is_thing(match["x"]) or any(word in POINTING for word in said):
        return ""
    return f"Что {match['v']} {match['y']}?"


def _what_compares(match: re.Match[str], capitals: Capitals) -> str:
    said = match["y"].lower().split()
    if not is_thing(match["x"]) or any(word in POINTING for word in said):
        return ""
    return f"Что {match['v']} {match['than']}, чем {match['y']}?"


def _how_many(match: re.Match[str], capitals: Capitals) -> str:
    if any(word.lower() in POINTING for word in match["x"].split()):
        return ""
    return f"Сколько {match['u']} {match['v']} {match['x'][0].lower()}{match['x'][1:]}?"


def _day(match: re.Match[str], capitals: Capitals) -> str:
    clause = capitals.lowered(match["x"], unsure=False)
    said = clause.lower().split()
    if not 3 <= len(said) <= 12 or any(word in POINTING for word in said) or not PAST.search(clause):
        return ""
    return f"Когда {clause}?" if has_subject(clause) and not re.search(r"\d{4}", clause) else ""


def _rule(pattern: str, write: Write, weight: float) -> QuestionRule:
    return QuestionRule(re.compile(pattern), write, weight)


_MONTH = "(?:января|февраля|марта|апреля|мая|июня|июля|августа|сентября|октября|ноября|декабря)"
_TRANSITIVE = (
    "(?:замедляет|ускоряет|увеличивает|уменьшает|повышает|понижает|снижает|вызывает|обеспечивает|определяет|регулирует|"
    "ограничивает|предотвращает|защищает|соединяет|соединяла|соединила|улучшает|ухудшает|усиливает|ослабляет)"
)
_NUMBER = r"(?:около |примерно |более |почти |свыше )?(?P<n>\d[\d  ]*[05-9]|1\d)"

RULES = (
    _rule(rf"^{_NP} [—–-] это (?!не )(?P<y>\S.*)$", _what_is, 3.2),
    _rule(rf"^{_NP} (?P<v>отличается|отличаются) от {_REST}", _ask("Чем {x} {v} от {y}?"), 3.2),
    _rule(rf"^Под {_NP} (?P<v>понимают|понимается|подразумевают|подразумевается)\b", _ask("Что {v} под {x}?"), 3.0),
    _rule(rf"^{_NP} (?P<v>зависит|зависят) от\b", _ask("От чего {v} {x}?"), 3.0),
    _rule(rf"^{_NP} (?P<v>состоит|состоят) из\b", _ask("Из чего {v} {x}?"), 3.0),
    _rule(rf"^{_NP} (?P<v>заключается|заключаются|состоит|состоят) в\b", _ask("В чём {v} {x}?"), 3.0),
    _rule(
        r"(?:^|[,;] )(?P<v>[Рр]азличают|[Вв]ыделяют|[Сс]уществует|[Сс]уществуют|[Ии]звестно|[Ии]звестны)"
        rf"(?: [а-яё]+)? (?:\d+|два|две|три|четыре|пять|шесть|семь|восемь|несколько)(?: [а-яё]+(?:ых|их))?"
        rf" (?P<k>{'|'.join(_KINDS)}) (?P<x>[^,;:.!?—–()]{{3,50}}?)(?=[,;:.!?—–(]|$)",
        _kinds,
        3.0,
    ),
    _rule(r"^(?P<x>[^,;:()—–]{20,95}), (?:потому что|так как|поскольку)\b", _why, 2.9),
    _rule(rf"(?:^|.* )(?P<v>называют|называется|называются) (?P<x>{_WORD}(?: {_WORD}){{0,2}})(?=[,;:.!?—–(]|$)",
          _called, 2.8),
    _rule(rf"^{_NP} (?P<v>используется|используются|применяется|применяются|служит|служат|нужен|нужна|нужны) для\b",
          _ask("Для чего {v} {x}?"), 2.7),
    _rule(rf"^{_NP} (?P<v>приводит|приводят|привёл|привела|привели|привело) к\b", _ask("К чему {v} {x}?"), 2.7),
    _rule(rf"^{_NP} (?P<v>делится|делятся|подразделяется|подразделяются|разделяется|разделяются) на\b",
          _ask("На что {v} {x}?"), 2.7),
    _rule(rf"^{_NP} (?P<v>отвечает|отвечают) за\b", _ask("За что {v} {x}?"), 2.7),
    _rule(rf"^{_NP} (?P<v>влияет|влияют) на\b", _ask("На что {v} {x}?"), 2.5),
    _rule(rf"^Причин(?:ой|ами) {_NP} (?:стал|стала|стало|стали)\b", _ask("Что стало причиной {x}?"), 2.8),
    _rule(rf"^Причин(?:ой|ами) {_NP} (?:является|являются|служит)\b", _ask("Что является причиной {x}?"), 2.8),
    _rule(rf"^{_NP} (?P<v>позволяет|позволяют) (?P<y>[а-яё]+(?:ть|ться|ти))\b", _ask("Что {v} делать {x}?"), 2.4),
    _rule(rf"^{_NP} (?P<v>составляет|составляют|составил|составила|составило|составили) {_NUMBER}\b",
          _ask("Сколько {v} {x}?"), 2.6),
    _rule(
        rf"^{_NP} (?P<v>занима(?:ет|ют|л|ла|ло|ли)|вес(?:ит|ят|ил|ила)|вмеща(?:ет|ют|л|ла|ло|ли)|"
        r"насчитыва(?:ет|ют|л|ла|ло|ли)|"
        r"перевоз(?:ит|ил|ила|или)|дл(?:ится|ился|илась|илось)|содерж(?:ит|ат|ал|ала)|име(?:ет|ют|л|ла|ло|ли)|"
        rf"потребля(?:ет|ют)|производ(?:ит|ил|ила)|включа(?:ет|ют|л|ла|ло|ли)) {_NUMBER}"
        r" (?P<u>[а-яё]+(?:ов|ев)|человек|лет|тонн|раз|суток|минут|секунд|страниц)(?P<y>[^,;:.!?—–()]{0,40})$",
        _amount, 2.4),
    _rule(rf"^{_LAZY} (?P<v>[а-яё]+(?:ется|ает|яет)) (?P<than>[а-яё]+(?:ее|ше|ьше)), чем {_REST}", _what_compares, 2.7),
    _rule(rf"^{_LAZY}(?: тоже| также)? (?P<v>{_TRANSITIVE}) {_REST}", _what_does, 2.6),
    _rule(rf"^(?P<x>(?:[А-ЯЁ][а-яё]+ (?:[а-яё]+ ){{0,3}})?[А-ЯЁ][а-яё]+ [А-ЯЁ][а-яё]+) (?P<v>[а-яё]{{3,}}л) {_REST}",
          _who, 1.9),
    _rule(rf"^(?P<x>(?:Через|За|После) [^,;:—–()\d]{{3,40}}?) (?P<v>[а-яё]+(?:лось|ло|ется|ет)) {_NUMBER}"
          r" (?P<u>процентов|человек|лет|тонн|метров|километров|слов|слогов|рублей)\b", _how_many, 2.5),
    _rule(rf"^(?P<x>[^,;:—–()]{{12,90}}?) (?:[а-яё]+ого|[а-яё]+его|\d{{1,2}}) {_MONTH}(?: \d{{4}} года)?$", _day, 2.3),
    _rule(rf"^(?:\d{{1,2}}) {_MONTH}(?: \d{{4}} года)? (?P<x>[^,;:—–()]{{12,90}})$", _day, 2.3),
    _rule(r"^(?P<before>)В \d{3,4} году (?P<after>[^,;:—–()]{12,110})$", _year, 2.4),
    _rule(r"^(?P<before>[^,;:—–()]{8,70}) в \d{3,4} году(?P<after>(?: [^,;:—–()]{3,70})?)$", _year, 2.3),
    _rule(rf"^{_NP} [—–] (?P<y>[а-яё].*)$", _what_is_plainly, 2.2),
)  # fmt: skip
"""The best kinds first; every sentence is asked about at most once."""

QUESTION_WORDS = word_set(
    "что кто как какой какая какое какие каков когда где куда откуда почему зачем сколько чем чей"
)
"""How a heading begins that is a question even without its mark."""
ABOUT_SECTION = "О чём раздел «{title}»?"
