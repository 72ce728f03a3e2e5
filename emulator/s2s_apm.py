"""Mount point of the S2S APM protocol; its actions come with a later change."""

from typing import Final

from emulator.replies import Kind, Refusal

NOT_SERVED: Final = Refusal(Kind.ACTION, "Payment action not supported", code=204005)
