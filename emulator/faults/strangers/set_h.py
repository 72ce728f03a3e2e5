"""Faults that broke the gateway in the hands of another author, and that the suite did not notice at first (set H)."""

from dataclasses import replace
from typing import Final

from emulator.faults.model import breaks, faults
from emulator.protocols.hosted_fields.behaviour import serves
from emulator.protocols.hosted_fields.sessions import HostedSession
from emulator.protocols.hosted_page.languages import Wishes, choose


def _until_something_is_entered(wishes: Wishes) -> str:
    return choose(replace(wishes, checkout_language="") if wishes.is_posted else wishes)


def _by_token_anywhere(session: HostedSession, operation: str) -> bool:
    return bool(session.request.get("card_token")) or serves(session, operation)


FAULTS: Final = faults(
    {
        "hosted-session-by-token-paid-anywhere": breaks(
            "HPF-PAY-04 HPF-PAY-05",
            "A session by card token is paid at the endpoint of either operation (lines 334 and 335).",
            lambda design: design.in_hosted_fields(serves=_by_token_anywhere),
        ),
        "page-language-lost-with-an-entry": breaks(
            "HPP-LNG-01",
            "The page that names wrong entries is in the language of the browser, and no longer in checkout_language.",
            lambda design: design.in_page(language=_until_something_is_entered),
        ),
        "session-expiry-begins-anew-with-a-look": breaks(
            "CHK-LIF-02",
            "Each look at the page begins session_expiry anew: one that is looked at now and then never expires.",
            lambda design: design.in_page(lasts_anew=True),
        ),
    }
)
