"""Where a quote stands: its own page, second and headings, which may differ from those its chunk begins with."""

from collections.abc import Sequence
from dataclasses import replace

from core.model.answer import Citation
from core.model.headings import HeadingPaths
from core.model.ids import NotebookId
from core.ports import Transaction


async def locate(tx: Transaction, notebook_id: NotebookId, citations: Sequence[Citation]) -> tuple[Citation, ...]:
    """Look each quote up in its source's maps; a source that is gone leaves its citations as they are."""
    documents = {
        source_id: await tx.texts.document(notebook_id, source_id)
        for source_id in {item.source_id for item in citations}
    }
    located = []
    for item in citations:
        document = documents[item.source_id]
        if document is not None:
            item = replace(
                item,
                page=document.page_at(item.start),
                time_s=document.time_at(item.start),
                headings=HeadingPaths.of(document.text[: item.start + 1]).at(item.start),
            )
        located.append(item)
    return tuple(located)
