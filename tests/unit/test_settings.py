"""Settings are read once, refuse what they do not know, and hide what is secret."""

import pytest
from pydantic import SecretStr, ValidationError

from core.settings import DatabaseSettings, LlmSettings, Settings


@pytest.mark.parametrize("scheme", ["postgres", "postgresql", "postgresql+asyncpg"])
def test_any_usual_address_of_postgres_names_our_driver(scheme: str) -> None:
    url = DatabaseSettings(url=SecretStr(f"{scheme}://me@host:5433/db?host=%2Fa%20b")).url
    assert url.get_secret_value() == "postgresql+asyncpg://me@host:5433/db?host=%2Fa%20b"


def test_a_password_of_any_characters_is_put_into_the_address() -> None:
    settings = DatabaseSettings(url=SecretStr("postgresql://me@host/db"), password=SecretStr("p@ss/w:rd %"))
    assert settings.url.get_secret_value() == "postgresql+asyncpg://me:p%40ss%2Fw%3Ard%20%25@host/db"


def test_a_password_in_the_address_wins() -> None:
    settings = DatabaseSettings(url=SecretStr("postgresql://me:mine@host/db"), password=SecretStr("other"))
    assert settings.url.get_secret_value() == "postgresql+asyncpg://me:mine@host/db"


def test_no_address_stays_no_address() -> None:
    assert DatabaseSettings(password=SecretStr("x")).url.get_secret_value() == ""


def test_a_variable_of_a_group_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LLM_WINDOW_TOKENS", "32000")
    assert Settings().llm.window_tokens == 32_000


def test_a_misspelt_variable_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LLM_WINDOWS_TOKENS", "32000")
    with pytest.raises(ValidationError, match="windows_tokens"):
        Settings()


def test_secrets_do_not_show_when_settings_are_printed() -> None:
    shown = repr(LlmSettings(api_key=SecretStr("sk-secret"))) + repr(
        DatabaseSettings(url=SecretStr("postgres://u:pw@h/d"))
    )
    assert "sk-secret" not in shown
    assert "pw" not in shown


def test_settings_cannot_be_changed() -> None:
    with pytest.raises(ValidationError, match="frozen"):
        LlmSettings().model = "other"  # type: ignore[misc]
