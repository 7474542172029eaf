"""What scripts/check says of the pinned packages, and that the README's table names them as they are."""

from __future__ import annotations

import datetime as dt
import json
import re
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from scripts import install, licences, materials, supply, vulnerabilities
from scripts.supply import SKIPPED, Exemption, Policy

TODAY = dt.date(2030, 1, 31)
LICENCES = '[licences]\nallowed = ["MIT"]\n[licences.spelled]\n'


def policy(*exemptions: Exemption, exceptions: dict[str, str] | None = None) -> Policy:
    allowed = frozenset({"MIT", "Apache-2.0", "Apache-2.0 WITH LLVM-exception"})
    return Policy(allowed, {"MIT License": "MIT"}, exceptions or {}, exemptions)


def exemption(id_: str = "CVE-2030-1", package: str = "aiohttp", expires: dt.date = TODAY) -> Exemption:
    return Exemption(id_, package, "no such server here", expires)


# The exceptions in supply.toml


def test_the_policy_can_be_read() -> None:
    assert "MIT" in supply.read().allowed


def test_an_advisory_is_let_through_for_a_reason_and_until_a_day() -> None:
    entry = (
        '[[advisories]]\nid = "CVE-2030-1"\npackage = "Fluent.Runtime"\nreason = "x"\nexpires = 2030-01-31\n'
    )
    assert supply.parse(LICENCES + entry).exemptions == (
        Exemption("CVE-2030-1", "fluent-runtime", "x", dt.date(2030, 1, 31)),
    )


@pytest.mark.parametrize(
    ("entry", "missing"),
    [
        ('[[advisories]]\nid = "CVE-2030-1"\npackage = "aiohttp"\nexpires = 2030-01-31\n', "reason"),
        ('[[advisories]]\nid = "CVE-2030-1"\npackage = "aiohttp"\nreason = "x"\n', "day"),
        ('[[advisories]]\nid = "CVE-2030-1"\npackage = "a"\nreason = "x"\nexpires = "2030-01-31"\n', "day"),
        ('[[advisories]]\npackage = "aiohttp"\nreason = "x"\nexpires = 2030-01-31\n', "id"),
        ('[[licences.exceptions]]\npackage = "aiohttp"\nreason = " "\n', "reason"),
    ],
)
def test_an_exception_without_its_facts_is_refused(entry: str, missing: str) -> None:
    with pytest.raises(supply.SupplyError, match=f"has no {missing}"):
        supply.parse(LICENCES + entry)


# Known vulnerabilities


def service(tmp_path: Path, packages: list[dict[str, Any]] | str, code: int = 0) -> list[str]:
    """A command that answers as pip-audit does, whatever it is asked."""
    text = packages if isinstance(packages, str) else json.dumps({"dependencies": packages, "fixes": []})
    file = tmp_path / "answer"
    file.write_text(text, "utf-8")
    program = f"import sys; print(open({str(file)!r}).read()); sys.exit({code})"
    return [sys.executable, "-c", program]


def package(name: str, *ids: str, fixed: tuple[str, ...] = ("9.9",)) -> dict[str, Any]:
    advisory = {
        "id": ids[0],
        "aliases": list(ids[1:]),
        "fix_versions": list(fixed),
        "description": "Bad\nnews.",
    }
    return {"name": name, "version": "1.0", "vulns": [advisory]}


HARMLESS = {"name": "yarl", "version": "1.0", "vulns": []}
UNKNOWN = {"name": "attrs", "skip_reason": "Dependency not found and could not be audited: attrs (1.0)"}


def test_a_vulnerability_fails_with_package_advisory_and_the_version_that_fixes_it(tmp_path: Path) -> None:
    command = service(tmp_path, [HARMLESS, package("aiohttp", "PYSEC-1", "CVE-2030-1")], code=1)
    code, text = vulnerabilities.check(policy(), TODAY, command)
    assert code == 1
    assert text.startswith("aiohttp 1.0: PYSEC-1 (CVE-2030-1), fixed in 9.9: Bad news.\n")


