"""The real openai client behind our ports, against a server on a real socket that misbehaves in every known way."""

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import aclosing

import pytest

from core.adapters.embeddings.openai_compatible import BATCH, EmbeddingEndpoint, OpenAICompatibleEmbeddings
from core.adapters.llm.openai_compatible import ChatEndpoint, OpenAICompatible
from core.answering.prompt import build_messages, render_passages
from core.errors import KonspektError, PermanentError, RateLimited, TransientError
from core.evidence.citations import check_answer
from core.model.answer import Verdict
from core.ports.models import ChatMessage, LanguageModel, ModelReply
from tests.fakes import openai_behaviours as fake
from tests.fakes.openai_behaviours import chunk
from tests.fakes.openai_server import FakeOpenAI
from tests.unit.passages import passage

PATIENCE_S = 20.0
SILENCE_S = 0.3
FIRST = passage(1, "Гагарин родился в 1934 году. Первый полёт в космос он совершил 12 апреля 1961 года.")
SECOND = passage(2, "Терешкова стала первой женщиной в космосе. Полёт состоялся в 1963 году.")
QUESTION = "Когда состоялся первый полёт в космос?"
MESSAGES = build_messages(QUESTION, [], [], "ru")
LONG = "Это достаточно длинный ответ, чтобы его начало показали сразу. " * 4


@pytest.fixture
async def server() -> AsyncIterator[FakeOpenAI]:
    async with FakeOpenAI(dimensions=16) as running:
        yield running


@pytest.fixture
async def model(server: FakeOpenAI) -> AsyncIterator[LanguageModel]:
    opened = OpenAICompatible(ChatEndpoint(server.url, "fake-model", api_key="key", silence_s=PATIENCE_S, pause_s=0.01))
    yield opened
    await opened.close()


@pytest.fixture
async def impatient(server: FakeOpenAI) -> AsyncIterator[LanguageModel]:
    opened = OpenAICompatible(ChatEndpoint(server.url, "fake-model", silence_s=SILENCE_S))
    yield opened
    await opened.close()


class Search:
    """The tool, with the queries it got."""

    def __init__(self) -> None:
        self.queries: list[str] = []

    async def __call__(self, query: str) -> str:
        self.queries.append(query)
        return render_passages([FIRST, SECOND])


async def ask(model: LanguageModel, search: Search | None = None, max_searches: int = 2) -> tuple[str, str]:
    """The whole text and how it ended."""
    text, finish = "", ""
    async for reply in model.answer(MESSAGES, search or Search(), max_searches=max_searches):
        assert not finish, "nothing may follow the end"
        text, finish = text + reply.text, reply.finish
    return text, finish


# --- answers ------------------------------------------------------------------------------------------------------


async def test_the_model_searches_and_its_citations_hold(server: FakeOpenAI, model: LanguageModel) -> None:
    search = Search()
    text, finish = await ask(model, search)
    assert (search.queries, finish) == ([QUESTION], "stop")
    checked = check_answer(text, [FIRST, SECOND])
    assert [citation.verdict for citation in checked.citations] == [Verdict.VERBATIM, Verdict.VERBATIM]
    assert checked.unsupported == ()
    tool_message = server.requests[1]["messages"][-1]
    assert tool_message["role"] == "tool"
    assert "Терешкова" in tool_message["content"]
    assert server.requests[1]["messages"][-2]["tool_calls"][0]["id"] == tool_message["tool_call_id"]


async def test_text_is_streamed_as_it_comes(server: FakeOpenAI, model: LanguageModel) -> None:
    server.script(fake.streamed(LONG))
    replies = [reply async for reply in model.answer(MESSAGES, Search(), max_searches=1)]
    assert len(replies) > 10
    assert "".join(reply.text for reply in replies) == LONG
    assert replies[-1] == ModelReply(finish="stop")


async def test_a_refusal_is_a_tool_call(server: FakeOpenAI, model: LanguageModel) -> None:
    server.script(fake.refusal())
    assert await ask(model) == ("", "refused")


