"""Words in the form in which they are compared."""

import pytest

from core.retrieval.normalise import normalise


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("Шостако́вич", "шостакович"),
        ("Ёлка и ёж", "елка и еж"),
        ("Йод, йога", "йод йога"),
        ("ме\u00adга\u200bполис", "мегаполис"),
        ("naïve café", "naive cafe"),
        ("ﬁnal ½", "final 1 2"),
        ("Ｆｕｌｌ　ｗｉｄｔｈ", "full width"),
        ("H₂O mc²", "h2o mc2"),
        ("C++ и C#, .NET", "cplusplus и csharp dotnet"),
        ("c++?", "cplusplus"),
        ("кто-то по-русски", "кто то по русски"),
        ("GPT-4", "gpt 4 gpt4"),
        ("GPT4", "gpt4"),
        ("Ил-76", "ил 76 ил76"),
        ("7.32-2017", "7 32 2017 7x32 7x32x2017"),
        ("п. 4.1.2", "п 4 1 2 4x1x2"),
        ("<b>тег</b> & </script>", "b тег b script"),
        ("snake_case", "snake case"),
        ("", ""),
        ("— … !", ""),
    ],
)
def test_words_are_brought_to_one_form(text: str, words: str) -> None:
    assert normalise(text) == words


def test_forms_that_mean_the_same_meet() -> None:
    assert set(normalise("ГОСТ 7.32-2017").split()) >= set(normalise("7.32").split())
    assert set(normalise("модель GPT-4").split()) & set(normalise("gpt4").split())
    assert set(normalise("модель GPT 4").split()) & set(normalise("GPT-4").split())
