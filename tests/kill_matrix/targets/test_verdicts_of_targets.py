"""What a target does wrong beside the point of a check: a failure where the contract forbids it, else inconclusive.

An error is a traceback of the suite's own, and none of these is one.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass, field, replace
from types import MappingProxyType

import pytest

from fixtures.callbacks.callback import Callback
from fixtures.callbacks.inbox import Answer, Inbox
from fixtures.wire.exchange import Reply
from tests.kill_matrix.collected import suite
from tests.support.hostile_targets import HOSTILE, target
from tests.support.mutated_replies import replies_changed_by

Change = Callable[[Reply], Reply]
LOOKUPS = ("GET_TRANS_STATUS", "GET_TRANS_DETAILS", "/payment/status")


def _redirected(reply: Reply) -> Reply:
    return replace(reply, status=302, headers={**reply.headers, "location": "http://192.0.2.1/"}, body=b"")


def _page(reply: Reply) -> Reply:
    return replace(reply, headers={"content-type": "text/html"}, body=b"<!doctype html><p>Please log in")


def _server_error(reply: Reply) -> Reply:
    return replace(reply, status=500, body=b"")


def _gone(_reply: Reply) -> Reply:
    return Reply(None, problem="no answer within 10 s")


def _other_status(reply: Reply) -> Reply:
    if not reply.object:
        return reply
    return replace(reply, body=json.dumps({**reply.object, "status": "PURPLE"}).encode())


def of_lookups(change: Change) -> AbstractContextManager[None]:
    """Change what look-ups are answered."""

    def changed(_method: str, url: str, content: bytes, reply: Reply) -> Reply:
        asked = content.decode("utf-8", "replace")
        return change(reply) if any(name in url or name in asked for name in LOOKUPS) else reply

    return replies_changed_by(changed)


@contextmanager
def callbacks_as(body: bytes, kind: str) -> Iterator[None]:
    """Let every callback arrive with another body."""
    take = Inbox.take

    def spoiled(self: Inbox, callback: Callback) -> Answer:
        return take(self, replace(callback, body=body, headers={**callback.headers, "content-type": kind}))

    Inbox.take = spoiled  # type: ignore[method-assign]
    try:
        yield
    finally:
        Inbox.take = take  # type: ignore[method-assign]


@dataclass(frozen=True)
class Trouble:
    """Something that a target does wrong.

    Attributes:
        checks: part of the names of the checks that meet it.
        does: makes it happen while it is entered.
        clock: a hostile target that stands for its clock.
        verdicts: what those checks may say beside ``pass`` and ``not_applicable``.
    """

    checks: tuple[str, ...]
    does: Callable[[], AbstractContextManager[None]] = nullcontext
    clock: str = ""
    verdicts: frozenset[str] = field(default=frozenset({"fail", "inconclusive"}))


INCONCLUSIVE = frozenset({"inconclusive"})
OF_LOOKUPS = (
    "suites/s2s_card/look_ups/test_look_ups",
    "suites/s2s_apm/test_status",
    "suites/checkout/look_ups/test_status",
)
OF_CALLBACKS = (
    "suites/s2s_card/callbacks/test_callbacks",
    "suites/s2s_apm/callbacks/test_callback",
    "suites/checkout/callbacks/test_callback_delivery",
)
OF_TIME = (
    "suites/checkout/stored_cards/test_schedules",
    "suites/s2s_card/sales/test_duplicates",
    "suites/hosted_page/test_lifetime",
)
TROUBLES: Mapping[str, Trouble] = MappingProxyType(
    {
        "lookup-redirects": Trouble(OF_LOOKUPS, lambda: of_lookups(_redirected)),
        "lookup-is-a-page": Trouble(OF_LOOKUPS, lambda: of_lookups(_page)),
        "lookup-is-a-server-error": Trouble(OF_LOOKUPS, lambda: of_lookups(_server_error)),
        "lookup-never-answers": Trouble(OF_LOOKUPS, lambda: of_lookups(_gone)),
        "lookup-has-an-odd-status": Trouble(OF_LOOKUPS, lambda: of_lookups(_other_status)),
        "callbacks-unreadable": Trouble(
            OF_CALLBACKS, lambda: callbacks_as(b"\x00\xff\xfe", "application/octet-stream")
        ),
        "callbacks-empty": Trouble(OF_CALLBACKS, lambda: callbacks_as(b"", "application/x-www-form-urlencoded")),
        "callbacks-of-xml": Trouble(OF_CALLBACKS, lambda: callbacks_as(b"<order_id>1</order_id>", "text/xml")),
        "callbacks-of-a-list": Trouble(OF_CALLBACKS, lambda: callbacks_as(b"[1, 2]", "application/json")),
        **{
            f"clock-{name}": Trouble(OF_TIME, clock=name, verdicts=INCONCLUSIVE)
            for name in (
                "fails-at-everything",
                "redirects",
                "closes",
                "talks-gibberish",
                "claims-gzip",
                "is-a-gzip-bomb",
                "sends-100-megabytes",
            )
        },
    }
)


@pytest.mark.parametrize("name", TROUBLES)
def test_trouble_of_a_target_is_never_an_error(name: str) -> None:
    trouble = TROUBLES[name]
    checks = [check for check in suite().items if check.nodeid.startswith(trouble.checks)]
    few = checks[:: max(1, len(checks) // 16)]

    with trouble.does(), target(trouble.clock or next(iter(HOSTILE))) as url:
        said = suite().run(few, clock=url if trouble.clock else None)

    reached = {check.verdict for check in said.checks if not check.check.startswith("watchers::")}
    assert not said.named("error"), said.details("error")
    assert reached & trouble.verdicts, reached
    assert reached <= trouble.verdicts | {"pass", "not_applicable"}, said.details("fail")
