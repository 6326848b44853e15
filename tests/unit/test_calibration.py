"""What a model's calibration learns, and when."""

import pytest

from core.adapters.postgres.calibration import SOURCES_FOR_A_MEAN, Calibration, learn, shipped_calibration


def taught(calibration: Calibration, language: str, sources: range) -> Calibration:
    for source in sources:
        calibration = learn(calibration, language, source, [[1.0, source], [3.0, source]]) or calibration
    return calibration


def test_a_mean_is_known_once_enough_sources_were_sampled() -> None:
    almost = taught({}, "de", range(SOURCES_FOR_A_MEAN - 1))
    assert "de" not in almost.get("means", {})
    done = taught(almost, "de", range(SOURCES_FOR_A_MEAN))
    assert done["means"]["de"] == [pytest.approx(2.0), pytest.approx((SOURCES_FOR_A_MEAN - 1) / 2)]
    assert "de" not in done["learning"]


def test_a_source_is_sampled_once() -> None:
    once = learn({}, "de", 7, [[1.0, 0.0]])
    assert once is not None
    assert learn(once, "de", 7, [[0.0, 1.0]]) is None


def test_a_known_mean_stays() -> None:
    assert learn({"means": {"ru": [0.1, 0.2]}}, "ru", 1, [[1.0, 0.0]]) is None


def test_languages_learn_apart() -> None:
    both = taught(taught({}, "de", range(3)), "fr", range(2))
    assert (len(both["learning"]["de"]["sources"]), len(both["learning"]["fr"]["sources"])) == (3, 2)


def test_the_embedded_model_comes_with_russian_and_english() -> None:
    means = shipped_calibration("embedded:multilingual-e5-small-int8")["means"]
    assert {language: len(mean) for language, mean in means.items()} == {"ru": 384, "en": 384}
    assert shipped_calibration("text-embedding-3-small") == {}
