"""Holds the licences of all that is installed to run the bot against those that supply.toml allows.

    .venv/bin/python -m scripts.licences

What is judged is what each package says of itself. Libraries that its wheel brings along have their own.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence

from scripts import install, supply

UNKNOWN = "UNKNOWN"  # pip-licenses for "says nothing"


def fits(expression: str, allowed: frozenset[str]) -> bool:
    """True if an SPDX expression can be met with the allowed licences alone: all of AND, one of OR.

    The grammar is that of SPDX 2.3, annex D; "X WITH Y" is allowed only as a whole.
    """
    tokens = iter(re.findall(r"[()]|[^\s()]+(?:\s+WITH\s+[^\s()]+)?", expression))
    verdict, rest = _either(tokens, allowed)
    return verdict and rest is None


def _either(tokens: Iterator[str], allowed: frozenset[str]) -> tuple[bool, str | None]:
    """Read terms joined by AND and OR; return the verdict, and the token that ended them."""
    verdict, term = False, True
    while True:
        token = next(tokens, ")")
        if token == "(":
            inner, closing = _either(tokens, allowed)
            term = term and inner and closing == ")"
        else:
            term = term and " ".join(token.split()) in allowed
        joint = next(tokens, None)
        if joint != "AND":
            verdict, term = verdict or term, True
        if joint not in ("AND", "OR"):
            return verdict, joint


def declared(package: Mapping[str, str], spelled: Mapping[str, str]) -> str:
    """The licence of one package of pip-licenses' answer as an SPDX expression, or what it says instead.

    The expression counts, where there is none the classifiers, where there are none the free text. Several
    classifiers don't say whether all or one of them hold: here all do.
    """
    said = [package.get(f"License-{source}", UNKNOWN) for source in ("Expression", "Classifier", "Metadata")]
    expression, classifiers, text = said
    if expression != UNKNOWN:
        return expression
    if classifiers != UNKNOWN:
        return " AND ".join(spelled.get(one.strip(), one.strip()) for one in classifiers.split(";"))
    first_line = text.strip().partition("\n")[0]
    return spelled.get(first_line, first_line)


def faults(packages: Sequence[Mapping[str, str]], policy: supply.Policy) -> list[str]:
    """What does not fit, one line each: packages with another licence, and exceptions that nothing needs."""
    found, needed = [], set()
    for package in packages:
        name, licence = install.normal(package["Name"]), declared(package, policy.spelled)
        if fits(licence, policy.allowed):
            continue
        needed.add(name)
        if name not in policy.exceptions:
            found.append(f"{package['Name']} {package['Version']} is under {licence}")
    found += [f"the exception for {name} is not needed" for name in sorted(policy.exceptions.keys() - needed)]
    return found


def installed(names: Sequence[str]) -> list[dict[str, str]]:
    """pip-licenses' answer about those of the packages that are installed."""
    command = [sys.executable, "-m", "piplicenses", "--format", "json", "--from", "all", "--with-system"]
    answer = subprocess.run([*command, "--packages", *names], stdout=subprocess.PIPE, text=True, check=True)
    packages: list[dict[str, str]] = json.loads(answer.stdout)
    return packages


def main() -> int:
    """Return the exit code."""
    try:
        found = faults(installed([*supply.run_set()]), supply.read())
    except supply.SupplyError as error:
        found = [str(error)]
    if found:
        print("\n".join(found))
        print(f"Allowed licences and exceptions are in scripts/{supply.FILE.name}.")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