async def test_a_remark_before_a_tool_call_is_not_shown(server: FakeOpenAI, model: LanguageModel) -> None:
    call = {
        "index": 0,
        "id": "c",
        "type": "function",
        "function": {"name": "search_sources", "arguments": '{"query":"а"}'},
    }
    server.script(
        fake.events(chunk({"content": "Сейчас поищу."}), chunk({"tool_calls": [call]}), chunk({}, "tool_calls"))
    )
    text, _ = await ask(model)
    assert "поищу" not in text
    assert text.startswith("Первый полёт")


async def test_searches_are_bounded_and_refusing_stays_possible(server: FakeOpenAI, model: LanguageModel) -> None:
    server.script(fake.search("а"), fake.search("б"), fake.refusal())
    search = Search()
    assert await ask(model, search, max_searches=2) == ("", "refused")
    assert search.queries == ["а", "б"]
    offered = [[tool["function"]["name"] for tool in request["tools"]] for request in server.requests]
    assert offered == [["search_sources", "not_in_sources"]] * 2 + [["not_in_sources"]]


async def test_a_model_that_never_stops_calling_is_stopped(server: FakeOpenAI, model: LanguageModel) -> None:
    server.script(*[fake.search(f"запрос {n}") for n in range(20)])
    search = Search()
    with pytest.raises(TransientError, match="llm-empty"):
        await ask(model, search, max_searches=2)
    assert len(search.queries) == 2
    assert server.requests[-1]["tool_choice"] == "none"
    assert len(server.requests) == 5


async def test_no_searches_allowed_means_no_search_tool(server: FakeOpenAI, model: LanguageModel) -> None:
    server.script(fake.streamed("Ответ. [1]"))
    search = Search()
    assert await ask(model, search, max_searches=0) == ("Ответ. [1]", "stop")
    assert [tool["function"]["name"] for tool in server.requests[0]["tools"]] == ["not_in_sources"]


async def test_several_calls_in_one_turn_are_all_answered(server: FakeOpenAI, model: LanguageModel) -> None:
    queries = [("search_sources", json.dumps({"query": query})) for query in "абв"]
    server.script(fake.tool_calls(*queries))
    search = Search()
    await ask(model, search, max_searches=2)
    assert search.queries == ["а", "б"]
    assert [message["role"] for message in server.requests[1]["messages"][-4:]] == ["assistant", "tool", "tool", "tool"]


@pytest.mark.parametrize(
    ("arguments", "queries"),
    [
        ('{"query": "полёт', ["полёт"]),
        ('"полёт"', ["полёт"]),
        ("полёт", ["полёт"]),
        ('{"q": "полёт"}', ["полёт"]),
        ("", []),
        ("{}", []),
        ('{"query": 7}', ["7"]),
        ("[]", []),
    ],
)
async def test_malformed_arguments_are_salvaged_or_answered(
    server: FakeOpenAI, model: LanguageModel, arguments: str, queries: list[str]
) -> None:
    server.script(fake.tool_calls(("search_sources", arguments)), fake.streamed("Ответ. [1]"))
    search = Search()
    assert await ask(model, search) == ("Ответ. [1]", "stop")
    assert search.queries == queries
    json.loads(server.requests[1]["messages"][-2]["tool_calls"][0]["function"]["arguments"])


async def test_an_unknown_tool_is_answered_and_the_model_goes_on(server: FakeOpenAI, model: LanguageModel) -> None:
    server.script(fake.tool_calls(("web_search", "{}")), fake.streamed("Ответ. [1]"))
    assert await ask(model) == ("Ответ. [1]", "stop")
    assert "no such tool" in server.requests[1]["messages"][-1]["content"]


async def test_calls_without_ids_and_indexes_are_put_together(server: FakeOpenAI, model: LanguageModel) -> None:
    call = {"function": {"name": "search_sources", "arguments": '{"query": "а"}'}}
    server.script(fake.events(chunk({"tool_calls": [call]}, "tool_calls")), fake.streamed("Ответ. [1]"))
    search = Search()
    assert await ask(model, search) == ("Ответ. [1]", "stop")
    assert search.queries == ["а"]


