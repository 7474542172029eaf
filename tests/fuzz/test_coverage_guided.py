"""The fuzzer that is led by coverage, for a bounded number of texts. By hand it can go on for hours."""

from __future__ import annotations

import importlib.util
import re
import subprocess
import sys
from pathlib import Path

import pytest

RUNS = 40_000
ROOT = Path(__file__).parents[2]


@pytest.mark.slow
@pytest.mark.skipif(
    importlib.util.find_spec("atheris") is None, reason="fuzzing led by coverage (atheris is not installed)"
)
def test_no_text_that_coverage_leads_to_makes_reading_a_record_fail(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "tests.fuzz.records", f"-runs={RUNS}", "-max_len=600"]
    done = subprocess.run(
        [*command, f"-artifact_prefix={tmp_path}/", "-print_final_stats=1"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
        timeout=280,
    )
    assert done.returncode == 0, done.stderr[-3000:]
    assert not list(tmp_path.glob("*-*"))  # crash-…, timeout-…, oom-…
    ran = re.search(r"stat::number_of_executed_units: (\d+)", done.stderr)
    assert ran is not None
    assert int(ran[1]) >= RUNS
