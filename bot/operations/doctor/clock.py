"""Compares this machine's clock with Discord's."""

from __future__ import annotations

import time
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

import aiohttp

from bot.config import Config
from bot.operations.doctor.discord import OFFLINE, TIMEOUT_S
from bot.operations.doctor.finding import Finding, wrong
from bot.telemetry.error_reports import describe

GATEWAY_URL = "https://discord.com/api/v10/gateway"
MAX_SKEW_S = 5.0


async def check_clock(_: Config) -> list[Finding]:
    """Check the clock, which decides when days begin and whether an answer is still in time."""
    try:
        async with aiohttp.ClientSession(timeout=aiohttp.ClientTimeout(total=TIMEOUT_S)) as session:
            before_s = time.time()
            async with session.get(GATEWAY_URL) as response:
                theirs = parsedate_to_datetime(response.headers["Date"]).astimezone(UTC)
    except (aiohttp.ClientError, TimeoutError, KeyError, ValueError, OSError) as error:
        state = f"not compared: Discord can't be reached ({describe(error)})"
        return [Finding("clock", state, OFFLINE)]
    skew_s = (datetime.fromtimestamp((before_s + time.time()) / 2, UTC) - theirs).total_seconds()
    if abs(skew_s) > MAX_SKEW_S:
        advice = "Synchronise the system's clock, for instance by NTP."
        return wrong("clock", f"{skew_s:+.0f} s from Discord's", advice)
    return [Finding("clock", "agrees with Discord's")]
