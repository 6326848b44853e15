"""Questions to a page from a world of our own: its scripts can neither see them nor answer in our place."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from dataclasses import dataclass

from playwright.async_api import CDPSession, Page
from playwright.async_api import Error as PlaywrightError

ANSWER_S = 4.0
# For any one answer: a page whose script never yields gives none.

TRIES = 3
# A page that navigates meanwhile takes our world with it.

_LENGTH = """
(() => {
  let length = 0
  const words = document.createTreeWalker(document.body ?? document, NodeFilter.SHOW_TEXT)
  while (length < 1e6 && words.nextNode())
    if (!/^(SCRIPT|STYLE|NOSCRIPT|TEMPLATE)$/.test(words.currentNode.parentNode.nodeName))
      length += words.currentNode.data.trim().length
  return length
})()
"""
# Not `innerText`, which lays the page out anew at every question.

_HTML = "document.documentElement ? document.documentElement.outerHTML.slice(0, {limit}) : ''"


@dataclass(slots=True)
class Isolated:
    """A page's isolated world; it is made anew whenever the page went elsewhere."""

    session: CDPSession
    world: int = 0

    @classmethod
    async def of(cls, page: Page) -> Isolated:
        """Open the way to a page.

        Raises:
            TimeoutError: The page does not answer.
        """
        async with asyncio.timeout(ANSWER_S):
            return cls(await page.context.new_cdp_session(page))

    async def text_length(self) -> int:
        """Count the characters of the page's text; 0 when it does not answer now."""
        with suppress(PlaywrightError, TimeoutError):
            value = await self._ask(_LENGTH)
            return value if isinstance(value, int) else 0
        return 0

    async def html(self, limit: int) -> str:
        """Return the document's source as it stands, cut at the limit; "" when the page does not answer."""
        for _ in range(TRIES):
            with suppress(PlaywrightError, TimeoutError):
                value = await self._ask(_HTML.format(limit=limit))
                return value if isinstance(value, str) else ""
        return ""

    async def _ask(self, expression: str) -> object:
        async with asyncio.timeout(ANSWER_S):
            if not self.world:
                self.world = await self._new_world()
            try:
                answer = await self.session.send(
                    "Runtime.evaluate",
                    {"expression": expression, "contextId": self.world, "returnByValue": True, "timeout": 3000},
                )
            except PlaywrightError:
                self.world = 0
                raise
        result: dict[str, object] = answer["result"]
        return result.get("value")

    async def _new_world(self) -> int:
        tree = await self.session.send("Page.getFrameTree")
        frame = tree["frameTree"]["frame"]["id"]
        made = await self.session.send("Page.createIsolatedWorld", {"frameId": frame, "worldName": "konspekt"})
        return int(made["executionContextId"])