# --- endpoints that cannot do everything ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    "complaint",
    [
        fake.no_tools(),
        fake.error(400, '"auto" tool choice requires --enable-auto-tool-choice'),
        fake.error(404, "No endpoints found that support tool use"),
        fake.error(500, "tools param requires --jinja flag"),
    ],
)
async def test_an_endpoint_without_tools_is_asked_without_and_remembered(
    server: FakeOpenAI, model: LanguageModel, complaint: fake.Behaviour
) -> None:
    server.when(fake.wants_tools, complaint)
    server.when(lambda body: True, fake.streamed("Ответ. [1]"))
    assert await ask(model) == ("Ответ. [1]", "stop")
    assert await ask(model) == ("Ответ. [1]", "stop")
    assert ["tools" in request for request in server.requests] == [True, False, False]


@pytest.mark.parametrize(
    "text", ["[[NOT_FOUND]]", "\n[[NOT_FOUND]]\nВ тексте этого нет.", "<think>Хм…</think>\n[[NOT_FOUND]]"]
)
async def test_without_tools_a_refusal_is_a_marker_that_nobody_sees(
    server: FakeOpenAI, model: LanguageModel, text: str
) -> None:
    server.when(fake.wants_tools, fake.no_tools())
    server.when(lambda body: True, fake.streamed(text))
    assert await ask(model) == ("", "refused")


async def test_parameters_that_a_model_does_not_know_are_left_out(server: FakeOpenAI, model: LanguageModel) -> None:
    old = "Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead."
    server.when(lambda body: "max_tokens" in body, fake.error(400, old))
    server.when(lambda body: "temperature" in body, fake.error(400, "Unsupported value: 'temperature'"))
    server.when(lambda body: True, fake.streamed("Ответ. [1]"))
    assert await ask(model) == ("Ответ. [1]", "stop")
    assert server.requests[-1]["max_completion_tokens"] == 2000
    assert "tools" in server.requests[-1]


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("<think>Считаю до трёх.</think>\n\nОтвет. [1]", "Ответ. [1]"),
        ("<thinking>x</thinking>Ответ. [1]", "Ответ. [1]"),
        ("Тег <think> в тексте.", "Тег <think> в тексте."),
        ("<b>Ответ</b> [1].", "<b>Ответ</b> [1]."),
        ("[[Ссылка]] есть.", "[[Ссылка]] есть."),
    ],
)
async def test_thoughts_are_dropped_only_at_the_beginning(
    server: FakeOpenAI, model: LanguageModel, text: str, shown: str
) -> None:
    server.script(fake.streamed(text))
    assert await ask(model) == (shown, "stop")


async def test_characters_that_storage_refuses_are_cleaned(server: FakeOpenAI, model: LanguageModel) -> None:
    torn = [chunk({"content": text}) for text in ("А\x00Б", "\ud83d", "\ude00", "\udc00", "В.\ud800")]
    server.script(fake.events(*torn, chunk({}, "stop")))
    assert await ask(model) == ("АБ😀В.", "stop")


# --- odd streams ---------------------------------------------------------------------------------------------------


async def test_odd_chunks_do_not_disturb(server: FakeOpenAI, model: LanguageModel) -> None:
    empty = {**chunk({}), "choices": []}
    no_delta = {**chunk({}), "choices": [{"index": 0, "finish_reason": None}]}
    usage = {**empty, "usage": {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2}}
    server.script(fake.events(empty, no_delta, chunk({"content": None}), chunk({"content": "Да. [1]"}, "stop"), usage))
    assert await ask(model) == ("Да. [1]", "stop")


async def test_a_length_limit_is_told(server: FakeOpenAI, model: LanguageModel) -> None:
    server.script(fake.streamed("Ответ обор", finish="length"))
    assert await ask(model) == ("Ответ обор", "length")


@pytest.mark.parametrize(("text", "finish"), [("Ответ. [1]", "stop"), ("Ответ оборв", "length")])
async def test_a_stream_without_an_end_counts_as_cut_off_unless_a_sentence_ends(
    server: FakeOpenAI, model: LanguageModel, text: str, finish: str
) -> None:
    server.script(fake.events(chunk({"content": text}), done=False))
    assert await ask(model) == (text, finish)


