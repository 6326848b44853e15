"""A chat model that sees, over a real socket: it looks at the picture that was really posted.

    async with VisionServer({"the words of a page": its_picture}) as server:
        server.script(rate_limited(0.1))  # behaviours of tests.fakes.openai_behaviours, then as usual
        ... a client with base_url=server.url ...
        server.seen  # the pictures that came, decoded

It knows pages by their looks: a posted picture is compared with those it was given, so a page that comes upside down,
or another one, is not recognised. What it does not know it answers with the agreed word for "no text".
"""

from __future__ import annotations

import base64
from collections.abc import Callable, Mapping
from io import BytesIO
from typing import Any

from aiohttp import web
from PIL import Image, ImageFilter, ImageOps

from tests.fakes.openai_behaviours import Behaviour, Body, error, reply_text, streamed
from tests.fakes.openai_server import FakeOpenAI

LOOK = (96, 96)
# Pages are compared as thumbnails of this size.

ALIKE = 0.6
# Correlation of the thumbnails' ink from which two pictures show one page.

NO_TEXT = "[[NO-TEXT]]"


class VisionServer(FakeOpenAI):
    """The fake model, with eyes.

    Args:
        pages: Text to write for each picture, upright as a person would look at it.
    """

    def __init__(self, pages: Mapping[str, Image.Image]) -> None:
        super().__init__()
        self.seen: list[Image.Image] = []
        self._looks = {text: _look(picture) for text, picture in pages.items()}
        self.when(lambda _body: True, _write_down)

    def prefer(self, matches: Callable[[Body], bool], behaviour: Behaviour) -> None:
        """Answer every request that matches like this; later rules come before earlier ones."""
        self._rules.insert(0, (matches, behaviour))

    def shows(self, text: str) -> Callable[[Body], bool]:
        """Whether a request shows the page with this text."""
        return lambda body: self.text_of(posted_picture(body)) == text

    def text_of(self, picture: Image.Image) -> str:
        """What stands on a picture, as far as the model knows it."""
        look = _look(picture)
        best = max(self._looks, key=lambda text: _likeness(look, self._looks[text]), default="")
        return best if best and _likeness(look, self._looks[best]) >= ALIKE else NO_TEXT


def posted_picture(body: Body) -> Image.Image:
    """Decode the data URL of a request; a request without a picture is refused as real endpoints do."""
    parts: list[dict[str, Any]] = [
        part for message in body["messages"] if isinstance(message["content"], list) for part in message["content"]
    ]
    url = next(part["image_url"]["url"] for part in parts if part["type"] == "image_url")
    head, _, data = url.partition(",")
    assert head in ("data:image/jpeg;base64", "data:image/png;base64"), head
    picture = Image.open(BytesIO(base64.b64decode(data, validate=True)))
    picture.load()
    return picture


async def _write_down(server: FakeOpenAI, request: web.Request, body: Body) -> web.StreamResponse:
    assert isinstance(server, VisionServer)
    try:
        picture = posted_picture(body)
    except (StopIteration, AssertionError, OSError, ValueError):
        return await error(400, "Invalid image")(server, request, body)
    server.seen.append(picture)
    return await reply_text(server, request, body, server.text_of(picture))


def fenced(text: str) -> Behaviour:
    """Write text in a code fence, with an introduction, as talkative models do."""
    return streamed(f"Here is the transcription of the page:\n\n```markdown\n{text}\n```")


def apology() -> Behaviour:
    """Refuse in a sentence."""
    return streamed("I'm sorry, but I can't assist with transcribing this image.")


def looping(words: str = "и ещё раз то же самое, ") -> Behaviour:
    """Begin well and then repeat oneself until the limit."""
    return streamed("Начало страницы. " + words * 200, "length")


def _look(picture: Image.Image) -> list[float]:
    """The ink of a picture as numbers with mean 0 and length 1."""
    grey = ImageOps.autocontrast(ImageOps.grayscale(picture)).filter(ImageFilter.BoxBlur(2)).resize(LOOK)
    values = [255.0 - value for value in grey.tobytes()]
    mean = sum(values) / len(values)
    length = sum((value - mean) ** 2 for value in values) ** 0.5 or 1.0
    return [(value - mean) / length for value in values]


def _likeness(one: list[float], other: list[float]) -> float:
    return sum(a * b for a, b in zip(one, other, strict=True))
