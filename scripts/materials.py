"""Writes the software bill of materials (SBOM) of what is installed to run the bot, its local chat included.

    scripts/sbom            to standard output
    scripts/sbom FILE       into a file

cyclonedx-bom looks at the whole .venv; what only tests and checks need is taken out again.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Collection
from pathlib import Path
from typing import Any

from cyclonedx.schema import OutputFormat, SchemaVersion
from cyclonedx.validation import make_schemabased_validator

from scripts import install, supply

VERSION = SchemaVersion.V1_6

COMMAND = [
    *(sys.executable, "-m", "cyclonedx_py", "environment", sys.executable),
    *("--pyproject", "pyproject.toml", "--spec-version", VERSION.to_version()),
    # Validated below, when it is a third as long.
    *("--output-format", "JSON", "--output-reproducible", "--no-validate"),
]


def of_environment() -> dict[str, Any]:
    """The bill of all that is installed here, without times, random numbers and paths."""
    answer = subprocess.run(COMMAND, cwd=install.ROOT, capture_output=True, text=True, check=True)
    bill: dict[str, Any] = json.loads(answer.stdout)
    return bill


def reduced(bill: dict[str, Any], names: Collection[str]) -> dict[str, Any]:
    """The bill with these packages only, and what they depend on among each other."""
    components = [one for one in bill["components"] if install.normal(one["name"]) in names]
    kept = {one["bom-ref"] for one in components} | {bill["metadata"]["component"]["bom-ref"]}
    dependencies: list[dict[str, Any]] = []
    for entry in bill["dependencies"]:
        if entry["ref"] in kept:
            needs = [ref for ref in entry.get("dependsOn", []) if ref in kept]
            dependencies.append({"ref": entry["ref"], "dependsOn": needs})
    return {**bill, "components": components, "dependencies": dependencies}


def main() -> int:
    """Return the exit code."""
    try:
        bill = reduced(of_environment(), supply.run_set())
    except subprocess.CalledProcessError as error:
        print(error.stderr, file=sys.stderr)
        return 1
    text = json.dumps(bill, indent=2, sort_keys=True, ensure_ascii=False) + "\n"
    validator = make_schemabased_validator(OutputFormat.JSON, VERSION)
    if fault := validator.validate_str(text):
        print(f"The bill does not keep to CycloneDX {VERSION.to_version()}: {fault}", file=sys.stderr)
        return 1
    if sys.argv[1:]:
        Path(sys.argv[1]).write_text(text, "utf-8")
    else:
        sys.stdout.write(text)
    return 0


if __name__ == "__main__":
    sys.exit(main())
