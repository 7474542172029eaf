"""Asks whether any pinned package has a known vulnerability: pip-audit over constraints.txt.

    .venv/bin/python -m scripts.vulnerabilities

Exit code 1: there is one that supply.toml does not let through, or a line there has expired. Exit code 77: no
service answered for every package; one line says so. A network that fails is never a failure.
"""

from __future__ import annotations

import datetime as dt
import json
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from scripts import install, supply

SERVICES = ("pypi", "osv")
"""pip-audit's names of whom it can ask; the second only if the first knows nothing."""

# One request that hangs ends after TIMEOUT_S; all of them together, a package each, after PATIENCE_S.
TIMEOUT_S = 10
PATIENCE_S = 180

COMMAND = [
    *(sys.executable, "-m", "pip_audit"),
    *("--requirement", str(install.CONSTRAINTS), "--no-deps", "--disable-pip"),
    *("--format", "json", "--progress-spinner", "off", "--timeout", str(TIMEOUT_S)),
    *("--cache-dir", str(install.VENV / "audit-cache")),
]


@dataclass(frozen=True, slots=True)
class Finding:
    """One advisory about one pinned package. ``ids``: its number, and those it has elsewhere."""

    package: str
    version: str
    ids: tuple[str, ...]
    summary: str
    fixed: tuple[str, ...]

    def __str__(self) -> str:
        others = f" ({', '.join(self.ids[1:])})" if self.ids[1:] else ""
        cure = f"fixed in {', '.join(self.fixed)}" if self.fixed else "no version fixes it yet"
        return f"{self.ids[0]}{others}, {cure}: {self.summary}"


@dataclass(frozen=True, slots=True)
class Answer:
    """What a service said. ``unknown``: packages it does not know, which is not the same as harmless."""

    audited: int
    unknown: tuple[str, ...]
    findings: tuple[Finding, ...]


def parse(text: str) -> Answer | None:
    """Read pip-audit's JSON; None if the text is no answer.

    pip-audit ends with code 0 and "No known vulnerabilities found" also if it found out about no package.
    """
    try:
        packages = json.loads(text)["dependencies"]
        unknown = tuple(package["name"] for package in packages if "skip_reason" in package)
        findings = tuple(
            _finding(package, advisory) for package in packages for advisory in package.get("vulns", [])
        )
    except (ValueError, KeyError, TypeError):
        return None
    return Answer(len(packages) - len(unknown), unknown, findings)


def _finding(package: Mapping[str, Any], advisory: Mapping[str, Any]) -> Finding:
    summary = " ".join(advisory.get("description", "").split())
    return Finding(
        install.normal(package["name"]),
        package["version"],
        (advisory["id"], *advisory.get("aliases", [])),
        summary if len(summary) <= 160 else f"{summary[:159]}…",
        tuple(advisory["fix_versions"]),
    )


def ask(service: str, command: Sequence[str] = COMMAND) -> Answer | None:
    """Run pip-audit against one service; None if there is no answer.

    :raises supply.SupplyError: pip-audit itself can't be run like this.
    """
    try:
        run = subprocess.run(
            [*command, "--vulnerability-service", service],
            capture_output=True,
            text=True,
            timeout=PATIENCE_S,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return None
    if run.returncode > 1 or "No module named" in run.stderr:
        raise supply.SupplyError(f"pip-audit can't be run:\n{run.stderr.strip()}")
    return parse(run.stdout)


def expired(exemptions: Sequence[supply.Exemption], today: dt.date) -> list[str]:
    """One line for each exemption whose last day is over."""
    return [
        f"{one.package}: that {one.id} does not concern us was good until {one.expires} ({one.reason})"
        for one in exemptions
        if one.expires < today
    ]


def faults(answer: Answer, exemptions: Sequence[supply.Exemption], run_set: Mapping[str, str]) -> list[str]:
    """One line for each finding that is not let through."""
    let_through = {(one.package, one.id) for one in exemptions}
    return [
        f"{one.package} {one.version}{'' if one.package in run_set else ' (only for development)'}: {one}"
        for one in answer.findings
        if not any((one.package, id_) in let_through for id_ in one.ids)
    ]


def verdict(answer: Answer | None, found: Sequence[str]) -> tuple[int, str]:
    """The exit code, and what to print."""
    if found:
        cure = (
            "Pin a version that fixes it (CONTRIBUTING, “Pinning dependencies again”). If it can't be reached"
            f" here, say why in scripts/{supply.FILE.name}."
        )
        return 1, "\n".join([*found, cure])
    if answer is None:
        return supply.SKIPPED, "the service does not answer"
    if answer.unknown:
        total = answer.audited + len(answer.unknown)
        if not answer.audited:
            return supply.SKIPPED, f"the service knows none of the {total} packages"
        unknown = ", ".join(answer.unknown)
        return supply.SKIPPED, f"the service does not know {unknown}; the other {answer.audited} have none"
    return 0, ""


def check(policy: supply.Policy, today: dt.date, command: Sequence[str] = COMMAND) -> tuple[int, str]:
    """Ask one service after the other; return the exit code and what to print.

    :raises supply.SupplyError: pip-audit itself can't be run.
    """
    if old := expired(policy.exemptions, today):
        return verdict(None, old)
    best: Answer | None = None
    for service in SERVICES:
        best = ask(service, command) or best
        if best is not None and best.audited:
            break
    return verdict(best, faults(best, policy.exemptions, supply.run_set()) if best else [])


def main() -> int:
    """Return the exit code."""
    try:
        # The day somebody looks again is one of their calendar, wherever that hangs.
        code, text = check(supply.read(), dt.datetime.now().astimezone().date())
    except supply.SupplyError as error:
        code, text = 1, str(error)
    if text:
        print(text)
    return code


if __name__ == "__main__":
    sys.exit(main())
