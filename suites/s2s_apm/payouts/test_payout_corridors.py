"""The corridors of mobile money: what operators pay out, in which currency, and to which numbers."""

from __future__ import annotations

import pytest

from contract.errors import REQUEST_DATA_INVALID
from fixtures.cases.currencies import exponent_of, format_amount
from fixtures.judging.baselines import Baselines
from fixtures.judging.matchers import Answer, answer_of, carries_message
from fixtures.judging.must import must_accept, must_answer_properly
from fixtures.judging.verdicts import inconclusive, not_applicable
from fixtures.profile import Profile
from fixtures.profile.test_data import MobileMoney
from fixtures.protocols.s2s_apm.merchant import S2SApmMerchant
from fixtures.protocols.s2s_apm.mobile_money import CORRIDORS, Corridor, operators_in, payout_amount
from fixtures.protocols.s2s_apm.must import must_not_pay_out
from fixtures.protocols.s2s_apm.payments import ApmPayments
from fixtures.protocols.s2s_apm.requests import ApmRequests, usual_units
from fixtures.requirement import requirement
from fixtures.run import Run
from fixtures.wire.requests import FormRequest

WHOLE_UNITS = ("XOF", "XAF")
LIKE = {"XOF": "XAF", "XAF": "XOF"}
"""The two CFA francs: of one name and one value, and of other countries."""
ABROAD = {"gh": "254712345678", "ke": "233241234567"}
"""A number of another country for operators of these; of the others a Kenyan one is."""
EACH_CORRIDOR = pytest.mark.parametrize(
    "corridor", [pytest.param(each, id=each.name, marks=requirement(each.requirement)) for each in CORRIDORS]
)


def operator_of(corridor: Corridor, profile: Profile) -> MobileMoney:
    found = operators_in(corridor, profile.test_data.mobile_money)
    if not found:
        inconclusive(
            f"the profile names no operator that pays out {corridor.minimum} to {corridor.maximum} {corridor.currency}",
            decides=f"an operator with currency {corridor.currency} in [[test_data.mobile_money]] of the profile",
        )
    return found[0]


def must_pay_out(run: Run, operator: MobileMoney, corridor: Corridor, end: str) -> None:
    """The amount at an end of a corridor is paid out; what is refused for something else than its data is open.

    No line promises that an account has so much money: what is beyond the corridor is refused in other words then.
    """
    merchant, units = run.apm.merchant, corridor.minimum if end == "minimum" else corridor.maximum
    reply = merchant.post(run.apm_requests.payout(operator, payout_amount(operator.currency, units)))

    if answer_of(reply) is Answer.REFUSED and not carries_message(reply, REQUEST_DATA_INVALID.message or ""):
        too_much = payout_amount(operator.currency, corridor.maximum + 1)
        beyond = merchant.post(run.apm_requests.payout(operator, too_much))
        if beyond.object.get("error_message") != reply.object.get("error_message"):
            inconclusive(
                f"it is refused for another reason than its bounds, which no line gives: {reply.summary}",
                decides="an account with so much balance, and no limits of its own on payouts",
            )
    must_accept(reply)


def must_not_pay_out_so_much(run: Run, operator: MobileMoney, amount: str) -> None:
    payout = run.apm.baselines(f"payout:{operator.operator}")

    must_not_pay_out(run.apm.payments, payout.with_("order_amount", amount))


@EACH_CORRIDOR
@pytest.mark.parametrize("end", ["minimum", "maximum"])
def test_amount_at_the_end_of_a_corridor_is_paid_out(end: str, corridor: Corridor, run: Run) -> None:
    must_pay_out(run, operator_of(corridor, run.profile), corridor, end)


@EACH_CORRIDOR
@pytest.mark.parametrize("end", ["minimum", "maximum"])
def test_amount_beyond_the_end_of_a_corridor_is_refused(end: str, corridor: Corridor, run: Run) -> None:
    units = corridor.minimum - 1 if end == "minimum" else corridor.maximum + 1

    must_not_pay_out_so_much(run, operator_of(corridor, run.profile), payout_amount(corridor.currency, units))


@EACH_CORRIDOR
@pytest.mark.parametrize("end", ["minimum", "maximum"])
def test_amount_a_little_beyond_the_end_of_a_corridor_is_refused(end: str, corridor: Corridor, run: Run) -> None:
    exponent = exponent_of(corridor.currency)
    if exponent == 0:
        not_applicable(f"amounts in {corridor.currency} are whole units")
    end_of_it = corridor.minimum * 10**exponent - 1 if end == "minimum" else corridor.maximum * 10**exponent + 1

    must_not_pay_out_so_much(run, operator_of(corridor, run.profile), format_amount(end_of_it, exponent))


def further_operators(corridor: Corridor, profile: Profile) -> list[MobileMoney]:
    operator_of(corridor, profile)
    others = operators_in(corridor, profile.test_data.mobile_money)[1:]
    if not others:
        not_applicable("the profile names one operator of the corridor")
    return others


@EACH_CORRIDOR
def test_every_operator_of_a_corridor_keeps_to_its_maximum(corridor: Corridor, run: Run) -> None:
    for operator in further_operators(corridor, run.profile):
        must_not_pay_out_so_much(run, operator, payout_amount(corridor.currency, corridor.maximum + 1))


