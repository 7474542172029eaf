"""Every check of ``python -m bot doctor``, in the order in which they are made."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from bot.config import Config
from bot.operations.doctor.clock import check_clock
from bot.operations.doctor.database import check_database
from bot.operations.doctor.discord import check_discord
from bot.operations.doctor.files import check_disk_space, check_file_permissions
from bot.operations.doctor.finding import Finding
from bot.operations.doctor.installation import check_pictures, check_solvers
from bot.operations.doctor.metrics_port import check_metrics_port
from bot.operations.doctor.settings import check_processes, check_settings

CHECKS: tuple[Callable[[Config], Awaitable[list[Finding]]], ...] = (
    check_settings,
    check_processes,
    check_database,
    check_file_permissions,
    check_disk_space,
    check_pictures,
    check_solvers,
    check_metrics_port,
    check_clock,
    check_discord,
)


async def examine(config: Config) -> list[Finding]:
    """Make every check, one after the other. The bot may be running."""
    return [finding for check in CHECKS for finding in await check(config)]
