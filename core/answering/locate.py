"""Where a quote stands: its own page, second and headings, which may differ from those its chunk begins with."""

from collections.abc import Sequence
from dataclasses import replace

from core.model.answer import Citation
from core.model.document import Document
from core.model.headings import HeadingPaths
from core.model.ids import NotebookId
from core.ports import Transaction


async def locate(tx: Transaction, notebook_id: NotebookId, citations: Sequence[Citation]) -> tuple[Citation, ...]:
    """Look each quote up in its source's maps; a source that is gone leaves its citations as they are."""
    documents = {
        source_id: await tx.texts.document(notebook_id, source_id)
        for source_id in {item.source_id for item in citations}
    }
    paths = {source_id: HeadingPaths.of(document.text) for source_id, document in documents.items() if document}
    return tuple(_placed(item, documents[item.source_id], paths.get(item.source_id)) for item in citations)


def _placed(citation: Citation, document: Document | None, paths: HeadingPaths | None) -> Citation:
    if document is None or paths is None:
        return citation
    return replace(
        citation,
        page=document.page_at(citation.start),
        time_s=document.time_at(citation.start),
        headings=paths.at(citation.start),
    )
