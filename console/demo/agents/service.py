"""The travel service as the agents reach it: real HTTP, with the trip and the idempotency key in the headers."""

from collections.abc import Mapping
from typing import Any, cast

import httpx2

import switchboard as sb

READING = frozenset({"GET", "DELETE"})
DESK_TIMEOUT_S = 5.0
EARLIER_S = 0.1


class Service:
    """One connection pool to the service. `token` is the bearer of an account, kept out of all arguments."""

    def __init__(self, url: str, *, transport: httpx2.AsyncBaseTransport | None = None) -> None:
        self._client = httpx2.AsyncClient(base_url=url, transport=transport, timeout=DESK_TIMEOUT_S)
        self._tokens: dict[str, str] = {}

    async def close(self) -> None:
        """Close the connections."""
        await self._client.aclose()

    def remember(self, account: str, token: str) -> None:
        """Keep the token of an account, for the calls that need it."""
        self._tokens[account] = token

    async def ask(
        self, method: str, path: str, args: Mapping[str, Any], ctx: sb.Context, *, account: str = ""
    ) -> Any:
        """Make one try of one operation and give its JSON body; what is no success is raised for the kit to read.

        The library's own time-out comes just before the kit's, so that the evidence names what was waited for.
        """
        headers = {"x-trip-id": ctx.session_id or "", "idempotency-key": ctx.idempotency_key}
        if account in self._tokens:
            headers["authorization"] = f"Bearer {self._tokens[account]}"
        given = {name: value for name, value in args.items() if value is not None}
        timeout = max(ctx.timeout_s - EARLIER_S, EARLIER_S)
        if method in READING:
            answer = await self._client.request(method, path, params=given, headers=headers, timeout=timeout)
        else:
            answer = await self._client.request(method, path, json=given, headers=headers, timeout=timeout)
        return sb.raise_for(answer).json()

    async def renew(self, account: str) -> None:
        """Make the token of an account good again. Raises httpx2.HTTPStatusError where a person must approve it."""
        key = f"renew-{self._tokens.get(account, account)}"
        answer = await self._client.post(
            f"/accounts/{account}/token", json={}, headers={"idempotency-key": key}
        )
        answer.raise_for_status()

    async def next_request(self, desk: str, *, quiet: bool = False) -> dict[str, Any]:
        """The next booking request of a desk; a `quiet` one is likely to go through without people.

        Raises httpx2.HTTPError while the service is away.
        """
        answer = await self._client.post("/requests", json={"desk": desk, "quiet": quiet})
        answer.raise_for_status()
        return cast("dict[str, Any]", answer.json())

    async def open_requests(self, desk: str) -> list[dict[str, Any]]:
        """The requests that were taken and not finished, before this process began."""
        answer = await self._client.get("/requests", params={"desk": desk})
        answer.raise_for_status()
        return cast("list[dict[str, Any]]", answer.json()["requests"])

    async def finish(self, trip: str, state: str) -> None:
        """Say how a request ended."""
        answer = await self._client.put(f"/requests/{trip}/state", json={"state": state})
        answer.raise_for_status()