STREAM_FAILURES = [
    (fake.streamed(""), TransientError, "llm-empty"),
    (fake.events(), TransientError, "llm-empty"),
    (fake.streamed("<think>без конца", finish="length"), TransientError, "llm-empty"),
    (fake.malformed(), TransientError, "llm-broken-reply"),
    (fake.events({"error": {"message": "overloaded", "code": 503}}), TransientError, "llm-broken-reply"),
    (fake.events({"error": {"message": "Rate limit reached", "code": 429}}), RateLimited, "llm-rate-limited"),
    (fake.dropped(), TransientError, "llm-dropped"),
    (fake.events(chunk({"content": "А"}, "content_filter")), PermanentError, "llm-content-filter"),
]


@pytest.mark.parametrize(("behaviour", "kind", "key"), STREAM_FAILURES)
async def test_a_broken_stream_is_a_typed_error(
    server: FakeOpenAI, model: LanguageModel, behaviour: fake.Behaviour, kind: type[KonspektError], key: str
) -> None:
    server.script(behaviour)
    with pytest.raises(kind) as caught:
        await ask(model)
    assert caught.value.text_key == key
    assert type(caught.value) is kind


@pytest.mark.parametrize("keep_alive", [False, True])
async def test_silence_is_a_timeout_even_with_keep_alive_comments(
    server: FakeOpenAI, impatient: LanguageModel, keep_alive: bool
) -> None:
    server.script(*[fake.silent(30, keep_alive=keep_alive)] * 2)
    with pytest.raises(TransientError, match="llm-timeout"):
        await ask(impatient)
    with pytest.raises(TransientError, match="llm-timeout"):
        await impatient.complete(MESSAGES, max_tokens=50)


async def test_what_came_before_the_silence_was_given(server: FakeOpenAI, impatient: LanguageModel) -> None:
    server.script(fake.silent(30, LONG))
    given: list[str] = []

    async def read() -> None:
        async for reply in impatient.answer(MESSAGES, Search(), max_searches=1):
            given.append(reply.text)

    with pytest.raises(TransientError, match="llm-timeout"):
        await read()
    assert "".join(given) == LONG


async def test_leaving_an_answer_closes_its_connection(server: FakeOpenAI, model: LanguageModel) -> None:
    server.script(fake.silent(30, LONG, keep_alive=True))
    async with aclosing(model.answer(MESSAGES, Search(), max_searches=1)) as replies:  # type: ignore[type-var]
        async for _ in replies:
            break
    async with asyncio.timeout(5):
        await server.disconnected.wait()


# --- statuses ------------------------------------------------------------------------------------------------------

STATUSES = [
    (fake.rate_limited(7), RateLimited, "llm-rate-limited"),
    (fake.error(429, "You exceeded your quota", "insufficient_quota"), PermanentError, "llm-no-credit"),
    (fake.error(401, "Incorrect API key"), PermanentError, "llm-auth"),
    (fake.error(403, "Country not supported"), PermanentError, "llm-auth"),
    (fake.error(402, "Payment required"), PermanentError, "llm-no-credit"),
    (fake.error(404, "The model does not exist"), PermanentError, "llm-unknown-model"),
    (fake.error(400, "This model's maximum context length is 8192 tokens"), PermanentError, "llm-context-too-long"),
    (fake.error(413, "Request too large"), PermanentError, "llm-context-too-long"),
    (fake.error(400, "Invalid value"), PermanentError, "llm-bad-request"),
    (fake.error(422, "Unprocessable"), PermanentError, "llm-bad-request"),
]


@pytest.mark.parametrize(("behaviour", "kind", "key"), STATUSES)
async def test_a_status_is_a_typed_error_and_not_retried(
    server: FakeOpenAI, model: LanguageModel, behaviour: fake.Behaviour, kind: type[KonspektError], key: str
) -> None:
    server.script(behaviour)
    with pytest.raises(kind) as caught:
        await ask(model)
    assert (type(caught.value), caught.value.text_key) == (kind, key)
    assert len(server.requests) == 1


