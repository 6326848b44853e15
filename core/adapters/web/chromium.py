"""How the browser is started and what it looks like to a site."""

from __future__ import annotations

import os
import random
import shutil
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")

_ENVIRONMENT = (
    "PATH",
    "HOME",
    "LANG",
    "LC_ALL",
    "FONTCONFIG_PATH",
    "FONTCONFIG_FILE",
    "LD_LIBRARY_PATH",
    "XDG_RUNTIME_DIR",
)
# It runs what strangers wrote: it gets no token, no password and no database address.

_VIEWPORTS = ((1920, 1080), (1536, 864), (1440, 900), (1366, 768), (1600, 900), (1280, 720))
# The commonest screens of desktop computers.

_ZONES = ("Europe/Moscow", "Europe/Samara", "Asia/Yekaterinburg")

HEAP_MB = 512
# Of one page's scripts: an ordinary page takes a tenth.


def find_browser(executable: str) -> str:
    """Give the path of the browser: the one that was named, else one found on PATH; "" for none."""
    if executable:
        return shutil.which(executable) or ""
    return next((path for name in NAMES if (path := shutil.which(name))), "")


def arguments(mark: str) -> list[str]:
    """List the flags: no way round the proxy, and nothing that tells a program from a person.

    Args:
        mark: Stands in the process's command line, so that it can be found among its siblings.
    """
    return [
        "--proxy-bypass-list=<-loopback>",
        "--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1",
        "--force-webrtc-ip-handling-policy=disable_non_proxied_udp",
        "--webrtc-ip-handling-policy=disable_non_proxied_udp",
        "--disable-quic",
        "--disable-blink-features=AutomationControlled",
        "--blink-settings=imagesEnabled=false",
        "--disable-background-networking",
        "--disable-dev-shm-usage",
        "--disable-gpu",
        "--mute-audio",
        f"--js-flags=--max-old-space-size={HEAP_MB}",
        f"--konspekt-pool={mark}",
    ]


def environment() -> dict[str, str | float | bool]:
    """Give the browser's environment."""
    passed = {name: os.environ[name] for name in _ENVIRONMENT if name in os.environ}
    return {**passed, "TMPDIR": tempfile.gettempdir()}


def sandboxed() -> bool:
    """Say whether the browser's own sandbox works: it refuses the super-user."""
    return not hasattr(os, "geteuid") or os.geteuid() != 0


@dataclass(frozen=True, slots=True)
class Appearance:
    """What a site sees of one visit."""

    user_agent: str
    width: int
    height: int
    zone: str
    locale: str = "ru-RU"

    @property
    def headers(self) -> Mapping[str, str]:
        """Headers beside the browser's own."""
        return {"Accept-Language": "ru-RU,ru;q=0.9,en-US;q=0.8,en;q=0.7"}


def appearance(version: str) -> Appearance:
    """Draw a visitor; the name agrees with the browser's own version, since it also says that elsewhere."""
    major = version.partition(".")[0]
    width, height = random.choice(_VIEWPORTS)
    agent = f"Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/{major}.0.0.0 Safari/537.36"
    return Appearance(agent, width, height, random.choice(_ZONES))
