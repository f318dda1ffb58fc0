"""Measure the computed check of statements by planted faults, true statements, paraphrases and translations.

    python -m bench.deliverables.planted [--json] [--seed N ...] [FOLDER ...]

A folder holds texts as `texts/` does; without any, the stored ones are measured with `paraphrases.json` and
`translated.json`, and a folder `texts_SUFFIX` with the files of that suffix.
"""

from __future__ import annotations

import argparse
import json
import time
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from frasier.kernel.source_units import Sources, SourceText
from frasier.work.verification.check import check_text
from frasier.work.verification.findings import StatementCheck, StatementVerdict
from frasier.work.verification.said_before import NOTHING_BEFORE

HERE = Path(__file__).parent
DEFAULT_SEEDS = (1, 2, 3)
_CONCLUSION = "conclusion"  # the kind of a sentence that sums up and cites nothing
_UNLABELLED = "unlabelled"
FOLLOWED = ("stated", "calculated", _UNLABELLED)
"""The support by which a computation can follow a statement, where the sources state it or it states its calculation.

Paraphrased and derived statements, whose words or whose calculation are the author's own, are counted beside.
"""


@dataclass
class Result:
    """Counts: planted faults found and all by kind, and statements by verdict; the true ones by their support."""

    faults: dict[str, dict[str, int]] = field(default_factory=dict)
    true_statements: dict[str, dict[str, int]] = field(default_factory=dict)
    paraphrases: dict[str, int] = field(default_factory=dict)
    translations: dict[str, int] = field(default_factory=dict)
    seconds: float = 0.0

    @property
    def falsely_flagged(self) -> float:
        """The share that is flagged of the true statements that a computation can follow."""
        return _share_flagged(
            sum(
                (
                    Counter(verdicts)
                    for support, verdicts in self.true_statements.items()
                    if support in FOLLOWED
                ),
                Counter(),
            )
        )


def measure(folder: Path, seeds: Sequence[int] = DEFAULT_SEEDS) -> Result:
    """Check the texts of a folder, the faults planted in them with each seed, and the paraphrases and translations."""
    from bench.deliverables.plant_faults import faults_of, load_material  # noqa: PLC0415  only to measure

    material = load_material()
    result = Result()
    found: Counter[str] = Counter()
    planted: Counter[str] = Counter()
    verdicts: dict[str, Counter[str]] = defaultdict(Counter)
    started = time.perf_counter()
    for path in sorted(folder.glob("*.json")):
        text = json.loads(path.read_text("utf-8"))
        sources = sources_of(text)
        before = {}
        said = NOTHING_BEFORE
        for statement, support in true_statements(text):
            before[statement] = said
            checks = check_text(statement, sources, before=said)
            verdicts[support][_worst(checks)] += 1
            for check in checks:
                said = said.followed_by(check)
        faults = {
            fault.statement: fault
            for seed in seeds
            for fault in faults_of(text, material.get(text["id"]), seed)
        }
        for fault in faults.values():
            planted[fault.kind] += 1
            checks = check_text(fault.statement, sources, before=before.get(fault.original, NOTHING_BEFORE))
            found[fault.kind] += _worst(checks) == StatementVerdict.DOUBTFUL
    result.faults = {kind: {"found": found[kind], "all": planted[kind]} for kind in planted}
    result.true_statements = {support: dict(counts) for support, counts in verdicts.items()}
    suffix = folder.name.removeprefix("texts")
    result.paraphrases = _pairs(HERE / f"paraphrases{suffix}.json")
    result.translations = _pairs(HERE / f"translated{suffix}.json")
    result.seconds = round(time.perf_counter() - started, 2)
    return result


def true_statements(text: dict[str, Any]) -> Iterator[tuple[str, str]]:
    """The true statements, each with how its sources carry it."""
    return (
        (block["statement"], block.get("support", _UNLABELLED))
        for block in text["blocks"]
        if "statement" in block and block.get("kind") != _CONCLUSION
    )


def sources_of(text: dict[str, Any]) -> Sources:
    """Return the sources of a text."""
    return _sources((source["number"], source["title"], source["text"]) for source in text["sources"])


def _sources(texts: Iterator[tuple[int, str, str]]) -> Sources:
    return Sources(
        by_number={number: SourceText(number=number, title=title, text=text) for number, title, text in texts}
    )


def _pairs(path: Path) -> dict[str, int]:
    """Check each statement of a file of pairs against its one source."""
    if not path.exists():
        return {}
    return dict(
        Counter(
            _worst(check_text(f"{pair['statement']} [1]", _sources(iter([(1, "", pair["source"])]))))
            for pair in json.loads(path.read_text("utf-8"))
        )
    )


def _worst(checks: Sequence[StatementCheck]) -> str:
    """The worst verdict of the checks."""
    verdicts = {check.verdict for check in checks}
    worst_first = (StatementVerdict.DOUBTFUL, StatementVerdict.UNCHECKED, StatementVerdict.VERIFIED)
    return next((verdict.value for verdict in worst_first if verdict in verdicts), "no statement")


def _share_flagged(verdicts: Mapping[str, int]) -> float:
    return verdicts.get(StatementVerdict.DOUBTFUL, 0) / max(1, sum(verdicts.values()))


def _table(folder: Path, result: Result) -> str:
    lines = [f"{folder.name}: {result.seconds} s", f"{'kind':<14}{'found':>7}{'all':>7}{'share':>9}"]
    for kind, counts in result.faults.items():
        lines.append(
            f"{kind:<14}{counts['found']:>7}{counts['all']:>7}{counts['found'] / counts['all']:>9.1%}"
        )
    lines.append(f"true statements flagged: {result.falsely_flagged:.1%} of {', '.join(FOLLOWED)}")
    groups = {f"  {support}": counts for support, counts in sorted(result.true_statements.items())}
    groups |= {"paraphrases": result.paraphrases, "translations": result.translations}
    for name, verdicts in groups.items():
        total = max(1, sum(verdicts.values()))
        shares = ", ".join(
            f"{verdict} {count} ({count / total:.1%})" for verdict, count in sorted(verdicts.items())
        )
        lines.append(f"{name}: {shares}")
    return "\n".join(lines)


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument(
        "folders", nargs="*", type=Path, metavar="FOLDER", help="folders of texts; default: texts"
    )
    parser.add_argument(
        "--seed", type=int, action="append", dest="seeds", help="plant with this seed; may be repeated"
    )
    parser.add_argument("--json", action="store_true", help="print the counts as JSON")
    arguments = parser.parse_args()
    seeds = arguments.seeds or DEFAULT_SEEDS
    results = {folder: measure(folder, seeds) for folder in arguments.folders or [HERE / "texts"]}
    if arguments.json:
        print(
            json.dumps(
                {folder.name: asdict(result) for folder, result in results.items()},
                ensure_ascii=False,
                indent=1,
            )
        )
    else:
        print("\n\n".join(_table(folder, result) for folder, result in results.items()))


if __name__ == "__main__":
    main()
