"""Each level of each cascade takes over when those before it fail."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from core.adapters.extractors.docling_office import DoclingOffice
from core.adapters.extractors.document_cascades import document_cascades
from core.adapters.extractors.docx_text import DocxText
from core.adapters.extractors.soffice import converted
from core.adapters.inspection import preflight
from core.errors import UserError
from core.model.source import Outcome, SourceKind
from core.ports.documents import Cascade
from tests.integration.extraction import misbehaving as bad
from tests.integration.extraction.made import PROSE, docx, paragraph
from tests.integration.extraction.office_made import epub, fb2, pptx, xlsx
from tests.integration.extraction.programs import needs
from tests.integration.extraction.reading import read_file
from tests.integration.extraction.samples import sample

MAKERS: dict[SourceKind, tuple[Callable[[Path], Path], str]] = {
    SourceKind.DOCX: (lambda path: docx(path, paragraph(PROSE)), "Городские парки"),
    SourceKind.PPTX: (pptx, "Река быстрая"),
    SourceKind.XLSX: (lambda path: xlsx(path, {"Реки": [["Река", "Длина"], ["Ока", 1500]]}), "Ока"),
    SourceKind.EPUB: (epub, "Река быстрая"),
    SourceKind.FB2: (fb2, "Родник у леса"),
    SourceKind.HTML: (lambda path: _written(path, "<html><body><p>Роща и сад</p></body></html>"), "Роща и сад"),
    SourceKind.CSV: (lambda path: _written(path, "Река;Длина\nОка;1500\n"), "Ока"),
    SourceKind.DOC: (lambda path: _old(path, "doc"), "Городские парки"),
    SourceKind.RTF: (lambda path: _old(path, "rtf"), "Городские парки"),
    SourceKind.ODT: (lambda path: _old(path, "odt"), "Городские парки"),
}


def _written(path: Path, text: str) -> Path:
    path.write_text(text)
    return path


def _paragraphs() -> str:
    return "".join(paragraph(f"Слово {number}") for number in range(400_000))


def _old(path: Path, ending: str) -> Path:
    made = docx(path.with_suffix(".docx"), paragraph(PROSE))
    return converted(str(made), SourceKind.DOCX, ending, timeout_s=60)


@needs("soffice")
@pytest.mark.parametrize("kind", MAKERS, ids=lambda kind: kind.value)
async def test_each_level_takes_over(kind: SourceKind, tmp_path: Path) -> None:
    make, words = MAKERS[kind]
    path = make(tmp_path / "file")
    levels = document_cascades()[kind].extractors
    for count, level in enumerate(levels):
        dead = tuple(bad.Dies(f"dies-{number}") for number in range(count))
        reading = await read_file(path, kind, Cascade((*dead, *levels[count:])))
        assert reading.extractor == level.name
        assert [attempt.outcome for attempt in reading.attempts] == [*[Outcome.FAILED] * count, Outcome.WON]
        assert reading.document is not None
        assert words in " ".join(reading.document.text.split())


def test_every_kind_of_document_has_a_cascade_with_a_second_level() -> None:
    cascades = document_cascades()
    single = {kind for kind, cascade in cascades.items() if len(cascade.extractors) + len(cascade.page_rescue) < 2}
    assert single == {SourceKind.TEXT, SourceKind.PLAIN_FILE}


async def test_f3_a_document_that_takes_for_ever_is_killed_and_its_words_are_read(tmp_path: Path) -> None:
    path = docx(tmp_path / "endless.docx", _paragraphs())
    assert (await preflight(str(path), path.name, "", max_pages=99)).kind is SourceKind.DOCX
    reading = await read_file(path, SourceKind.DOCX, Cascade((DoclingOffice(deadline_s=4.0), DocxText())))
    assert [attempt.outcome for attempt in reading.attempts] == [Outcome.TIMEOUT, Outcome.WON]
    assert reading.document is not None
    assert reading.document.text.count("Слово") == 400_000


async def test_f3_a_document_on_which_every_level_takes_too_long_ends_in_a_clear_reason(tmp_path: Path) -> None:
    path = docx(tmp_path / "endless.docx", _paragraphs())
    levels = Cascade((DoclingOffice(deadline_s=2.0), DocxText(deadline_s=0.5)))
    reading = await read_file(path, SourceKind.DOCX, levels)
    assert reading.reason is not None
    assert reading.reason.text_key == "source-too-heavy"


@pytest.mark.parametrize(
    ("name", "key"),
    [
        ("bomb.docx", "source-bomb"), ("laughs.docx", "source-bomb"), ("giant.png", "source-picture-too-large"),
        ("random.pdf", "source-damaged"), ("trunc60.pdf", "source-damaged"), ("zero.pdf", "source-empty"),
        ("enc_user.pdf", "source-encrypted"),
    ],
)  # fmt: skip
async def test_f10_hostile_samples_end_in_a_clear_sentence(name: str, key: str) -> None:
    path = sample(f"bad/{name}")
    with pytest.raises(UserError) as caught:
        await preflight(str(path), path.name, "", max_pages=99)
    assert caught.value.text_key == key


@pytest.mark.parametrize(("name", "kind"), [("farcell.xlsx", SourceKind.XLSX), ("html_as.pdf", SourceKind.HTML)])
async def test_f10_odd_samples_are_read_as_what_they_are(name: str, kind: SourceKind) -> None:
    path = sample(f"bad/{name}")
    assert (await preflight(str(path), path.name, "", max_pages=99)).kind is kind
    assert (await read_file(path, kind)).document is not None
