"""Failures on demand: each as it looks on the wire."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from bot.sandbox.errors import ApiError, SandboxError
from bot.sandbox.params import whole_number

HTML_502 = (
    "<html>\r\n<head><title>502 Bad Gateway</title></head>\r\n<body>\r\n<center><h1>502 Bad Gateway</h1></center>\r\n"
    "<hr><center>nginx/1.18.0</center>\r\n</body>\r\n</html>\r\n"
)
"""What the proxy before Telegram's servers answers when they are down."""

ANSWER_KINDS = frozenset({"flood", "forbidden", "migrated", "bad_gateway_json", "too_large"})
WIRE_KINDS = frozenset({"server_error", "drop", "drop_after", "delay"})
DELIVERY_KINDS = frozenset({"duplicate_update", "reorder_updates"})
KINDS = ANSWER_KINDS | WIRE_KINDS | DELIVERY_KINDS


@dataclass
class Fault:
    """One ordered failure; `times` counts down with each use."""

    id: int
    kind: str
    method: str | None = None
    chat_id: int | str | None = None
    times: int = 1
    details: dict[str, Any] = field(default_factory=dict)

    def view(self) -> dict[str, Any]:
        """Return the fault as the sandbox API shows it."""
        shown = {"id": self.id, "kind": self.kind, "times": self.times, **self.details}
        narrow = {"method": self.method, "chat_id": self.chat_id}
        return shown | {key: value for key, value in narrow.items() if value is not None}

    def fits(self, method: str, chat_id: Any) -> bool:
        """Tell whether a call is meant; getUpdates is meant only when it is named."""
        if self.method is None and method == "getupdates":
            return False
        if self.method is not None and self.method.lower() != method:
            return False
        return self.chat_id is None or str(self.chat_id) == str(chat_id)


class Faults:
    """The ordered failures, oldest first."""

    def __init__(self) -> None:
        self._faults: list[Fault] = []
        self._count = 0

    def add(self, order: dict[str, Any]) -> int:
        """Order a failure and return its id.

        Raises:
            SandboxError: The kind is unknown or `times` is not a positive number.
        """
        kind, times = str(order.get("kind")), order.get("times", 1)
        if kind not in KINDS:
            raise SandboxError(f"kind must be one of {', '.join(sorted(KINDS))}")
        if not isinstance(times, int) or times < 1:
            raise SandboxError("times must be a positive number")
        if not isinstance(order.get("seconds", 1), int | float):
            raise SandboxError("seconds must be a number")
        if order.get("method") is not None and not isinstance(order["method"], str):
            raise SandboxError("method must be a name")
        self._count += 1
        details = {key: order[key] for key in order.keys() - {"kind", "times", "method", "chat_id", "id"}}
        self._faults.append(Fault(self._count, kind, order.get("method"), order.get("chat_id"), times, details))
        return self._count

    def list(self) -> list[dict[str, Any]]:
        """Return what is still to happen."""
        return [fault.view() for fault in self._faults]

    def clear(self) -> None:
        """Forget what has not happened yet."""
        self._faults.clear()

    def take(self, method: str, chat_id: Any) -> Fault | None:
        """Return the oldest failure meant for a call, and count it."""
        return self._take(lambda fault: fault.kind not in DELIVERY_KINDS and fault.fits(method, chat_id))

    def take_delivery(self, kind: str) -> Fault | None:
        """Return a disturbance of the delivery of updates, and count it."""
        return self._take(lambda fault: fault.kind == kind)

    def _take(self, wanted: Any) -> Fault | None:
        fault = next((fault for fault in self._faults if wanted(fault)), None)
        if fault is None:
            return None
        fault.times -= 1
        if not fault.times:
            self._faults.remove(fault)
        return fault


def refusal(fault: Fault, method: str) -> ApiError:
    """Word a failure of the kinds that answer in JSON."""
    details = fault.details
    if fault.kind == "flood":
        wait = whole_number(details.get("retry_after"), 1)
        return ApiError(429, f"Too Many Requests: retry after {wait}", {"retry_after": wait})
    if fault.kind == "forbidden":
        return ApiError(403, str(details.get("description", "Forbidden: bot was blocked by the user")))
    if fault.kind == "migrated":
        moved = {"migrate_to_chat_id": whole_number(details.get("migrate_to_chat_id"), -1_002_999_999_999)}
        return ApiError(400, "Bad Request: group chat was upgraded to a supergroup chat", moved)
    if fault.kind == "too_large":
        too_big = ApiError(400, "Bad Request: file is too big")
        return too_big if method == "getfile" else ApiError(413, "Request Entity Too Large")
    return ApiError(500, "Internal Server Error")