def test_a_vulnerability_in_a_development_tool_fails_and_is_called_so(tmp_path: Path) -> None:
    code, text = vulnerabilities.check(
        policy(), TODAY, service(tmp_path, [package("pytest", "PYSEC-1", fixed=())], code=1)
    )
    assert code == 1
    assert text.startswith("pytest 1.0 (only for development): PYSEC-1, no version fixes it yet: Bad news.\n")


def test_nothing_found_is_good(tmp_path: Path) -> None:
    assert vulnerabilities.check(policy(), TODAY, service(tmp_path, [HARMLESS])) == (0, "")


def test_an_exemption_counts_by_any_of_an_advisorys_numbers_for_its_package_until_its_last_day(
    tmp_path: Path,
) -> None:
    command = service(tmp_path, [package("aiohttp", "PYSEC-1", "CVE-2030-1")], code=1)
    assert vulnerabilities.check(policy(exemption()), TODAY, command) == (0, "")
    assert vulnerabilities.check(policy(exemption(package="yarl")), TODAY, command)[0] == 1
    assert vulnerabilities.check(policy(exemption("CVE-2030-2")), TODAY, command)[0] == 1


def test_an_expired_exemption_fails_even_if_no_service_answers(tmp_path: Path) -> None:
    old = exemption(expires=TODAY - dt.timedelta(days=1))
    code, text = vulnerabilities.check(policy(old), TODAY, service(tmp_path, "", code=1))
    assert code == 1
    assert text.startswith(
        "aiohttp: that CVE-2030-1 does not concern us was good until 2030-01-30 (no such server"
    )


@pytest.mark.parametrize("answer", ["", "Traceback …", "{}", '{"dependencies": null}'])
def test_no_answer_is_no_failure(tmp_path: Path, answer: str) -> None:
    code, text = vulnerabilities.check(policy(exemption()), TODAY, service(tmp_path, answer, code=1))
    assert (code, text) == (SKIPPED, "the service does not answer")


def test_a_service_that_hangs_is_no_failure(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(vulnerabilities, "PATIENCE_S", 0.1)
    hanging = [sys.executable, "-c", "import time; time.sleep(60)"]
    assert vulnerabilities.check(policy(), TODAY, hanging) == (SKIPPED, "the service does not answer")


def test_a_service_that_knows_no_package_has_found_nothing_out(tmp_path: Path) -> None:
    code, text = vulnerabilities.check(policy(), TODAY, service(tmp_path, [UNKNOWN, UNKNOWN]))
    assert (code, text) == (SKIPPED, "the service knows none of the 2 packages")


def test_what_a_service_does_not_know_is_named_and_what_it_finds_still_fails(tmp_path: Path) -> None:
    code, text = vulnerabilities.check(policy(), TODAY, service(tmp_path, [HARMLESS, UNKNOWN]))
    assert (code, text) == (SKIPPED, "the service does not know attrs; the other 1 have none")
    found = [UNKNOWN, package("aiohttp", "PYSEC-1")]
    assert vulnerabilities.check(policy(), TODAY, service(tmp_path, found, code=1))[0] == 1


def test_a_second_service_is_asked_where_the_first_knows_nothing(tmp_path: Path) -> None:
    answers = {
        "pypi": {"dependencies": [UNKNOWN]},
        "osv": {"dependencies": [package("attrs", "PYSEC-1")]},
    }
    program = f"import sys, json; print(json.dumps({answers!r}[sys.argv[-1]]))"
    code, text = vulnerabilities.check(policy(), TODAY, [sys.executable, "-c", program])
    assert code == 1
    assert text.startswith("attrs 1.0: PYSEC-1")


class Advisories(BaseHTTPRequestHandler):
    """A vulnerability service that knows one fault, in aiohttp; it speaks as OSV's query API does."""

    def do_POST(self) -> None:
        asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        event = {"introduced": "0"}, {"fixed": "99.1"}
        affected = {
            "package": {"name": "aiohttp", "ecosystem": "PyPI"},
            "ranges": [{"type": "ECOSYSTEM", "events": event}],
        }
        advisory = {"id": "GHSA-1", "aliases": ["CVE-2030-1"], "summary": "Bad news.", "affected": [affected]}
        answer = {"vulns": [advisory]} if asked["package"]["name"] == "aiohttp" else {}
        body = json.dumps(answer).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: Any) -> None:
        """Say nothing."""


