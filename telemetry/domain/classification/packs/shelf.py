"""All packs, one line a file."""

from telemetry.domain.classification.packs.pack import Pack

PACKS: tuple[Pack, ...] = ()
