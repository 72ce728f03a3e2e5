"""A variation: a named difference that breaks no requirement."""

from dataclasses import dataclass

from emulator.design import Change


@dataclass(frozen=True, slots=True)
class Variation:
    """A named change of the design that leaves the contract kept."""

    name: str
    summary: str
    change: Change

    def listing(self) -> dict[str, object]:
        """What a list of variations says about it, ready to be printed as JSON."""
        return {"name": self.name, "summary": self.summary}
