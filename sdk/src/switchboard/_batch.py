"""From records to request bodies: one JSON document of many calls, gzipped where that pays."""

import gzip
import json
from dataclasses import dataclass

MOST_CALLS = 1_000
MOST_BYTES = 8 * 1024 * 1024 - 1024  # the console's limit, with room for the brackets
GZIP_FROM = 1_024
_HEAD, _TAIL = b'{"calls":[', b"]}"


@dataclass(frozen=True, slots=True)
class Batch:
    """Some calls, each already as JSON, in the order they were made."""

    items: tuple[bytes, ...]
    ids: tuple[str, ...]

    def __len__(self) -> int:
        return len(self.items)

    def body(self) -> tuple[bytes, dict[str, str]]:
        """Give the request's body and headers."""
        plain = _HEAD + b",".join(self.items) + _TAIL
        if len(plain) < GZIP_FROM:
            return plain, {"content-type": "application/json"}
        return gzip.compress(plain, 1), GZIPPED

    def squeezed(self) -> bytes:
        """Give the body as it is kept on disk."""
        return gzip.compress(_HEAD + b",".join(self.items) + _TAIL, 1)

    def halves(self) -> "tuple[Batch, Batch]":
        """Give two batches, to find the one call that a refusal of the whole is about."""
        cut = len(self) // 2
        return Batch(self.items[:cut], self.ids[:cut]), Batch(self.items[cut:], self.ids[cut:])

    @classmethod
    def read(cls, squeezed: bytes) -> "Batch":
        """Give the batch inside a gzipped body of ours. Raises ValueError or OSError for anything else."""
        calls = json.loads(gzip.decompress(squeezed))["calls"]
        return cls(tuple(_dump(call) for call in calls), tuple(str(call.get("call_id")) for call in calls))


GZIPPED = {"content-type": "application/json", "content-encoding": "gzip"}


def _dump(call: object) -> bytes:
    return json.dumps(call, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "replace")
