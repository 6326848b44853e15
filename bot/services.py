"""Outside services that may see text, as `/privacy` names them."""

from dataclasses import dataclass
from urllib.parse import urlsplit

from core.settings import Settings


@dataclass(frozen=True, slots=True)
class OutsideServices:
    """Each as `model (host)`, "" when there is none."""

    llm: str = ""
    embedding: str = ""


def outside_services(settings: Settings) -> OutsideServices:
    """Read them from the settings."""
    llm, embedding = settings.llm, settings.embedding
    return OutsideServices(
        llm=_named(llm.model, llm.base_url) if llm.configured else "",
        embedding=_named(embedding.model, embedding.base_url) if embedding.configured else "",
    )


def _named(model: str, base_url: str) -> str:
    return f"{model} ({urlsplit(base_url).hostname})"