@pytest.mark.parametrize(
    ("headers", "wait_s"),
    [
        ({"Retry-After": "7"}, 7.0),
        ({"retry-after-ms": "1500"}, 1.5),
        ({"Retry-After": "soon"}, 5.0),
        ({}, 5.0),
        ({"Retry-After": "Wed, 21 Oct 2015 07:28:00 GMT"}, 0.0),
        ({"Retry-After": "999999"}, 3600.0),
    ],
)
async def test_the_wait_of_a_429_is_read(
    server: FakeOpenAI, model: LanguageModel, headers: dict[str, str], wait_s: float
) -> None:
    server.script(fake.error(429, "Rate limit reached", headers=headers))
    with pytest.raises(RateLimited) as caught:
        await ask(model)
    assert caught.value.retry_after_s == pytest.approx(wait_s)


@pytest.mark.parametrize(
    "failure", [fake.broken(500), fake.broken(502), fake.error(503, "busy"), fake.refused_connection()]
)
async def test_a_failure_before_the_first_token_is_tried_once_more(
    server: FakeOpenAI, model: LanguageModel, failure: fake.Behaviour
) -> None:
    server.script(failure, fake.streamed("Ответ. [1]"))
    assert await ask(model) == ("Ответ. [1]", "stop")
    server.script(failure, failure, fake.streamed("Ответ. [1]"))
    with pytest.raises(TransientError, match="llm-unavailable"):
        await ask(model)
    assert len(server.requests) == 4


async def test_a_closed_port_is_transient(server: FakeOpenAI, model: LanguageModel) -> None:
    await server.stop()
    with pytest.raises(TransientError, match="llm-unavailable"):
        await ask(model)


