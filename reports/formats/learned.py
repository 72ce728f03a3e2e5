"""``atlas.csv``, ``atlas.json`` and ``lifecycle.json``: what the run learned, for machines."""

from __future__ import annotations

import json
from pathlib import Path

from reports.conclusion import Conclusion
from reports.learned.atlas import Atlas, AtlasRow, as_csv, atlas_of
from reports.learned.lifecycle import Edge, machines
from reports.model import Json, Run

ATLAS_CSV, ATLAS_JSON, LIFECYCLE_JSON = "atlas.csv", "atlas.json", "lifecycle.json"


def write_atlas_table(conclusion: Conclusion, file: Path) -> None:
    """Write ``atlas.csv``."""
    file.write_text(as_csv(atlas_of(conclusion.run)), encoding="utf-8", newline="")


def write_atlas(conclusion: Conclusion, file: Path) -> None:
    """Write ``atlas.json``."""
    _write(file, atlas_document(atlas_of(conclusion.run)))


def write_lifecycle(conclusion: Conclusion, file: Path) -> None:
    """Write ``lifecycle.json``."""
    _write(file, [_machine(conclusion.run, edges.protocol, edges.edges) for edges in machines(conclusion.run)])


def _write(file: Path, value: Json) -> None:
    file.write_text(json.dumps(value, indent=1) + "\n", encoding="utf-8")


def atlas_document(atlas: Atlas) -> dict[str, Json]:
    """Return the error atlas as plain JSON types."""
    return {
        "rows": [_row(row) for row in atlas.rows],
        "collisions": [
            {
                "operation": found.operation,
                "code": found.code,
                "says": found.says,
                "fields": [[row.field, row.violation] for row in found.rows],
            }
            for found in atlas.collisions
        ],
        "two_wrongs": [vars(found) for found in atlas.two_wrongs],
    }


def _row(row: AtlasRow) -> dict[str, Json]:
    answer = row.answer.model_dump(exclude={"operation", "refused"}) if row.answer else None
    return {
        "operation": row.operation,
        "field": row.field,
        "violation": row.violation,
        "outcome": row.outcome.value,
        "answer": answer,
        "values": list(row.values),
        "checks": list(row.checks),
    }


def _machine(run: Run, protocol: str, edges: tuple[Edge, ...]) -> dict[str, Json]:
    return {"protocol": protocol, "transitions": [_edge(run, edge) for edge in edges]}


def _edge(run: Run, edge: Edge) -> dict[str, Json]:
    witness = edge.witness
    evidence = run.evidence.get(witness.evidence) if witness else None
    return {
        "kind": edge.state.value,
        "state": edge.before,
        "trigger": edge.trigger,
        "accepted": edge.accepted,
        "next": edge.next or None,
        "conditions": list(edge.conditions),
        "requirements": list(edge.requirements),
        "needs": list(edge.needs),
        "seen": edge.count,
        "witness": None
        if witness is None
        else {
            "check": witness.check,
            "exchanges": [exchange.model_dump(mode="json") for exchange in evidence.exchanges] if evidence else [],
        },
    }
