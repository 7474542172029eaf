"""Checks the settings themselves, and whether they fit together."""

from __future__ import annotations

from bot.config import Config
from bot.operations.doctor.finding import Finding, wrong
from bot.storage import is_postgres

ONE_PROCESS_ONLY = "SHARD_IDS leaves shards to other processes, but an SQLite file can serve only one process"


async def check_settings(config: Config) -> list[Finding]:
    """Report the settings that matter most."""
    retention = f"for {config.retention_days} days" if config.retention_days else "for ever"
    state = (
        f"log level {config.log_level}, log format {config.log_format.value}, days in {config.daily_zone},"
        f" unfinished games kept {retention}"
    )
    if config.token:
        return [Finding("settings", f"token set, {state}")]
    advice = "Set DISCORD_TOKEN to run on Discord; scripts/play needs none."
    return [Finding("settings", f"no token, {state}", advice)]


async def check_processes(config: Config) -> list[Finding]:
    """Check that processes which share the bot's shards also share a database."""
    if not config.is_part or is_postgres(config.database_url):
        return []
    advice = "Set DATABASE_URL to the same PostgreSQL database in every process (docs/moving.md)."
    return wrong("processes", ONE_PROCESS_ONLY, advice)
