"""A Telegram Bot API server on one's own machine, with people one can play."""

from bot.sandbox.server import Sandbox, start_sandbox

__all__ = ["Sandbox", "start_sandbox"]
