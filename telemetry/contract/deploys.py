"""Deploys as whoever deploys tells of them."""

from typing import Annotated

from pydantic import AwareDatetime, Field

from console.kit.wire import Inbound, Outbound
from telemetry.contract.calls import Id, Name


class MarkDeploy(Inbound):
    """Something was deployed: an agent, a tool, a service. The same one told again is one."""

    name: Name
    version: Id | None = None
    at: AwareDatetime | None = None
    tool: Name | None = None
    url: Annotated[str, Field(max_length=500)] | None = None


class DeployMarked(Outbound):
    """It is noted; `new` says whether by this request."""

    id: int
    new: bool
