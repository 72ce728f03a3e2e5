"""Two runs to render: one with something of everything, one in which a hostile target wrote every text that it can."""

from __future__ import annotations

from contract.catalogue import Catalogue
from reports.conclusion import Conclusion, conclude
from reports.model import Answer, Change, Check, Evidence, Exchange, Failure, FollowedReading, Move, Run
from tests.unit.reports.small_run import HEADER, check, passing, run_of

HOSTILE = (
    "</script></pre></style>--><script>alert(1)</script><img src=x onerror=alert(2)>{{ 7*7 }}{% raw %}"
    " \x00\x1b[31mred\x07 \u202egpj.exe\u200b \ufffe | `code` **bold** [link](javascript:alert(3)) ]]> &amp;"
    " https://evil.example/ www.evil.example @everyone\r\n\r\n# heading\n\n| a | b |\n\t'\"\\ "
)
HUGE = "x" * 1_000_000


def _hostile_exchange() -> Exchange:
    return Exchange(
        protocol=HOSTILE,
        method=HOSTILE,
        url=HOSTILE,
        request_headers={HOSTILE: HOSTILE},
        request_body=HOSTILE,
        status=200,
        response_headers={HOSTILE: HOSTILE, "set-cookie": HUGE},
        response_body=HOSTILE + HUGE,
        signed_with=HOSTILE,
        note=HOSTILE,
    )


def _hostile_check(verdict: str, claims: str) -> Check:
    texts = {
        "title": HOSTILE,
        "reason": HOSTILE + HUGE,
        "decides": HOSTILE,
        "evidence": ("e1",),
        "readings": (FollowedReading(requirement=claims, reading=HOSTILE),),
        "change": Change(field=HOSTILE, violation=HOSTILE, value=HOSTILE),
        "answer": Answer(operation=HOSTILE, refused=verdict != "fail", code=HOSTILE, message=HOSTILE, items=(HOSTILE,)),
    }
    failure = Failure(expected=HOSTILE, received=HOSTILE + HUGE, explanation=HOSTILE, reproduce=HOSTILE)
    return check(f"{verdict}[{HOSTILE}]", verdict, claims, failure=failure if verdict == "fail" else None, **texts)


def hostile_run(catalogue: Catalogue) -> Conclusion:
    """A run in which every text that a target can reach is hostile."""
    checks = [
        _hostile_check("fail", "CHK-SES-01"),
        _hostile_check("inconclusive", "CHK-SES-02"),
        _hostile_check("error", "CHK-STA-01"),
        _hostile_check("not_applicable", "CHK-SES-03"),
        _hostile_check("pass", "CHK-STA-02"),
    ]
    run = run_of(*checks, problems=(HOSTILE,), errors=(HOSTILE,))
    target = HEADER.target.model_copy(update={"name": HOSTILE, "endpoints": {HOSTILE: HOSTILE}})
    evidence = {"e1": Evidence(id="e1", check="a", exchanges=(_hostile_exchange(),) * 10)}
    move = Move(
        protocol="Checkout", state=HOSTILE, trigger=HOSTILE, accepted=True, next=HOSTILE, check=HOSTILE, evidence="e1"
    )
    header = HEADER.model_copy(update={"target": target})
    return conclude(
        run.model_copy(update={"header": header, "evidence": evidence, "moves": (move,)}),
        catalogue,
    )


def mixed_run(catalogue: Catalogue) -> Conclusion:
    """A failure that gates, one that does not, something undecided, and a reading."""
    checks = [
        *passing("CHK-SES-01", "CHK-SES-02", "CHK-STA-01", "CHK-STA-02"),
        check("wrong", "fail", "CHK-SES-01", evidence=("e1",)),
        check("elsewhere", "fail", "CHK-STA-01"),
        check("open", "inconclusive", "CHK-SES-02", reason="no card", decides="cards in [test_data]"),
        check("r[upper]", "pass", "CHK-STA-02", readings=(FollowedReading(requirement="CHK-STA-02", reading="upper"),)),
    ]
    exchange = Exchange(
        protocol="Checkout", method="POST", url="https://acme.example/api/v1/session", status=200,
        response_body='{"a":1}',
    )  # fmt: skip
    run: Run = run_of(*checks, requests=12)
    evidence = {"e1": Evidence(id="e1", check=checks[1].id, exchanges=(exchange,))}
    return conclude(run.model_copy(update={"evidence": evidence}), catalogue)
