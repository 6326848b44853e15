"""An OpenAI-compatible server over a real socket, scripted by behaviours.

    async with FakeOpenAI() as server:
        server.script(rate_limited(2), streamed("Answer. [1]"))  # from tests.fakes.openai_behaviours
        ... a client with base_url=server.url ...
        server.requests[-1]["messages"]

Without a script it behaves like a good model: it searches with the question, then writes two sentences taken from the
passages it was given and cites them, or refuses when none has a word of the question. `python -m
tests.fakes.openai_server --port 8099` serves it for trying the product by hand.
"""

from __future__ import annotations

import argparse
import asyncio
from collections import deque
from collections.abc import Callable

from aiohttp import web

from tests.fakes.openai_behaviours import (
    Behaviour,
    Body,
    good_embeddings,
    good_insights,
    good_model,
    wants_insights,
)


class FakeOpenAI:
    """The server: `url` to give to a client, `requests` that came in (bodies), scripted behaviours.

    Args:
        dimensions: Of its embeddings.
        models: Names it lists.
        token_pause_s: Pause between streamed tokens, to watch streaming by hand.
    """

    def __init__(
        self, *, dimensions: int = 64, models: tuple[str, ...] = ("fake-model",), token_pause_s: float = 0
    ) -> None:
        self.dimensions = dimensions
        self.models = models
        self.token_pause_s = token_pause_s
        self.requests: list[Body] = []
        self.embedding_requests: list[Body] = []
        self.insight_requests: list[Body] = []
        self.headers: list[dict[str, str]] = []
        self.disconnected = asyncio.Event()
        self.stopping = asyncio.Event()
        self._scripts: dict[str, deque[Behaviour]] = {"chat": deque(), "embeddings": deque(), "insights": deque()}
        self._rules: list[tuple[Callable[[Body], bool], Behaviour]] = []
        self._runner: web.AppRunner | None = None
        self.url = ""

    def script(self, *behaviours: Behaviour) -> None:
        """Answer the next chat requests like this, one behaviour each, then as usual."""
        self._scripts["chat"].extend(behaviours)

    def script_embeddings(self, *behaviours: Behaviour) -> None:
        """Answer the next embedding requests like this."""
        self._scripts["embeddings"].extend(behaviours)

    def script_insights(self, *behaviours: Behaviour) -> None:
        """Answer the next requests to describe a document like this; they take nothing from the script of `script`."""
        self._scripts["insights"].extend(behaviours)

    def when(self, matches: Callable[[Body], bool], behaviour: Behaviour) -> None:
        """Answer every chat request that matches like this, unless something is scripted."""
        self._rules.append((matches, behaviour))

    def reset(self) -> None:
        """Forget scripts, rules and requests."""
        for script in self._scripts.values():
            script.clear()
        self._rules.clear()
        self.requests.clear()
        self.embedding_requests.clear()
        self.insight_requests.clear()
        self.disconnected.clear()

    async def start(self, port: int = 0, host: str = "127.0.0.1") -> None:
        """Begin to serve; port 0 takes a free one."""
        app = web.Application(client_max_size=64 * 2**20)
        app.router.add_post("/v1/chat/completions", self._chat)
        app.router.add_post("/v1/embeddings", self._embeddings)
        app.router.add_get("/v1/models", self._list_models)
        self._runner = web.AppRunner(app, access_log=None, shutdown_timeout=0.1)
        await self._runner.setup()
        site = web.TCPSite(self._runner, host, port)
        await site.start()
        self.url = f"http://{host}:{self._runner.addresses[0][1]}/v1"

    async def stop(self) -> None:
        """End, with silent requests let go first."""
        self.stopping.set()
        if self._runner is not None:
            await self._runner.cleanup()

    def wait_for_stop(self) -> asyncio.Task[bool]:
        """A task that ends when the server is told to stop."""
        return asyncio.get_running_loop().create_task(self.stopping.wait())

    async def __aenter__(self) -> FakeOpenAI:
        await self.start()
        return self

    async def __aexit__(self, *exception: object) -> None:
        await self.stop()

    async def _chat(self, request: web.Request) -> web.StreamResponse:
        body = await request.json()
        if wants_insights(body):  # comes whenever a source is read, between the questions that a test is about
            self.insight_requests.append(body)
            described = self._scripts["insights"]
            return await (described.popleft() if described else good_insights)(self, request, body)
        self.requests.append(body)
        self.headers.append(dict(request.headers))
        script = self._scripts["chat"]
        if script:
            return await script.popleft()(self, request, body)
        for matches, behaviour in self._rules:
            if matches(body):
                return await behaviour(self, request, body)
        return await good_model(self, request, body)

    async def _embeddings(self, request: web.Request) -> web.StreamResponse:
        body = await request.json()
        self.embedding_requests.append(body)
        script = self._scripts["embeddings"]
        return await (script.popleft() if script else good_embeddings)(self, request, body)

    async def _list_models(self, _: web.Request) -> web.Response:
        data = [{"id": name, "object": "model", "created": 0, "owned_by": "fake"} for name in self.models]
        return web.json_response({"object": "list", "data": data})


def main() -> None:
    """Serve until interrupted."""
    parser = argparse.ArgumentParser(description="A fake OpenAI-compatible server.")
    parser.add_argument("--port", type=int, default=8099)
    parser.add_argument("--dimensions", type=int, default=384)
    parser.add_argument("--pause", type=float, default=0.02, help="seconds between tokens")
    arguments = parser.parse_args()
    asyncio.run(_serve(arguments.port, arguments.dimensions, arguments.pause))


async def _serve(port: int, dimensions: int, pause_s: float) -> None:
    server = FakeOpenAI(dimensions=dimensions, token_pause_s=pause_s)
    await server.start(port)
    print(f"OPENAI_BASE_URL={server.url}", flush=True)
    try:
        await server.stopping.wait()
    finally:
        await server.stop()


if __name__ == "__main__":
    main()
