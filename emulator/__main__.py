"""The command: ``python -m emulator`` starts a reference gateway, or lists what it can be started with."""

import argparse
import json
import logging
import os
import secrets
import sys
import threading
from collections.abc import Iterable, Sequence
from typing import Final
from urllib.parse import urlsplit

from emulator import offers
from emulator.accounts import listing
from emulator.releases import LATEST
from emulator.serving import ListeningError, Running, serve
from emulator.settings import Settings, SettingsError

_WRONG_USAGE: Final = 2
_HIGHEST_PORT: Final = 65_535
_LONGEST_LATENCY: Final = 60_000


def _port(text: str) -> int:
    if not text.isdigit() or int(text) > _HIGHEST_PORT:
        message = f"{text} is no port: give a number from 0 (a free one) to {_HIGHEST_PORT}"
        raise argparse.ArgumentTypeError(message)
    return int(text)


def _milliseconds(text: str) -> float:
    if not text.isdigit() or int(text) > _LONGEST_LATENCY:
        message = f"{text} is no latency: give milliseconds from 0 to {_LONGEST_LATENCY}"
        raise argparse.ArgumentTypeError(message)
    return int(text) / 1000


def _address(text: str) -> str:
    if urlsplit(text).scheme not in ("http", "https") or not urlsplit(text).hostname:
        message = f"{text} is no address: give one like http://127.0.0.1:8099/callbacks"
        raise argparse.ArgumentTypeError(message)
    return text


def _parser(name: str) -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog=name,
        description="Start a reference payment gateway. One JSON line on stdout gives its address; logs go to stderr.",
    )
    parser.add_argument("--host", default="127.0.0.1", help="address to listen on (default: %(default)s)")
    parser.add_argument("--port", default=0, type=_port, help="port to listen on; 0 takes a free one (default)")
    parser.add_argument("--release", default=LATEST, help="release of the interface to keep (default: %(default)s)")
    parser.add_argument(
        "--fault", action="append", default=[], metavar="NAME", help="break one requirement; repeatable"
    )
    parser.add_argument(
        "--variation", action="append", default=[], metavar="NAME", help="do one thing otherwise; repeatable"
    )
    parser.add_argument(
        "--control", action="store_true", help="open the address that moves the clock; a token is part of it"
    )
    parser.add_argument(
        "--callback-url", type=_address, metavar="URL", help="where merchants get their callbacks (default: nowhere)"
    )
    parser.add_argument(
        "--public-url",
        type=_address,
        metavar="URL",
        help="address that payers and merchants reach it at, behind a proxy",
    )
    parser.add_argument(
        "--trust-proxy", action="store_true", help="take that address from X-Forwarded-Host and X-Forwarded-Proto"
    )
    parser.add_argument(
        "--latency",
        default=0.0,
        type=_milliseconds,
        metavar="MS",
        help="mean milliseconds before a request comes",
    )
    parser.add_argument("--exit-with-stdin", action="store_true", help="end when stdin is closed")
    lists = parser.add_mutually_exclusive_group()
    lists.add_argument("--list-faults", action="store_true", help="print the faults as JSON lines and end")
    lists.add_argument("--list-variations", action="store_true", help="print the variations as JSON lines and end")
    lists.add_argument("--list-accounts", action="store_true", help="print the test accounts as JSON lines and end")
    return parser


def _print_lines(lines: Iterable[object]) -> None:
    try:
        for line in lines:
            sys.stdout.write(json.dumps(line) + "\n")
        sys.stdout.flush()
    except BrokenPipeError:
        # Whoever reads, such as head, has enough; Python would flush once more at its end.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _list(options: argparse.Namespace) -> bool:
    if options.list_faults:
        from emulator.faults import registry as faults  # noqa: PLC0415 - read only when it is asked for

        _print_lines(fault.listing() for fault in faults().values())
    elif options.list_variations:
        from emulator.variations import registry as variations  # noqa: PLC0415 - read only when it is asked for

        _print_lines(variation.listing() for variation in variations().values())
    elif options.list_accounts:
        _print_lines(listing())
    else:
        return False
    return True


def _stdin_closed(stop: threading.Event) -> None:
    # The raw descriptor: a daemon thread that holds the lock of sys.stdin would trip the interpreter at its end.
    while os.read(0, 4096):
        pass
    stop.set()


def main(arguments: Sequence[str] | None = None, *, name: str = "python -m emulator") -> int:
    """Run the command, by whatever name it was called; returns its exit status: 0, or 2 for wrong usage."""
    options = _parser(name).parse_args(arguments)
    if _list(options):
        return 0
    logging.basicConfig(level=logging.WARNING, stream=sys.stderr, format="%(levelname)s %(name)s: %(message)s")
    if not options.exit_with_stdin:
        # For integrators: what was signed wrongly, and callbacks that nobody took.
        logging.getLogger("emulator").setLevel(logging.INFO)
    settings = Settings(
        release=options.release,
        faults=tuple(options.fault),
        variations=tuple(options.variation),
        control=options.control,
        control_token=secrets.token_urlsafe(24) if options.control else "",
        callback_url=options.callback_url,
        host=options.host,
        port=options.port,
        public_url=options.public_url,
        trusts_proxy=options.trust_proxy,
        latency=options.latency,
    )
    stop = threading.Event()

    def announce(running: Running) -> None:
        started = {"url": running.url, "release": settings.release, "control": running.control}
        base = (settings.public_url or running.url).rstrip("/")
        served = {"addresses": {name: base + path for name, path in offers.ADDRESSES.items()}}
        used = {"faults": list(settings.faults), "variations": list(settings.variations)}
        _print_lines([{**started, **served, "account": offers.main_account(), **used}])

    if options.exit_with_stdin:
        threading.Thread(target=_stdin_closed, args=(stop,), daemon=True).start()
    try:
        serve(settings, announce, stop)
    except (SettingsError, ListeningError) as error:
        sys.stderr.write(f"emulator: {error}\n")
        return _WRONG_USAGE
    except KeyboardInterrupt:
        return 0
    return 0


if __name__ == "__main__":
    sys.exit(main())