@EACH_CORRIDOR
def test_every_operator_of_a_corridor_keeps_to_its_minimum(corridor: Corridor, run: Run) -> None:
    exponent = exponent_of(corridor.currency)
    # Nothing is no amount whatever the minimum is: where it is one unit, less than that is asked for.
    too_little = format_amount(corridor.minimum * 10**exponent - 1, exponent)
    if corridor.minimum > 1:
        too_little = payout_amount(corridor.currency, corridor.minimum - 1)

    for operator in further_operators(corridor, run.profile):
        must_not_pay_out_so_much(run, operator, too_little)


@EACH_CORRIDOR
@pytest.mark.parametrize("end", ["minimum", "maximum"])
def test_every_operator_of_a_corridor_pays_out_both_ends(end: str, corridor: Corridor, run: Run) -> None:
    for operator in further_operators(corridor, run.profile):
        must_pay_out(run, operator, corridor, end)


@requirement("APM-C2V-24")
@pytest.mark.parametrize("currency", WHOLE_UNITS)
@pytest.mark.parametrize("fraction", [".50", ".5"])
def test_fraction_of_a_whole_unit_is_refused(fraction: str, currency: str, run: Run) -> None:
    operator = operator_in(currency, run.profile)

    must_not_pay_out_so_much(run, operator, f"{usual_units(operator)}{fraction}")


@requirement("APM-C2V-25")
@pytest.mark.parametrize("currency", WHOLE_UNITS)
def test_fraction_of_zero_is_accepted_or_refused(currency: str, run: Run) -> None:
    operator = operator_in(currency, run.profile)
    run.apm.baselines(f"payout:{operator.operator}")

    reply = run.apm.merchant.post(run.apm_requests.payout(operator, f"{usual_units(operator)}.00"))

    must_answer_properly(reply, "APM-C2V-25", accepted="accepted", refused="refused")


def operator_in(currency: str, profile: Profile) -> MobileMoney:
    found = [operator for operator in profile.test_data.mobile_money if operator.currency == currency]
    if not found:
        inconclusive(
            f"the profile names no operator that pays out {currency}",
            decides=f"an operator with currency {currency} in [[test_data.mobile_money]] of the profile",
        )
    return found[0]


@requirement("APM-C2V-26")
def test_currency_of_another_country_is_refused(payments: ApmPayments, apm: Baselines[FormRequest]) -> None:
    payout = apm("credit2virtual")
    other = next(each for each in CORRIDORS if each.currency != payout.get("order_currency"))
    amount = payout_amount(other.currency, max(other.minimum, 100))

    must_not_pay_out(payments, payout.with_("order_currency", other.currency).with_("order_amount", amount))


@requirement("APM-C2V-26")
def test_currency_of_another_country_is_refused_by_operators_of_every_country(run: Run) -> None:
    for operator in first_of_each_currency(run.profile):
        payout = run.apm.baselines(f"payout:{operator.operator}")
        for currency in other_currencies(operator.currency):
            amount = payout_amount(currency, min(max(operator.minimum, 100), operator.maximum))

            changed = payout.with_("order_currency", currency).with_("order_amount", amount)

            must_not_pay_out(run.apm.payments, changed)


def other_currencies(currency: str) -> list[str]:
    """Return the currency of another country, and the one that is most easily taken for this one."""
    other = next(each.currency for each in CORRIDORS if each.currency != currency)
    return [other, *([LIKE[currency]] if currency in LIKE else [])]


@requirement("APM-C2V-30")
def test_number_of_another_country_is_refused_by_operators_of_every_country(run: Run) -> None:
    operators = first_of_each_currency(run.profile)
    by_currency = {operator.currency: operator for operator in operators}
    for operator in operators:
        payout = run.apm.baselines(f"payout:{operator.operator}")
        neighbour = by_currency.get(LIKE.get(operator.currency, ""), operator)
        numbers = [ABROAD.get(operator.operator.rpartition("-")[2], ABROAD["gh"])]
        if neighbour.mobile_number[:3] != operator.mobile_number[:3]:
            numbers.append(neighbour.mobile_number)
        for number in numbers:
            must_not_pay_out(run.apm.payments, payout.with_("parameters[mobile_number]", number))


def first_of_each_currency(profile: Profile) -> list[MobileMoney]:
    return [operator_in(currency, profile) for currency in currencies_of(profile)]


def currencies_of(profile: Profile) -> list[str]:
    return list(dict.fromkeys(each.currency for each in profile.test_data.mobile_money))


@requirement("APM-C2V-29")
def test_numbers_of_the_country_are_accepted(s2s_apm: S2SApmMerchant, unproven: ApmRequests, profile: Profile) -> None:
    for operator in first_of_each_currency(profile):
        must_accept(s2s_apm.post(unproven.payout(operator)))


@requirement("APM-C2V-30")
@pytest.mark.parametrize("wrong", ["another-country", "too-short", "too-long", "letters"])
def test_number_that_the_operator_cannot_reach_is_refused(
    wrong: str, payments: ApmPayments, apm: Baselines[FormRequest], profile: Profile
) -> None:
    payout = apm("credit2virtual")
    operator = profile.test_data.mobile_money[0]
    number = operator.mobile_number
    country = operator.operator.rpartition("-")[2]
    wrongs = {
        "another-country": ABROAD.get(country, ABROAD["gh"]),
        "too-short": number[:-1],
        "too-long": f"{number}0",
        "letters": f"{number[:-1]}a",
    }

    must_not_pay_out(payments, payout.with_("parameters[mobile_number]", wrongs[wrong]))
