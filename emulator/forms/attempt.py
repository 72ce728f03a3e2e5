"""A form post on its way through the stages, and the stages that look at the merchant only."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar

from emulator.accounts import Account
from emulator.replies import Refusal

if TYPE_CHECKING:
    from emulator.gateway import Gateway


@dataclass(slots=True)
class FormAttempt:
    """One post: its fields as sent, the address it came from, and the account that its key belongs to."""

    gateway: "Gateway"
    form: Mapping[str, str]
    client: str
    account: Account | None


_Attempt = TypeVar("_Attempt")
FormStage = Callable[[FormAttempt], Refusal | None]


def check_environment(attempt: FormAttempt) -> Refusal | None:
    """Refuse keys of production, and addresses that the account does not allow."""
    account, conduct = attempt.account, attempt.gateway.design.session
    if account is None:
        return None
    if conduct.is_live(account):
        return conduct.wrong_environment
    if not conduct.address_allowed(account, attempt.client):
        return conduct.wrong_address
    return None


def check_merchant(attempt: FormAttempt) -> Refusal | None:
    """Refuse a key that belongs to no merchant."""
    return attempt.gateway.design.session.unknown_merchant if attempt.account is None else None


def first_refusal(stages: Iterable[Callable[[_Attempt], Refusal | None]], attempt: _Attempt) -> Refusal | None:
    """What the first stage that refuses the attempt says."""
    return next((refusal for stage in stages if (refusal := stage(attempt)) is not None), None)
