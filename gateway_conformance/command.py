"""The command ``gateway-conformance``: what it takes, and whom it hands it to."""

from __future__ import annotations

import sys
import traceback
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Final

import typer
from rich.markup import escape

from gateway_conformance.handed_on import HANDED_ON, PROGRAM, Hands
from gateway_conformance.pipes import survive_closed_pipes
from gateway_conformance.place import make_importable

make_importable()

STATUSES: Final = (
    "Exit status: 0 conforming; 1 not conforming; 2 wrong usage or profile; 3 could not decide; "
    "4 the suite itself broke; 5 nothing was selected."
)
NAME: Final = PROGRAM
BROKEN: Final = 4
THROUGH: Final = {"allow_extra_args": True, "ignore_unknown_options": True}
"""What is not known here goes on to whom it is for."""

app = typer.Typer(
    name=NAME,
    help="Says, requirement by requirement, whether a payment gateway keeps its interface contract.",
    epilog="Begin with: gateway-conformance init, then probe, then run.",
    no_args_is_help=True,
    rich_markup_mode="rich",
    pretty_exceptions_enable=False,
)


def _show_version(asked: bool) -> None:  # noqa: FBT001 - typer calls it so
    if asked:
        from fixtures.version import suite_version

        typer.echo(f"{NAME} {suite_version()}")
        raise typer.Exit


@app.callback()
def _options(
    *,
    _version: Annotated[
        bool,
        typer.Option("--version", callback=_show_version, is_eager=True, help="Show version and commit, and end."),
    ] = False,
) -> None:
    """Take what stands before the name of a command."""


Profile = Annotated[
    Path | None,
    typer.Option("--target", metavar="PROFILE", help="Profile of the gateway (TOML). Default: the embedded gateway."),
]
Production = Annotated[
    str | None, typer.Option(metavar="NAME", help="Allow the production target of this name; repeat its name.")
]


@app.command(context_settings=THROUGH, epilog=STATUSES)
def run(  # noqa: PLR0913 - the options of a run
    context: typer.Context,
    *,
    target: Profile = None,
    targets: Annotated[
        Path | None,
        typer.Option(metavar="DIR", help="A run for each profile (*.toml) of a directory, and one overview of them."),
    ] = None,
    output: Annotated[
        Path, typer.Option(metavar="DIR", help="Where the reports go.", show_default="reports/out")
    ] = Path("reports", "out"),
    release: Annotated[
        str | None, typer.Option(metavar="RELEASE", help="Release that the target claims, in place of the profile's.")
    ] = None,
    waivers: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Known failures that are accepted for a time (TOML).")
    ] = None,
    strict: Annotated[
        bool, typer.Option("--strict", help="Let recommendations and platform facts gate as well.")
    ] = False,
    payer: Annotated[str | None, typer.Option(metavar="http|browser", help="Who fills in the hosted page.")] = None,
    depth: Annotated[
        str | None,
        typer.Option(
            metavar="smoke|standard|full",
            help="smoke: few requests that find most; standard: no generated requests; full: all (default).",
        ),
    ] = None,
    budget: Annotated[
        str | None, typer.Option(metavar="TIME", help="What finds most within a time, as in 90s or 5m.")
    ] = None,
    production: Production = None,
    fault: Annotated[
        list[str] | None, typer.Option(metavar="NAME", help="Start the embedded gateway with this fault; repeatable.")
    ] = None,
    variation: Annotated[
        list[str] | None, typer.Option(metavar="NAME", help="Start it with this variation; repeatable.")
    ] = None,
) -> None:
    """Run the checks against a gateway and write the reports.

    Options that are not listed here go on: [bold]--requirement ID[/], [bold]-m "s2s_card and must"[/],
    [bold]--shard 2/5[/], [bold]--gaps FILE[/], and those of pytest: [bold]-n 4[/] (processes), [bold]-k WORD[/],
    [bold]-x[/], [bold]--collect-only[/], or checks by path, as in [bold]suites/checkout/sessions/test_order.py[/].
    """
    from gateway_conformance.running import run as run_pytest

    words = [
        *_given("--release", release),
        *_given("--waivers", waivers.absolute() if waivers else None),
        *_given("--payer", payer),
        *_given("--depth", depth),
        *_given("--budget", budget),
        *_given("--production", production),
        *(f"--fault={name}" for name in fault or ()),
        *(f"--variation={name}" for name in variation or ()),
        *(["--strict"] if strict else []),
    ]
    if targets is None:
        words = [*_given("--target", target.absolute() if target else None), *words]
        raise typer.Exit(run_pytest([*words, *context.args], output=output))
    if target is not None:
        raise typer.BadParameter("--target and --targets: give one of them")
    from gateway_conformance.fleet import run_all

    raise typer.Exit(run_all(targets, [*words, *context.args], output=output, production=production))


