"""What a model that sees may answer, and what of it is a page."""

from __future__ import annotations

import pytest

from core.adapters.vision.answers import BadAnswer, is_loop, page_text

TABLE = "| Год | Мост |\n|---|---|\n" + "".join(f"| {1900 + n} | да |\n" for n in range(40))


@pytest.mark.parametrize(
    ("answer", "text"),
    [
        ("# Парки\n\nТекст.", "# Парки\n\nТекст."),
        ("```markdown\n# Парки\n```", "# Парки"),
        ("```\n# Парки", "# Парки"),
        ("<think>look at it</think>\n# Парки", "# Парки"),
        ("Вот текст со страницы:\n\n# Парки", "# Парки"),
        ("Код:\n\n```python\nx = 1\n```\n\nконец", "Код:\n\n```python\nx = 1\n```\n\nконец"),
        ("[[NO-TEXT]]", ""),
        ("`[[NO-TEXT]]`", ""),
        ("Извините, сегодня закрыто. Приходите завтра.", "Извините, сегодня закрыто. Приходите завтра."),
        (TABLE, TABLE.strip()),
    ],
)
def test_the_page_is_taken_out_of_an_answer(answer: str, text: str) -> None:
    assert page_text(answer, "stop") == text


@pytest.mark.parametrize(
    ("answer", "finish", "code"),
    [
        ("", "stop", "empty"),
        ("```\n```", "stop", "empty"),
        ("I'm sorry, but I can't help with this image.", "stop", "refused"),
        ("К сожалению, я не могу прочитать текст на этом изображении.", "stop", "refused"),
        ("Полстраницы", "content_filter", "refused"),
        ("The image shows a cat on a sofa.", "stop", "described"),
        ("Начало. " + "снова и снова " * 50, "length", "loop"),
        ("Начало. " + "снова и снова " * 50, "stop", "loop"),
        ("Строка без конца\n" * 20 + "и конец", "stop", "loop"),
        ("Обычный текст, который оборва", "length", "cut"),
    ],
)
def test_what_is_no_page_is_named(answer: str, finish: str, code: str) -> None:
    with pytest.raises(BadAnswer) as failure:
        page_text(answer, finish)
    assert failure.value.code == code


def test_rules_and_rows_of_a_table_are_no_loop() -> None:
    assert not is_loop(TABLE)
    assert not is_loop("Содержание\n\nГлава 1 " + "." * 200)
    assert not is_loop("| | |\n" * 30)
