"""What is written for operators agrees with the code: variables, commands, images."""

import ast
import importlib.util
import re
from pathlib import Path

import pytest
import yaml
from dotenv import dotenv_values
from pydantic import BaseModel, SecretStr

from core.adapters.queue import queue_key
from core.jobs import QueueName
from core.settings import Settings

ROOT = Path(__file__).parents[2]
OURS = {"bot", "worker-questions", "worker-light", "worker-heavy", "migrate"}


def variables() -> dict[str, str]:
    """Every variable that the settings know, with its default as it is written in a file."""
    known = {}
    for group, field in Settings.model_fields.items():
        assert isinstance(field.annotation, type)
        assert issubclass(field.annotation, BaseModel)
        for name, value in field.annotation().__dict__.items():
            plain = value.get_secret_value() if isinstance(value, SecretStr) else value
            known[f"{group}_{name}".upper()] = str(plain).lower() if isinstance(plain, bool) else str(plain)
    return known


@pytest.fixture(scope="module")
def compose() -> dict[str, dict[str, dict[str, object]]]:
    loaded = yaml.safe_load((ROOT / "docker-compose.yml").read_text())
    assert isinstance(loaded, dict)
    return loaded


def test_the_example_of_the_settings_names_every_variable_with_its_default() -> None:
    assert dotenv_values(ROOT / ".env.example") == variables()


def test_the_example_is_accepted_as_it_is(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for name in variables():
        monkeypatch.delenv(name, raising=False)
    monkeypatch.chdir(tmp_path)
    (tmp_path / ".env").write_text((ROOT / ".env.example").read_text())

    assert Settings() == Settings(_env_file=None)


def test_every_preset_names_known_variables() -> None:
    presets = re.findall(r"^#   ([A-Z_]+)=(.+)$", (ROOT / ".env.example").read_text(), re.MULTILINE)
    assert {name for name, _ in presets} <= variables().keys()
    for provider in ("OpenAI", "MiniMax", "OpenRouter", "YandexGPT", "Ollama", "vLLM"):
        assert f"# {provider}" in (ROOT / ".env.example").read_text()


def test_each_service_of_ours_starts_a_module_that_exists(compose: dict[str, dict[str, dict[str, object]]]) -> None:
    for name in OURS:
        command = compose["services"][name]["command"]
        assert isinstance(command, list)
        assert command[:2] == ["python", "-m"]
        assert importlib.util.find_spec(command[2]) is not None


def test_each_queue_has_a_worker_whose_health_is_looked_at(compose: dict[str, dict[str, dict[str, object]]]) -> None:
    for queue in QueueName:
        service = compose["services"][f"worker-{queue}"]
        assert service["command"] == ["python", "-m", "workers.main", str(queue)]
        health = service["healthcheck"]
        assert isinstance(health, dict)
        ast.parse(health["test"][-1])
        assert f"'{queue_key(queue)}:health-check'" in health["test"][-1]


def test_our_services_get_variables_that_the_settings_know(compose: dict[str, dict[str, dict[str, object]]]) -> None:
    for name in OURS:
        environment = compose["services"][name]["environment"]
        assert isinstance(environment, dict)
        assert environment.keys() <= variables().keys()


def test_what_the_compose_file_asks_of_the_environment_is_in_the_example() -> None:
    asked = set(re.findall(r"\$\{([A-Z_]+)", (ROOT / "docker-compose.yml").read_text()))
    assert asked
    assert asked <= dotenv_values(ROOT / ".env.example").keys()


def test_every_named_dependency_and_volume_exists(compose: dict[str, dict[str, dict[str, object]]]) -> None:
    for service in compose["services"].values():
        needed, mounted = service.get("depends_on", {}), service.get("volumes", [])
        assert isinstance(needed, dict)
        assert isinstance(mounted, list)
        assert needed.keys() <= compose["services"].keys()
        assert {str(volume).split(":")[0] for volume in mounted} <= compose["volumes"].keys()
    assert all(compose["services"][name].get("healthcheck") for name in ("postgres", "valkey"))


def test_the_images_copy_what_exists_and_run_as_a_normal_user() -> None:
    text = (ROOT / "Dockerfile").read_text()
    stages = dict(re.findall(r"^FROM (\S+) AS (\S+)$", text, re.MULTILINE))
    assert {"bot", "worker"} <= set(stages.values()) | set(re.findall(r" AS (\S+)$", text, re.MULTILINE))
    for line in re.findall(r"^COPY (?!--from)(.+) \S+$", text, re.MULTILINE):
        for source in line.split():
            assert (ROOT / source).exists(), source
    for stage in re.split(r"^FROM ", text, flags=re.MULTILINE)[-2:]:
        assert "USER konspekt" in stage


def test_the_bot_image_holds_no_extractor_and_no_browser() -> None:
    locked = (ROOT / "requirements" / "bot.txt").read_text()
    for heavy in ("docling", "torch", "playwright", "liteparse", "pypdfium2"):
        assert not re.search(rf"^{heavy}[a-z-]*==", locked, re.MULTILINE)


@pytest.mark.parametrize("name", ["bot", "worker", "run", "dev", "uv"])
def test_every_locked_requirement_has_an_exact_version_and_hashes(name: str) -> None:
    text = (ROOT / "requirements" / f"{name}.txt").read_text()
    entries = re.split(r"\n(?=[a-z0-9])", text)
    assert all(re.match(r"[a-z0-9.-]+==\S+", entry) and "--hash=sha256:" in entry for entry in entries)