def _given(option: str, value: object) -> Iterator[str]:
    if value is not None:
        # With "=": pytest takes a path that stands alone for one to collect.
        yield f"{option}={value}"


@app.command(epilog="Exit status: 0, or 2 when the profile cannot be used or contradicts itself.")
def check(
    file: Annotated[Path, typer.Argument(metavar="PROFILE", help="The profile (TOML).")],
    *,
    production: Production = None,
) -> None:
    """Say what a run with a profile could decide, what each missing setting would add, and what the run would cost.

    Nothing is sent.
    """
    from gateway_conformance import profiles

    raise typer.Exit(profiles.check(file, production=production))


def _without_empty(**values: str) -> dict[str, str]:
    return {name: value for name, value in values.items() if value}


@app.command(epilog="Exit status: 0, or 2 where something is missing, or wrong.")
def init(  # noqa: PLR0913 - the questions
    file: Annotated[Path, typer.Argument(metavar="PROFILE", help="Where to write it.")] = Path("gateway.toml"),
    *,
    name: Annotated[
        str | None, typer.Option(metavar="NAME", help="Name of the gateway in reports. Default: my sandbox.")
    ] = None,
    environment: Annotated[
        str | None, typer.Option(metavar="WHICH", help="sandbox (default), staging, production or emulator.")
    ] = None,
    release: Annotated[
        str, typer.Option(metavar="RELEASE", help="Release of the interface that it claims. Default: probe looks.")
    ] = "",
    checkout: Annotated[str | None, typer.Option(metavar="URL", help="Base address of Checkout.")] = None,
    s2s_card: Annotated[str | None, typer.Option(metavar="URL", help="Base address of S2S CARD.")] = None,
    s2s_apm: Annotated[str | None, typer.Option(metavar="URL", help="Base address of S2S APM.")] = None,
    key: Annotated[str | None, typer.Option(metavar="KEY", help="Merchant key or client key.")] = None,
    password: Annotated[
        str | None,
        typer.Option(
            metavar="WHERE",
            help="env:NAME, file:PATH, or the password of a test account. Default: env:GATEWAY_PASSWORD.",
        ),
    ] = None,
    s2s_card_key: Annotated[str, typer.Option(metavar="KEY", help="Client key of S2S CARD, if another.")] = "",
    s2s_apm_key: Annotated[str, typer.Option(metavar="KEY", help="Client key of S2S APM, if another.")] = "",
    s2s_card_password: Annotated[str, typer.Option(metavar="WHERE", help="Password of S2S CARD, if another.")] = "",
    s2s_apm_password: Annotated[str, typer.Option(metavar="WHERE", help="Password of S2S APM, if another.")] = "",
    accounts: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="Table of accounts as the portal shows it, with key and password (CSV, tabs, Markdown; -: standard "
            "input). Without --key its first row is the main account, for each protocol the first that serves it. What "
            "sets the others apart, probe finds out.",
        ),
    ] = None,
    account: Annotated[
        list[str] | None, typer.Option(metavar="NAME=KEY:PASSWORD", help="A further account; repeatable.")
    ] = None,
    cards: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Table of test cards, likewise; what becomes of each, probe finds out."),
    ] = None,
    card: Annotated[
        list[str] | None,
        typer.Option(
            metavar="[OUTCOME=]NUMBER[:MM/YYYY]",
            help="A test card; the first pays, unless an outcome is named (decline=…, three_ds_success=…); repeatable.",
        ),
    ] = None,
    brand: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME[:FIELD=VALUE,…]",
            help="A brand or method that the gateway names, for probe to try, with what a SALE by it carries besides, "
            "as in p24:identifier=7; repeatable.",
        ),
    ] = None,
    methods: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Table of methods, likewise: names with their parameters beside them."),
    ] = None,
    operators: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Names operators of mobile money (mtn-gh …), for probe to try.")
    ] = None,
    expiry: Annotated[str, typer.Option(metavar="MM/YYYY", help="Expiry where none is given.")] = "01/2038",
    settings: Annotated[
        list[str] | None,
        typer.Option(
            "--set", metavar="TABLE.NAME=VALUE", help="Any setting, as in test_data.channel_id=main; repeatable."
        ),
    ] = None,
    callbacks: Annotated[
        str | None,
        typer.Option(metavar="HOST:PORT", help="Where callbacks arrive on this machine: the gateway must know it."),
    ] = None,
    rate: Annotated[
        float | None, typer.Option(metavar="N", help="Most requests in a second; a shared sandbox is thankful.")
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Write over a file that is there.")] = False,
) -> None:
    """Write a first profile of your gateway, some thirty lines.

    On a terminal, what is not given as an option is asked. Elsewhere it has its default. Tables of accounts and cards
    are pasted as the portal of the sandbox shows them.
    """
    from fixtures.profile.pasted import PastedError
    from gateway_conformance import asking, pasting, profiles

    try:
        tables = pasting.pasted(
            accounts=accounts,
            account=account or (),
            cards=cards,
            card=card or (),
            settings=settings or (),
            brands=brand or (),
            operators=operators,
            methods=methods,
        )
        main = tables.main(key)
        given = {
            "name": name, "environment": environment, "checkout": checkout, "s2s_card": s2s_card, "s2s_apm": s2s_apm,
            "key": key or (main.key if main else None), "password": password or (main.password if main else None),
            "card": tables.paying.number if tables.paying else None,
        }  # fmt: skip
        answers = asking.answers(given, is_terminal=sys.stdin.isatty())
        keys = _without_empty(s2s_card=s2s_card_key, s2s_apm=s2s_apm_key)
        passwords = _without_empty(s2s_card=s2s_card_password, s2s_apm=s2s_apm_password)
        answers = tables.added_to(replace(answers, expiry=expiry, keys=keys, passwords=passwords))
    except (asking.MissingError, PastedError) as error:
        sys.stderr.write(f"{error}\n")
        raise typer.Exit(profiles.WRONG_USAGE) from None
    chosen = replace(answers, release=release, callbacks=callbacks, requests_per_second=rate)
    status = profiles.init(file, chosen, force=force)
    sys.stdout.writelines(f"open: {line}\n" for line in tables.open)
    raise typer.Exit(status)