def test_pip_audit_itself_finds_a_fault_in_the_pins(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    with ThreadingHTTPServer(("127.0.0.1", 0), Advisories) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        address = f"http://127.0.0.1:{server.server_port}/v1/query"
        extra = ("--osv-url", address, "--cache-dir", str(tmp_path))
        answer = vulnerabilities.ask("osv", [*vulnerabilities.COMMAND, *extra])
        server.shutdown()
    pins = supply.pinned("play", install.FAST, "postgres", "dev")
    assert answer is not None
    assert (answer.audited, answer.unknown) == (len(pins), ())
    [found] = vulnerabilities.faults(answer, (), supply.run_set())
    assert found == f"aiohttp {pins['aiohttp']}: CVE-2030-1 (GHSA-1), fixed in 99.1: Bad news."


def test_pip_audit_that_can_not_be_run_is_a_failure(tmp_path: Path) -> None:
    with pytest.raises(supply.SupplyError, match="can't be run"):
        vulnerabilities.check(policy(), TODAY, service(tmp_path, "usage: pip-audit", code=2))
    with pytest.raises(supply.SupplyError, match="No module named"):
        vulnerabilities.check(policy(), TODAY, [sys.executable, "-m", "no_such_module_as_this"])


# Licences


@pytest.mark.parametrize(
    ("expression", "fit"),
    [
        ("MIT", True),
        ("GPL-3.0-only", False),
        ("", False),
        ("MIT AND Apache-2.0", True),
        ("MIT AND GPL-3.0-only", False),
        ("GPL-3.0-only OR MIT", True),
        ("GPL-3.0-only OR MIT AND Apache-2.0", True),
        ("GPL-3.0-only AND MIT OR Apache-2.0", True),
        ("GPL-3.0-only AND (MIT OR Apache-2.0)", False),
        ("(GPL-3.0-only OR MIT) AND (Apache-2.0)", True),
        ("MIT AND ((GPL-3.0-only OR Apache-2.0) AND MIT)", True),
        ("Apache-2.0 WITH LLVM-exception", True),
        ("GPL-3.0-only WITH GCC-exception-3.1", False),
        ("MIT OR", True),  # half an expression: what stands there is judged
        ("MIT AND", False),
        ("(MIT", False),
        ("MIT) AND GPL-3.0-only", False),
        ("MIT Apache-2.0", False),
    ],
)
def test_an_expression_fits_if_it_can_be_met_with_allowed_licences(expression: str, fit: bool) -> None:
    assert licences.fits(expression, policy().allowed) is fit


def said(
    name: str, expression: str = "UNKNOWN", classifier: str = "UNKNOWN", text: str = "UNKNOWN"
) -> dict[str, str]:
    return {
        "Name": name,
        "Version": "1.0",
        "License-Expression": expression,
        "License-Classifier": classifier,
        "License-Metadata": text,
    }


def test_the_expression_counts_before_classifiers_and_those_before_the_text() -> None:
    spelled = {"MIT License": "MIT"}
    assert licences.declared(said("x", "0BSD", "MIT License", "GPL"), spelled) == "0BSD"
    assert licences.declared(said("x", classifier="MIT License; Odd", text="GPL"), spelled) == "MIT AND Odd"
    assert licences.declared(said("x", text="MIT License\n\nCopyright …"), spelled) == "MIT"


def test_a_package_of_another_licence_or_of_none_is_named() -> None:
    packages = [said("good", "MIT"), said("Odd.One", "GPL-3.0-only"), said("silent")]
    assert licences.faults(packages, policy()) == [
        "Odd.One 1.0 is under GPL-3.0-only",
        "silent 1.0 is under UNKNOWN",
    ]


def test_an_exception_lets_its_package_through_and_is_itself_named_where_nothing_needs_it() -> None:
    packages = [said("Odd.One", "GPL-3.0-only"), said("good", "MIT")]
    assert licences.faults(packages, policy(exceptions={"odd-one": "only a tool"})) == []
    assert licences.faults(packages[1:], policy(exceptions={"good": "once it was not"})) == [
        "the exception for good is not needed"
    ]


def test_every_package_that_is_installed_to_run_the_bot_is_looked_at() -> None:
    names = {install.normal(package["Name"]) for package in licences.installed([*supply.run_set()])}
    asked = {install.normal(re.split(r"[^\w.-]", line)[0]) for line in install.requirements("play")}
    assert asked <= names <= supply.run_set().keys()


# The bill of materials


def test_the_bill_has_what_runs_the_bot_and_refers_to_nothing_else() -> None:
    pins = supply.run_set()
    bill = materials.reduced(materials.of_environment(), pins)
    assert {install.normal(one["name"]): one["version"] for one in bill["components"]}.items() <= pins.items()
    assert len(bill["components"]) > len(install.requirements("play"))
    refs = {one["bom-ref"] for one in bill["components"]} | {bill["metadata"]["component"]["bom-ref"]}
    assert {one["ref"] for one in bill["dependencies"]} == refs
    assert {ref for one in bill["dependencies"] for ref in one["dependsOn"]} < refs


def test_the_bill_keeps_to_its_schema_names_no_path_and_is_the_same_each_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "sbom.json"
    monkeypatch.setattr(sys, "argv", ["sbom", str(file)])
    assert materials.main() == 0  # it judges its own schema
    assert str(install.ROOT) not in file.read_text("utf-8")
    again = materials.reduced(materials.of_environment(), supply.run_set())
    assert json.loads(file.read_text("utf-8")) == again


def test_a_bill_that_does_not_keep_to_its_schema_is_not_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    root = {"bom-ref": "root", "type": "no such type", "name": "x"}
    monkeypatch.setattr(
        materials,
        "of_environment",
        lambda: {
            "bomFormat": "CycloneDX",
            "specVersion": "1.6",
            "metadata": {"component": root},
            "components": [],
            "dependencies": [],
        },
    )
    file = tmp_path / "sbom.json"
    monkeypatch.setattr(sys, "argv", ["sbom", str(file)])
    assert materials.main() == 1
    assert "does not keep to CycloneDX 1.6" in capsys.readouterr().err
    assert not file.exists()


# The README's table


def rows() -> dict[str, list[str]]:
    """Name as an index has it → the other cells, of the table under “Dependencies”."""
    text = (
        (install.ROOT / "README.md")
        .read_text("utf-8")
        .partition("\n## Dependencies\n")[2]
        .partition("\n## ")[0]
    )
    cells = [
        [cell.strip() for cell in line.strip("|").split("|")] for line in text.splitlines() if line[:1] == "|"
    ]
    return {
        install.normal(name.partition("[")[0]): rest for name, *rest in cells[2:] if not name.startswith("**")
    }


def test_the_readme_names_the_direct_dependencies_as_they_are_pinned() -> None:
    asked = [*install.requirements("dev"), *install.requirements(install.FAST)]
    direct = {install.normal(re.split(r"[^\w.-]", line)[0]) for line in asked}
    pins = supply.pinned("play", install.FAST, "postgres", "dev")
    assert {name: version for name, (version, *_) in rows().items()} == {name: pins[name] for name in direct}


def test_the_readme_says_of_each_what_it_is_for_and_what_we_would_write_without_it() -> None:
    assert [name for name, cells in rows().items() if len(cells) != 3 or not all(cells)] == []
