"""The reference gateway: a second, independent reading of the payment gateway interface, to try checks against."""

from emulator.app import create_app
from emulator.settings import Settings

__all__ = ["Settings", "create_app"]