@app.command(epilog="Exit status: 0; 2 when the profile cannot be used; 3 when no protocol takes a valid request.")
def probe(
    file: Annotated[Path, typer.Argument(metavar="PROFILE", help="The profile (TOML), as init writes one.")],
    *,
    production: Production = None,
    show: Annotated[bool, typer.Option("--show", help="Print the profile, and leave the file as it is.")] = False,
) -> None:
    """Find out what a gateway offers and write it into its profile, each line with the evidence for it.

    At most one valid request is sent for each protocol and capability. What stands in the profile already stays.
    """
    from gateway_conformance import profiles

    raise typer.Exit(profiles.probe(file, production=production, show=show))


@app.command(
    context_settings=THROUGH,
    epilog="Exit status: 0 nothing is worse, 1 something that was kept is broken, 2 wrong usage.",
)
def differ(  # noqa: PLR0913 - the options of two runs
    context: typer.Context,
    old: Annotated[Path, typer.Argument(metavar="OLD", help="A run (results.jsonl or its directory), or a profile.")],
    new: Annotated[Path, typer.Argument(metavar="NEW", help="Likewise; a profile (TOML) is run first.")],
    *,
    old_release: Annotated[str | None, typer.Option(metavar="RELEASE", help="Release that OLD claims.")] = None,
    new_release: Annotated[str | None, typer.Option(metavar="RELEASE", help="Release that NEW claims.")] = None,
    seed: Annotated[int, typer.Option(metavar="N", help="What generated requests follow from, in both runs.")] = 0,
    output: Annotated[Path, typer.Option(metavar="DIR", help="Where runs and page go.")] = Path("reports", "differ"),
) -> None:
    """Show two targets or releases side by side: intended by the release, undocumented, or a regression.

    Everything else goes on to both runs, such as [bold]-n 4[/], [bold]-k WORD[/] or checks by path.
    """
    from gateway_conformance import differing

    sides = (
        differing.Side(of=old, release=old_release, output=output / "old"),
        differing.Side(of=new, release=new_release, output=output / "new"),
    )
    page = output / "differential.html"
    raise typer.Exit(differing.differ(sides, seed=seed, page=page, options=context.args))


@app.command("print", epilog="Exit status: 0, or 2 where there is no page or no browser.")
def print_(
    run: Annotated[Path, typer.Argument(metavar="RUN", help="Directory of a run, or a page of it.")],
    *,
    output: Annotated[Path | None, typer.Option(metavar="FILE", help="Default: statement.pdf beside the page.")] = None,
) -> None:
    """Print the statement of a run, or another page of it, as PDF; a browser does it."""
    from gateway_conformance import printing

    page = run / "statement.html" if run.is_dir() else run
    raise typer.Exit(printing.print_page(page, output or page.with_suffix(".pdf")))


def _hand_on(name: str, text: str, hands: Hands) -> None:
    def command(context: typer.Context) -> None:
        raise typer.Exit(hands(context.args, f"{NAME} {name}"))

    app.command(name, help=text, context_settings=THROUGH, add_help_option=False)(command)


for _name, (_help, _hands) in HANDED_ON.items():
    _hand_on(_name, escape(_help), _hands)


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command and end the process with its exit status."""
    survive_closed_pipes()
    try:
        app(args=arguments if arguments is None else list(arguments), prog_name=NAME)
    except Exception:
        # Python would end with status 1, which is a verdict.
        traceback.print_exc()
        sys.exit(BROKEN)
