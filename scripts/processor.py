"""Seconds of processors that were used up, as Linux counts them (proc_pid_stat(5), proc_stat(5))."""

from __future__ import annotations

import os
from pathlib import Path

_TICKS_PER_S = os.sysconf("SC_CLK_TCK")


def processor_s(pid: int) -> float:
    """Return what a process has used, and those of its children that have ended; 0 for one that is gone."""
    fields = _stat(pid)
    return sum(map(int, fields[11:15])) / _TICKS_PER_S if fields else 0.0


def with_children(pid: int) -> list[int]:
    """Return the numbers of a process and of those that it has begun."""
    running = [int(entry.name) for entry in Path("/proc").iterdir() if entry.name.isdigit()]
    return [pid, *(child for child in running if (fields := _stat(child)) and int(fields[1]) == pid)]


def busy_s() -> float:
    """Return what everything on this machine has used."""
    user, nice, system, _, _, irq, softirq, *_ = map(
        int, Path("/proc/stat").read_text("utf-8").splitlines()[0].split()[1:]
    )
    return (user + nice + system + irq + softirq) / _TICKS_PER_S


def _stat(pid: int) -> list[str]:
    """Return what the kernel says of a process, from its state on; nothing of one that is gone."""
    try:
        return Path(f"/proc/{pid}/stat").read_text("utf-8").rpartition(")")[2].split()
    except OSError:
        return []