async def test_the_environments_proxy_is_not_used(server: FakeOpenAI, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:9")
    monkeypatch.setenv("ALL_PROXY", "http://127.0.0.1:9")
    monkeypatch.delenv("NO_PROXY", raising=False)
    direct = OpenAICompatible(ChatEndpoint(server.url, "m"))
    assert (await ask(direct))[1] == "stop"
    await direct.close()


# --- complete ------------------------------------------------------------------------------------------------------


async def test_complete_answers_without_tools(server: FakeOpenAI, model: LanguageModel) -> None:
    server.script(fake.streamed("<think>м</think>[[NOT_FOUND]] как текст\x00"))
    assert await model.complete([ChatMessage("user", "Скажи")], max_tokens=50) == "[[NOT_FOUND]] как текст"
    assert "tools" not in server.requests[0]
    assert server.requests[0]["max_tokens"] == 50


@pytest.mark.parametrize(("behaviour", "kind", "key"), STREAM_FAILURES)
async def test_complete_fails_like_answer(
    server: FakeOpenAI, model: LanguageModel, behaviour: fake.Behaviour, kind: type[KonspektError], key: str
) -> None:
    server.script(behaviour)
    with pytest.raises(kind) as caught:
        await model.complete(MESSAGES, max_tokens=50)
    assert caught.value.text_key == key


# --- embeddings ----------------------------------------------------------------------------------------------------


def embedder(server: FakeOpenAI, **settings: object) -> OpenAICompatibleEmbeddings:
    known = {"base_url": server.url, "model": "text-embedding", "timeout_s": PATIENCE_S, "pause_s": 0.01, **settings}
    return OpenAICompatibleEmbeddings(EmbeddingEndpoint(**known))  # type: ignore[arg-type]


async def test_passages_come_back_in_order_as_unit_vectors_of_a_discovered_size(server: FakeOpenAI) -> None:
    embeddings = embedder(server)
    texts = [f"текст номер {n}" for n in range(BATCH * 2 + 3)]
    assert embeddings.dimensions == 0
    vectors = await embeddings.embed_passages(texts)
    assert [len(request["input"]) for request in server.embedding_requests] == [BATCH, BATCH, 3]
    assert embeddings.dimensions == 16 == len(vectors[0])
    assert all(sum(x * x for x in vector) == pytest.approx(1) for vector in vectors)
    assert vectors[70] == pytest.approx(await embeddings.embed_query(texts[70]))
    assert await embeddings.embed_passages([]) == []
    await embeddings.close()


@pytest.mark.parametrize(
    ("settings", "query", "stored"),
    [
        ({}, "а", "а"),
        ({"model": "multilingual-e5-small"}, "query: а", "passage: а"),
        ({"model": "multilingual-e5-small", "query_prefix": "", "passage_prefix": "p:"}, "а", "p:а"),
        ({"query_prefix": "q:"}, "q:а", "а"),
    ],
)
async def test_prefixes_follow_the_models_family_or_the_settings(
    server: FakeOpenAI, settings: dict[str, object], query: str, stored: str
) -> None:
    embeddings = embedder(server, **settings)
    await embeddings.embed_query("а")
    await embeddings.embed_passages(["а"])
    assert [request["input"] for request in server.embedding_requests] == [[query], [stored]]
    await embeddings.close()


async def test_blank_and_dirty_inputs_are_sent_clean(server: FakeOpenAI) -> None:
    embeddings = embedder(server)
    assert len(await embeddings.embed_passages(["", " \n", "а\x00\ud800б"])) == 3
    assert server.embedding_requests[0]["input"] == ["-", "-", "аб"]
    await embeddings.close()


async def test_vectors_out_of_order_are_sorted(server: FakeOpenAI) -> None:
    data = [{"object": "embedding", "index": n, "embedding": [float(n), 1.0]} for n in (2, 0, 1)]
    server.script_embeddings(fake.status(200, {"object": "list", "model": "m", "data": data}))
    embeddings = embedder(server)
    vectors = await embeddings.embed_passages(["а", "б", "в"])
    assert [vector[0] / vector[1] for vector in vectors] == pytest.approx([0, 1, 2])
    await embeddings.close()


EMBEDDING_FAILURES = [
    (fake.rate_limited(3), RateLimited, "embeddings-rate-limited", 1),
    (fake.error(401, "no"), PermanentError, "embeddings-auth", 1),
    (fake.error(404, "no such model"), PermanentError, "embeddings-unknown-model", 1),
    (fake.broken(500), TransientError, "embeddings-unavailable", 2),
    (fake.refused_connection(), TransientError, "embeddings-unavailable", 2),
    (fake.status(200, "<html></html>"), TransientError, "embeddings-broken-reply", 2),
    (fake.status(200, {"object": "list", "data": []}), TransientError, "embeddings-broken-reply", 2),
    (fake.vectors([0.0, 0.0]), TransientError, "embeddings-broken-reply", 2),
    (fake.vectors([float("nan"), 1.0]), TransientError, "embeddings-broken-reply", 2),
]


@pytest.mark.parametrize(("behaviour", "kind", "key", "tries"), EMBEDDING_FAILURES)
async def test_failing_embeddings_are_typed_errors(
    server: FakeOpenAI, behaviour: fake.Behaviour, kind: type[KonspektError], key: str, tries: int
) -> None:
    server.script_embeddings(behaviour, behaviour, behaviour)
    embeddings = embedder(server)
    with pytest.raises(kind) as caught:
        await embeddings.embed_query("вопрос")
    assert (type(caught.value), caught.value.text_key) == (kind, key)
    assert len(server.embedding_requests) == tries
    await embeddings.close()


async def test_a_silent_embedding_endpoint_is_a_timeout(server: FakeOpenAI) -> None:
    server.script_embeddings(fake.silent(30))
    embeddings = embedder(server, timeout_s=SILENCE_S)
    with pytest.raises(TransientError, match="embeddings-timeout"):
        await embeddings.embed_query("вопрос")
    await embeddings.close()


async def test_vectors_of_another_size_than_agreed_are_refused(server: FakeOpenAI) -> None:
    embeddings = embedder(server, dimensions=384)
    with pytest.raises(PermanentError, match="embeddings-wrong-size"):
        await embeddings.embed_query("вопрос")
    await embeddings.close()


async def test_texts_too_long_for_the_endpoint_are_cut_and_tried_again(server: FakeOpenAI) -> None:
    server.script_embeddings(fake.error(400, "maximum context length is 512 tokens"))
    embeddings = embedder(server, max_tokens=8)
    assert len(await embeddings.embed_passages(["слово " * 50])) == 1
    assert len(server.embedding_requests[1]["input"][0]) <= 16
    await embeddings.close()
