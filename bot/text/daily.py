"""What is said about daily posts."""

from __future__ import annotations

from bot.storage import DailyChannel
from bot.text import Texts


def channel_text(texts: Texts, channel: DailyChannel | None) -> str:
    """Return where the daily post of a server goes, and what was wrong with the last one."""
    if channel is None:
        return texts("channel-none")
    place = f"<#{channel.channel_id}>"
    lines = [texts("channel-now", channel=place)]
    if channel.trouble:
        lines.append(texts(f"trouble-{channel.trouble}", channel=place))
    return "\n".join(lines)
