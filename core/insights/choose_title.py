"""A name for a source whose file name says nothing."""

from __future__ import annotations

import re
import unicodedata

from core.evidence.word_lists import word_set
from core.insights.headings import headings
from core.insights.plain_sentences import plain, sentences
from core.model.document import Document

LONGEST_TITLE = 80
"""Characters of a made title: two lines of a phone."""
LATEST_HEADING = 2_000
"""Characters from the beginning within which a heading may name the whole text."""
ACRONYM_LETTERS = 4
"""Letters that stand alone from which they spell a name."""
LETTER_SHARE = 0.7
"""Share of letters and spaces of a sentence; what has fewer is a formula or a row of a table."""
SENTENCE_STEMS = 3
"""Content words of a sentence that may stand for a title."""

_EXTENSION = re.compile(r"\.[A-Za-z][A-Za-z0-9]{1,4}$")
_WORD = re.compile(r"[^\W\d_]+")
_HASH = re.compile(r"(?=[^\W_]*\d)[0-9a-f]{10,}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}", re.IGNORECASE)
_TOKEN = re.compile(r"(?=\S*\d)(?=\S*[a-z])(?=\S*[A-Z])[A-Za-z0-9_-]{16,}")
_MOJIBAKE = re.compile(
    "[ÐÑÃÂ][\u0080-\u00bf\u0402-\u045f]|\ufffd|(?:%[0-9A-Fa-f]{2}){3}|[РС][\u0402-\u040f\u0452-\u045f\u00a0-\u00bb]"
)
_ADDRESS = re.compile(r"\A(?:https?://|www\.)\S+\Z", re.IGNORECASE)
_PROGRAM = re.compile(
    r"\A(?:Microsoft (?:Office )?(?:Word|PowerPoint|Excel)|Word|Слайд|PowerPoint) ?[-–—] ?", re.IGNORECASE
)
_PARENTHESES = re.compile(r"\s*\([^()]*(?:\)|$)")
_SUBJECT = re.compile(r"([A-ZА-ЯЁ«][^—–.,;:!?]{2,60}?) [—–] [а-яёa-z]")
_EDGES = " \t.,;:–—-_#*|«»\"'"

_SAYS_NOTHING = word_set(
    "scan scans scanned scanner скан сканы сканирование отсканировано image images img imag изображение картинка "
    "рисунок photo photos фото фотография фотографии снимок picture pictures pic dsc dscn dscf pxl mvimg "
    "screenshot screenshots screen shot скриншот экрана document documents doc docs docx документ документы file "
    "files файл файлы untitled noname unnamed без имени названия безымянный новый новая новое new copy copies "
    "копия копировать download downloads загрузка загрузки скачать video видео vid mov audio аудио voice "
    "голосовое голос recording record запись диктофон message сообщение sticker animation telegram whatsapp viber "
    "vk ptt aud camscanner adobe lens microsoft office word excel powerpoint presentation презентация презентации "
    "книга лист листы sheet book workbook слайд слайды slide slides text текст txt pdf page pages страница "
    "страницы стр p tmp temp test тест output result export final fin финал финальный версия version ver v draft "
    "черновик default template шаблон title заголовок название null none unknown latex tex ghostscript acrobat "
    "writer print печать out основной от at of the a to из в на и for am pm г copy1 ready готово правка "
    "исправлено исправленный attachment вложение inbox jpg jpeg png heic webp tif tiff gif bmp mp3 mp4 ogg oga "
    "wav m4a webm odt rtf ppt pptx xls xlsx csv html htm epub fb2 djvu zip rar md"
)


def choose_title(given: str, document: Document) -> str:
    """Name a source: by what it came with, else by what it says of itself, else by how it begins.

    Args:
        given: The file's name, or the title that a link or a person gave.
        document: What was read of it.

    Returns:
        `given` as it is if it is worth showing, or if nothing better is found; otherwise the document's own title, its
        first heading, or its first good sentence, on one line of at most LONGEST_TITLE characters.
    """
    if worth_showing(given):
        return given
    own = _shortened(_PROGRAM.sub("", " ".join(document.title.split())))
    if worth_showing(own):
        return own
    return heading_title(document.text) or sentence_title(document.text) or given


def worth_showing(title: str) -> bool:
    """Tell a name that a person would know the source by from one that a machine or a hurry gave it."""
    stem = _EXTENSION.sub("", unicodedata.normalize("NFC", " ".join(title.split())))
    if _ADDRESS.match(stem) or _MOJIBAKE.search(stem):
        return False
    said = _WORD.findall(_TOKEN.sub(" ", _HASH.sub(" ", stem)))
    if sum(len(word) == 1 for word in said) >= ACRONYM_LETTERS:
        return True  # "S.T.A.L.K.E.R."
    telling = [word for word in said if len(word) > 1 and word.lower().replace("ё", "е") not in _SAYS_NOTHING]
    return any(len(word) > 2 or word[0].isupper() for word in telling)


def heading_title(text: str) -> str:
    """Take the first heading that names a subject, if the text begins with it; "" without one."""
    for heading in headings(text[: 2 * LATEST_HEADING]):
        name = _shortened(heading.text)
        if heading.start <= LATEST_HEADING and worth_showing(name):
            return name
    return ""


def sentence_title(text: str) -> str:
    """Shorten the first sentence that says something; "" without one."""
    for sentence in sentences(text[: 4 * LATEST_HEADING]):
        words = _PARENTHESES.sub("", sentence.text)
        letters = sum(one.isalpha() or one == " " for one in words)
        if len(set(sentence.stems)) < SENTENCE_STEMS or letters < LETTER_SHARE * len(words):
            continue
        subject = _SUBJECT.match(words)
        for name in (_shortened(subject[1]) if subject else "", _shortened(words)):
            if worth_showing(name):
                return name
    return ""


def _shortened(words: str) -> str:
    """Make one clean line; a longer one ends at a word with a sign that it went on."""
    seen = (one for one in plain(words) if unicodedata.category(one) not in ("Cc", "Cs", "Co", "Cn"))
    line = " ".join("".join(seen).split())
    line = line.strip(_EDGES.replace("«", "").replace("»", "").replace('"', ""))
    if len(line) <= LONGEST_TITLE:
        return line
    cut = line[: LONGEST_TITLE - 1]
    return (cut[: cut.rfind(" ")] if " " in cut[LONGEST_TITLE // 2 :] else cut).rstrip(_EDGES) + "…"
